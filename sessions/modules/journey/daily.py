"""A line of signs for the game of the day: how many stories each week told, and nothing of where or which."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Seat

#: By the number of stories told in a week.
SIGNS = ("⬜", "🟨", "🟩")


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for each week, which a loop of the white pawn ends."""
    line, told = "", 0
    for event in events:
        if event.kind == "solved":
            told += 1
        elif event.kind in ("looped", "ended"):
            line, told = line + SIGNS[min(told, 2)], 0
    return line
