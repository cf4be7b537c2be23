"""The order of turns. [GC-4.7, GC-4.8]"""

from __future__ import annotations

from sessions.game import Seat

from .asking import following
from .scene import GoodCopScene


def next_turn(scene: GoodCopScene) -> None:
    """Give the turn to a living player with coffee, else to the next living player."""
    state = scene.state
    for player in state.players.values():
        player.tasered = False
    state.turn = _coffee(scene) or following(state, state.turn)
    state.turns += 1
    scene.tell("begun", seat=state.turn)


def _coffee(scene: GoodCopScene) -> Seat | None:
    """Return the living player with coffee in front; the card goes to the bottom of the deck."""
    state = scene.state
    for seat, player in state.players.items():
        if "coffee" in player.active:
            player.active.remove("coffee")
            state.deck.append("coffee")
            scene.tell("lifted", seat=seat, card="coffee")
            return seat if player.alive else None
    return None
