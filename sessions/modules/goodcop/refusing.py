"""How the rules say no."""

from __future__ import annotations

from typing import Any

from sessions.engine.contract import IllegalMove, Seat

from .state import State


def demand(condition: object, code: str, rule: str, **details: Any) -> None:
    """Refuse unless the condition holds.

    :raises IllegalMove: ``code``, with the id of the rule.
    """
    if not condition:
        raise IllegalMove(code, rule=rule, **details)


def demand_living_other(state: State, seat: Seat, named: Seat, rule: str, myself: str) -> None:
    """Refuse to name somebody who is not at the table, oneself, or somebody eliminated.

    :raises IllegalMove: ``no_such_seat``, ``myself``, ``eliminated``.
    """
    demand(named in state.players, "no_such_seat", rule)
    demand(named != seat, myself, rule)
    demand(state.players[named].alive, "eliminated", rule)
