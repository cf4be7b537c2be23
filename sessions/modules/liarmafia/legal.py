"""The seat that is asked, the claims and payments that are possible, and so all legal moves.

Gun chips ガンチップ come first, because they decide which actions a player can claim.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

from sessions.game import IllegalMove, Seat, allows, demand

from . import moves
from .moves import AnyMove, Gain, Pay
from .state import (
    ABILITIES,
    ACTIONS,
    BLOCKED_BY,
    CHARACTERS,
    FACINGS,
    SLOTS,
    Action,
    Laid,
    Player,
    Reaction,
    Slot,
    State,
    field_cards,
    opponent,
)

PLACES: list[AnyMove] = [
    moves.Place((Laid(left, left_facing), Laid(right, right_facing)))
    for left, right in permutations(CHARACTERS, 2)
    for left_facing, right_facing in product(FACINGS, repeat=2)
]


def ways_to_pay(player: Player, action: Action) -> list[Pay]:
    """Return the ways in which a player can pay for 殺害 or 暗殺 now."""
    ones, twos = player.chips.count(1), player.chips.count(2)
    ways: dict[Pay, bool] = {}
    if action == "murder":
        ways = {"one": ones > 0, "flip": twos > 0}
    elif action == "assassinate":
        ways = {"two": twos > 0, "ones": ones > 1}
    return [way for way, possible in ways.items() if possible]


def can_pay(player: Player, action: Action) -> bool:
    """True if a player has the chips that an action costs. [LM-3.1]"""
    if action == "allout":
        return player.chips.count(2) >= 2
    return action in ("embezzle", "smuggle") or bool(ways_to_pay(player, action))


def ways_to_gain(state: State, player: Player, action: Action) -> list[Gain]:
    """Return the ways in which 横領 or 密輸 can bring chips now."""
    ways: dict[Gain, bool] = {}
    if action == "embezzle":
        ways = {"take": state.stock > 0, "turn": 1 in player.chips}
    elif action == "smuggle":
        forced = player.chips == [1, 2]
        ways = {"take": state.stock > 0 and not forced, "turn": forced}
    return [way for way, possible in ways.items() if possible]


def gain(state: State, player: Player, action: Action, how: Gain) -> None:
    """Take a chip from the stock, or turn a 1 into a 2."""
    if how == "take":
        state.stock -= 1
        _add_chip(player, 1 if action == "embezzle" else 2)
    else:
        player.chips.remove(1)
        _add_chip(player, 2)


def pay(state: State, player: Player, way: Pay) -> None:
    """Return chips to the stock, or turn a 2 into a 1."""
    if way == "flip":
        player.chips.remove(2)
        _add_chip(player, 1)
    else:
        give_back(state, player, {"one": [1], "two": [2], "ones": [1, 1]}[way])


def give_back(state: State, player: Player, spent: list[int]) -> None:
    for chip in spent:
        player.chips.remove(chip)
        state.stock += 1


def _add_chip(player: Player, chip: int) -> None:
    player.chips = sorted([*player.chips, chip])


def asked_seat(state: State) -> Seat | None:
    """Return the one seat to move; None while cards are placed and after the end."""
    match state.phase:
        case "declare" | "rereact" | "resolve" | "adjust":
            return state.turn
        case "react":
            return opponent(state, state.turn)
        case "penalty" | "replace":
            return state.loser
        case _:
            return None


def waiting_for(state: State) -> set[Seat]:
    """Return the seat that is asked; while cards are placed, all that have not placed. [LM-2.2]"""
    if state.phase == "place":
        return {seat for seat, player in state.players.items() if not player.ready}
    asked = asked_seat(state)
    return {asked} if asked else set()


def question(state: State, seat: Seat) -> Any:
    """Return the values that identify the question to ``seat``: phase, turn number, claim, card shown."""
    if state.phase == "place":
        return ["place"]
    if seat != asked_seat(state):
        return None
    claim, shown = state.claim, state.shown
    return [
        state.phase,
        state.turns,
        [claim.action, claim.blocked] if claim else None,
        [shown.seat, shown.slot] if shown else None,
    ]


def proof(player: Player, ability: Action | Reaction) -> Slot | None:
    """Return the slot whose card makes a claim true, None when it is false. [LM-3.4]"""
    for slot in SLOTS:
        laid = player.slots[slot]
        if laid and ABILITIES[ability].shown_by(laid):
            return slot
    return None


def may_declare(state: State, seat: Seat, action: Action) -> None:
    """Refuse an action that cannot be paid for or, in the second edition, is not on the field. [LM-3.1]"""
    player = state.players[seat]
    demand(can_pay(player, action), "cannot_pay", "LM-3.1", action=action)
    if state.options.second_edition:
        demand(_on_field(player, action), "not_on_field", "LM-3.1", action=action)


def may_block(state: State, seat: Seat, action: Action) -> None:
    """In the second edition, refuse a block that does not exist or is not on the field. [LM-3.2]"""
    if not state.options.second_edition:
        return
    reaction = BLOCKED_BY.get(action)
    if reaction is None:
        raise IllegalMove("cannot_block", rule="LM-3.2", action=action)
    demand(_on_field(state.players[seat], reaction), "not_on_field", "LM-3.2", action=action)


def _on_field(player: Player, ability: Action | Reaction) -> bool:
    return any(laid.card == ABILITIES[ability].card for laid in field_cards(player))


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now; ``hit`` is listed with ``pay``."""
    if state.phase == "over":
        return []
    if state.phase == "place":
        return list(PLACES)
    answers = _answers(state, seat) if seat == asked_seat(state) else []
    return [*answers, moves.Concede()]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    match state.phase:
        case "declare":
            return [moves.Declare(action) for action in ACTIONS if allows(may_declare, state, seat, action)]
        case "react" if state.claim:
            block: list[AnyMove] = (
                [moves.Block()] if allows(may_block, state, seat, state.claim.action) else []
            )
            return [moves.Pass(), *block, moves.Doubt()]
        case "rereact":
            return [moves.Pass(), moves.Doubt()]
        case "penalty":
            return [moves.Remove(slot) for slot in SLOTS]
        case "resolve" if state.claim:
            player, action = state.players[state.claim.seat], state.claim.action
            ways = ways_to_pay(player, action)
            if ways:
                return [moves.Hit(slot, way) for slot, way in product(SLOTS, ways)]
            return [moves.GainChip(how) for how in ways_to_gain(state, player, action)]
        case "replace":
            return [moves.Replace(facing) for facing in FACINGS]
        case _:
            answers: list[AnyMove] = [moves.Rotate(slot) for slot in SLOTS]
            if state.players[seat].hand:
                answers += [moves.Exchange(slot, facing) for slot, facing in product(SLOTS, FACINGS)]
            return [*answers, moves.Pass()] if state.options.adjust_optional else answers
