"""The clock of a board game: a bot answers once for whoever lets the table wait for too long.

It begins anew with every move, runs for all who are waited for, and stands while one of them reads a lesson
(lessons.py). It counts from the time of the newest move, so that it goes on where it was when a server begins
anew.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from sessions.models import Table

DAY = Table.DAY
#: The seconds for an answer that people may choose from; 0 for no clock.
CHOICES = (0, 30, 60, 120, DAY)
#: Seconds that are left at least where nobody looked at the table: people come back to it first.
GRACE = 10.0


def since(table: Table) -> datetime:
    """Return when a table was opened, or moved last."""
    return table.moves.order_by("-number").values_list("played_at", flat=True).first() or table.opened_at


def left(table: Table, began: datetime, *, stood: float = 0.0) -> float:
    """Return the seconds that a table with a clock leaves those it waits for; 0 when their time is over.

    :param began: as ``since`` has it.
    :param stood: the seconds that it has stood since then (lessons.py).
    """
    return max(0.0, table.clock + stood - (timezone.now() - began).total_seconds())


def runs(table: Table) -> bool:
    """True if the table has a clock, and goes on."""
    return bool(table.clock) and table.ended_at is None and table.session.ended_at is None
