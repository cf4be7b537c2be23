"""The score of the game of the day, and a line of signs that tells what one did and nothing of any card."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

from .state import State

#: A win in the first turn would score so much, and each turn costs 1 of it; a win scores at least LEAST.
MOST, LEAST = 30, 10
SIGNS = {"investigate": "🟦", "arm": "🟨", "equip": "🟩", "shoot": "🟥"}


def score(state: State, seat: Seat) -> int | None:
    """Return the points for a win, more for an early one; 0 for a defeat."""
    if state.result is None:
        return None
    return max(LEAST, MOST - state.turns) if seat in state.result.winners else 0


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for the action of each turn, at whomever it was.

    A declared action may be chosen anew: the last one counts.
    """
    line, action = "", ""
    for event in events:
        if event.kind in ("begun", "ended"):
            line, action = line + SIGNS.get(action, ""), ""
        elif event.kind == "declared" and event.data["seat"] == seat:
            action = event.data["action"]
    return line
