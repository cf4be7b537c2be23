"""The seat that is asked now, and the claims that it may make. Nothing here changes the state."""

from __future__ import annotations

from typing import Any

from sessions.game import IllegalMove, Seat, demand

from .cards import ABILITIES, BLOCKED_BY, Action, Reaction
from .chips import can_pay
from .state import SLOTS, Player, Slot, State, field, opponent


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
    """Refuse an action that cannot be claimed. [LM-3.1]

    :raises IllegalMove: ``cannot_pay``; ``not_on_field`` in the second edition.
    """
    player = state.players[seat]
    demand(can_pay(player, action), "cannot_pay", "LM-3.1", action=action)
    if state.options.second_edition:
        demand(_on_field(player, action), "not_on_field", "LM-3.1", action=action)


def may_block(state: State, seat: Seat, action: Action) -> None:
    """Refuse a block that cannot be claimed; the first edition allows every block. [LM-3.2]

    :raises IllegalMove: ``cannot_block``, ``not_on_field``, both only in the second edition.
    """
    if not state.options.second_edition:
        return
    reaction = BLOCKED_BY.get(action)
    if reaction is None:
        raise IllegalMove("cannot_block", rule="LM-3.2", action=action)
    demand(_on_field(state.players[seat], reaction), "not_on_field", "LM-3.2", action=action)


def _on_field(player: Player, ability: Action | Reaction) -> bool:
    return any(laid.card == ABILITIES[ability].card for laid in field(player))
