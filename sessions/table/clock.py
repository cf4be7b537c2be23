"""The clock of a board game: when it runs out, a bot answers once for each player that the table waits for.

It restarts with every move, runs for all of these players together, and pauses while one of them reads a
lesson (lessons.py). It counts from the time of the newest move, so a restart of the server does not reset it.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from sessions.models import Table

DAY = Table.DAY
#: The seconds per answer that people may choose from; 0 for no clock.
CHOICES = (0, 30, 60, 120, DAY)
#: Seconds that a clock leaves at least if no page of the table was open, so that people can come back first.
GRACE = 10.0


def since(table: Table) -> datetime:
    """Return the time of a table's newest move, or of its opening if it has none."""
    return table.moves.order_by("-number").values_list("played_at", flat=True).first() or table.opened_at


def seconds_left(table: Table, began: datetime, *, stood: float = 0.0) -> float:
    """Return the seconds that are left on a table's clock; 0 when the time is over.

    :param began: the start of the clock, as ``since`` returns it.
    :param stood: the seconds that the clock has been paused since then (lessons.py).
    """
    return max(0.0, table.clock + stood - (timezone.now() - began).total_seconds())


def runs(table: Table) -> bool:
    """True if the table has a clock and has not ended."""
    return bool(table.clock) and table.ended_at is None and table.session.ended_at is None
