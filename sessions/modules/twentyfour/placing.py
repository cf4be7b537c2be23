"""The investigation 捜査: five cards face down, and five more. [TF-4]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Seat, demand

from .cards import Action
from .moves import Place
from .scene import TwentyFourScene
from .state import Player, State, present


def placement(state: State, player: Player) -> list[Action] | None:
    """Return the cards that a player has laid in the present placement, None before that."""
    return player.first if state.phase == "place1" else player.second


def available(state: State, seat: Seat) -> list[Action]:
    """Return the cards that may be placed now, sorted, with those laid in this placement. [TF-4.5]"""
    player = state.players[seat]
    return sorted([*player.hand, *(placement(state, player) or [])])


def place(scene: TwentyFourScene, seat: Seat, move: Place) -> None:
    """Lay five cards, or replace them by others until all have placed. [TF-4.1, 4.3, 4.5]

    :raises IllegalMove: ``out``, ``not_in_hand``.
    """
    state, player = scene.state, scene.state.players[seat]
    demand(not player.out, "out", "TF-7.4")
    hand = _without(available(state, seat), move.cards)
    again = placement(state, player) is not None
    player.hand = hand
    if state.phase == "place1":
        player.first = list(move.cards)
    else:
        player.second = list(move.cards)
    if again:
        scene.whisper(seat, "placed_anew", seat=seat)
    else:
        scene.tell("placed", seat=seat)


def reveal(scene: TwentyFourScene) -> None:
    """Turn up the first cards and the event cards that lay face down. [TF-4.2]"""
    state = scene.state
    state.phase = "place2"
    firsts = {who: state.players[who].first for who in present(state)}
    scene.tell("revealed", firsts=firsts, events=[[column.main, column.sub] for column in state.layout])


def _without(cards: list[Action], placed: Sequence[Action]) -> list[Action]:
    left = Counter(cards)
    left.subtract(placed)
    demand(min(left.values()) >= 0, "not_in_hand", "TF-4.1")
    return sorted(left.elements())
