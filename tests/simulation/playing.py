"""A session of the kind that its plan asks for."""

from __future__ import annotations

from tests.simulation.evening import Result, play
from tests.simulation.plan import Plan
from tests.simulation.twins import play_twins


def play_any(plan: Plan) -> Result:
    """Play an evening, or twins of it."""
    return play_twins(plan) if plan.twice else play(plan)
