"""All legal moves."""

from __future__ import annotations

from itertools import permutations, product

from sessions.game import Seat, allows

from .asking import asked_seat, may_block, may_declare
from .cards import ACTIONS, CHARACTERS, FACINGS, Laid
from .chips import ways_to_gain, ways_to_pay
from .moves import (
    AnyMove,
    Block,
    Concede,
    Declare,
    Doubt,
    Exchange,
    GainChip,
    Hit,
    Pass,
    Place,
    Remove,
    Replace,
    Rotate,
)
from .state import SLOTS, Claim, State

PLACES: list[AnyMove] = [
    Place((Laid(left, left_facing), Laid(right, right_facing)))
    for left, right in permutations(CHARACTERS, 2)
    for left_facing, right_facing in product(FACINGS, repeat=2)
]


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now; ``hit`` is listed with ``pay``."""
    if state.phase == "over":
        return []
    if state.phase == "place":
        return list(PLACES)
    answers = _answers(state, seat) if seat == asked_seat(state) else []
    return [*answers, Concede()]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    match state.phase:
        case "declare":
            return [Declare(action) for action in ACTIONS if allows(may_declare, state, seat, action)]
        case "react" if state.claim:
            block: list[AnyMove] = [Block()] if allows(may_block, state, seat, state.claim.action) else []
            return [Pass(), *block, Doubt()]
        case "rereact":
            return [Pass(), Doubt()]
        case "penalty":
            return [Remove(slot) for slot in SLOTS]
        case "resolve" if state.claim:
            return _choices(state, state.claim)
        case "replace":
            return [Replace(facing) for facing in FACINGS]
        case _:
            return _adjustments(state, seat)


def _choices(state: State, claim: Claim) -> list[AnyMove]:
    player = state.players[claim.seat]
    ways = ways_to_pay(player, claim.action)
    if ways:
        return [Hit(slot, way) for slot, way in product(SLOTS, ways)]
    return [GainChip(how) for how in ways_to_gain(state, player, claim.action)]


def _adjustments(state: State, seat: Seat) -> list[AnyMove]:
    moves: list[AnyMove] = [Rotate(slot) for slot in SLOTS]
    if state.players[seat].hand:
        moves += [Exchange(slot, facing) for slot, facing in product(SLOTS, FACINGS)]
    if state.options.adjust_optional:
        moves.append(Pass())
    return moves
