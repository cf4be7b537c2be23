"""The score of the daily game, and a line of signs that shows a player's actions and reveals no card."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

from .state import State

#: A win scores MOST minus the number of turns, and at least LEAST.
MOST, LEAST = 30, 10
SIGNS = {"investigate": "🟦", "arm": "🟨", "equip": "🟩", "shoot": "🟥"}


def daily_score(state: State, seat: Seat) -> int | None:
    """Return the points for a win, more for an early one; 0 for a defeat."""
    if state.result is None:
        return None
    return max(LEAST, MOST - state.turns) if seat in state.result.winners else 0


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for the seat's action in each turn, without its target.

    Equipment can cancel a declared action, so the last declaration of a turn counts.
    """
    line, action = "", ""
    for event in events:
        if event.kind in ("begun", "ended"):
            line, action = line + SIGNS.get(action, ""), ""
        elif event.kind == "declared" and event.data["seat"] == seat:
            action = event.data["action"]
    return line
