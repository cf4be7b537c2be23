"""Cards that leave the game 除外, and the end of a game. [LM-4, 5]"""

from __future__ import annotations

from sessions.game import Outcome, Seat, demand

from .cards import Facing, Laid
from .scene import Scene
from .state import Slot, card_in_slot, opponent

CARDS_TO_LOSE = 2


def leave(scene: Scene, owner: Seat, slot: Slot) -> None:
    """Take a field card out of the game; its owner loses, or lays the hand card next. [LM-4.1 to 4.3, 5.1]"""
    state, player = scene.state, scene.state.players[owner]
    card = card_in_slot(player, slot).card
    player.slots[slot] = player.seen[slot] = None
    player.removed.append(card)
    state.shown = None
    scene.tell("left", seat=owner, slot=slot)
    scene.whisper(owner, "left_own", seat=owner, card=card)
    if card == "boss":
        win(scene, opponent(state, owner), "boss")
    elif len(player.removed) == CARDS_TO_LOSE:
        win(scene, opponent(state, owner), "two")
    else:
        state.phase, state.loser = "replace", owner


def lay_hand(scene: Scene, owner: Seat, facing: Facing) -> None:
    """Lay the hand card into the empty slot. [LM-4.3]"""
    player = scene.state.players[owner]
    slot: Slot = 0 if player.slots[0] is None else 1
    player.slots[slot] = Laid(player.hand.pop(), facing)
    scene.state.loser = None
    scene.tell("replaced", seat=owner, slot=slot)


def concede(scene: Scene, seat: Seat) -> None:
    """Concede the game, also while the other seat is asked. [LM-3.8]

    :raises IllegalMove: ``place_first``.
    """
    demand(scene.state.phase != "place", "place_first", "LM-3.8")
    scene.tell("conceded", seat=seat)
    win(scene, opponent(scene.state, seat), "concede")


def win(scene: Scene, winner: Seat, reason: str) -> None:
    state = scene.state
    state.phase, state.claim, state.shown, state.loser = "over", None, None, None
    state.result = Outcome((winner,), reason)
    scene.tell("won", seat=winner, reason=reason)
