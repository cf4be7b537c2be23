"""The legal moves: all of them, except for ``place``, which has a sample."""

from __future__ import annotations

from itertools import chain, combinations
from typing import get_args

from sessions.game import Seat

from .asking import may_move
from .cards import Dice, Rank
from .moves import AnyMove, Challenge, ChooseDetective, Decline, Discard, Place, SetStyle, Take
from .placing import available
from .setup import free_detectives
from .state import State


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now."""
    if seat not in may_move(state):
        return []
    gained = sorted(state.players[seat].gained)
    match state.phase:
        case "detectives":
            return [ChooseDetective(detective) for detective in free_detectives(state)]
        case "place1" | "place2":
            return _rotations(state, seat)
        case "challenge":
            return [*(Challenge(dice) for dice in get_args(Dice)), Decline()]
        case "take":
            return [Take(rank) for rank in get_args(Rank)]
        case "discard":
            return [Discard(card) for card in gained]
        case _:
            sizes = range(len(gained) + 1)
            return [SetStyle(stand) for stand in chain.from_iterable(combinations(gained, n) for n in sizes)]


def _rotations(state: State, seat: Seat) -> list[AnyMove]:
    """Return the rotations of the sorted available cards, the first five of each."""
    cards = available(state, seat)
    turned = ([*cards[start:], *cards[:start]] for start in range(len(cards)))
    return [Place((a, b, c, d, e)) for a, b, c, d, e, *_ in turned]
