"""The seats that have to move, the questions to them, and the legal moves.

The moves are complete, except for ``place``, which has a sample. No function here changes the state.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any, get_args

from sessions.game import Seat

from .moves import AnyMove, Challenge, ChooseDetective, Decline, Discard, Place, SetStyle, Take
from .seasons import available, chooser, free_detectives, placement
from .state import Dice, Rank, State


def waiting_for(state: State) -> set[Seat]:
    """Return the seats that may move and have not chosen yet."""
    return {seat for seat in may_move(state) if not has_answered(state, seat)}


def may_move(state: State) -> list[Seat]:
    """Return the seats that may move; while all choose at once, also those that have chosen. [TF-4.5, 8.2]"""
    players = state.players
    match state.phase:
        case "detectives":
            asked = chooser(state)
        case "place1" | "place2":
            return [seat for seat in state.seats if not players[seat].out]
        case "challenge":
            asked = state.judgement.deciders[0] if state.judgement and state.judgement.deciders else None
        case "take":
            asked = state.taker
        case "discard":
            asked = state.owing
        case "style":
            return [seat for seat in state.seats if players[seat].gained]
        case "over":
            return []
    return [asked] if asked else []


def has_answered(state: State, seat: Seat) -> bool:
    """True if a seat has made a choice that it may still change."""
    match state.phase:
        case "place1" | "place2":
            return placement(state, state.players[seat]) is not None
        case "style":
            return state.players[seat].style is not None
        case _:
            return False


def question(state: State, seat: Seat) -> Any:
    """Return the question to ``seat`` as phase, season and incident; None if it may not move."""
    if seat not in may_move(state):
        return None
    return [state.phase, state.season, state.judgement.number if state.judgement else None]


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    if seat not in may_move(state):
        return []
    gained = sorted(state.players[seat].gained)
    match state.phase:
        case "detectives":
            return [ChooseDetective(detective) for detective in free_detectives(state)]
        case "place1" | "place2":
            cards = available(state, seat)  # in rotations, the first five of each
            turned = ([*cards[start:], *cards[:start]] for start in range(len(cards)))
            return [Place((a, b, c, d, e)) for a, b, c, d, e, *_ in turned]
        case "challenge":
            return [*(Challenge(dice) for dice in get_args(Dice)), Decline()]
        case "take":
            return [Take(rank) for rank in get_args(Rank)]
        case "discard":
            return [Discard(card) for card in gained]
        case _:
            sizes = range(len(gained) + 1)
            return [SetStyle(stand) for stand in chain.from_iterable(combinations(gained, n) for n in sizes)]
