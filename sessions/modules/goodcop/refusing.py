"""Refusals of a named seat."""

from __future__ import annotations

from sessions.game import Seat, demand

from .state import State


def demand_living_other(state: State, seat: Seat, named: Seat, rule: str, myself: str) -> None:
    """Refuse a named seat that is not at the table, is the player's own, or is eliminated.

    :raises IllegalMove: ``no_such_seat``, the code given as ``myself``, ``eliminated``.
    """
    demand(named in state.players, "no_such_seat", rule)
    demand(named != seat, myself, rule)
    demand(state.players[named].alive, "eliminated", rule)
