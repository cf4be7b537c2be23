"""The line of signs for the game of the day: the number of stories solved in each week, not which."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

#: The signs of a week in which no, one, or more stories were solved.
SIGNS = ("⬜", "🟨", "🟩")


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for each week; a loop of the white pawn ends a week."""
    line, told = "", 0
    for event in events:
        if event.kind == "solved":
            told += 1
        elif event.kind in ("looped", "ended"):
            line, told = line + SIGNS[min(told, 2)], 0
    return line
