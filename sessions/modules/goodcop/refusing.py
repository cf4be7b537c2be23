"""Refusals of a seat that was named."""

from __future__ import annotations

from sessions.game import Seat, demand

from .state import State


def demand_living_other(state: State, seat: Seat, named: Seat, rule: str, myself: str) -> None:
    """Refuse to name somebody who is not at the table, oneself, or somebody eliminated.

    :raises IllegalMove: ``no_such_seat``, ``myself``, ``eliminated``.
    """
    demand(named in state.players, "no_such_seat", rule)
    demand(named != seat, myself, rule)
    demand(state.players[named].alive, "eliminated", rule)
