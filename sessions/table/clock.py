"""The clock of a board game: when it runs out, a bot answers once for each player that the table waits for.

It restarts with every move, runs for all of these players together, and counts from the time of the newest
move, so a restart of the server does not reset it. It pauses while one of these players reads a lesson. The
page reports that it shows a lesson (static/js/lessons.js), not which one. At each version the clock pauses
from the first reader's start to the last reader's end, a minute at most, so that a sleeping phone does not
hold up the others.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache

from companion import shared_time
from sessions.models import Table

DAY = Table.DAY
#: The seconds per answer that people may choose from; 0 for no clock.
CHOICES = (0, 30, 60, 120, DAY)
#: Seconds that a clock leaves at least if no page of the table was open, so that people can come back first.
LEAST_AFTER_START = 10.0
#: Seconds that the clock pauses at most, from the first reader's start.
LONGEST = 60.0
#: Seconds that a note stays in the cache: every clock shorter than a day has run out after that.
_REMEMBERED = 600


def clock_start(table: Table) -> datetime:
    """Return the time of a table's newest move, or of its opening if it has none."""
    return table.moves.order_by("-number").values_list("played_at", flat=True).first() or table.opened_at


def seconds_left(table: Table, began: datetime, *, stood: float = 0.0) -> float:
    """Return the seconds left on a table's clock that ``began`` then and was paused for ``stood`` seconds."""
    return max(0.0, table.clock + stood - (shared_time.now() - began).total_seconds())


def is_running(table: Table) -> bool:
    """True if the table has a clock and has not ended."""
    return bool(table.clock) and table.ended_at is None and table.session.ended_at is None


class ClockPause(NamedTuple):
    """The seconds that a version's clock has paused, and those it will still pause if reading goes on."""

    so_far: float = 0.0
    to_come: float = 0.0


def note_lesson(table: Table, seat: str, *, reads: bool) -> ClockPause:
    """Note that a seat began to read a lesson at this version, or has stopped; return the clock's pause."""
    key, present = _key(table, seat), shared_time.seconds()
    began, _ = cache.get(key, (present, None))
    cache.set(key, (began, None if reads else present), _REMEMBERED)
    return clock_pause(table)


def clock_pause(table: Table) -> ClockPause:
    """Return how long the clock of this version has paused and will pause."""
    notes = cache.get_many([_key(table, sits.key) for sits in table.sitters]).values()
    if not notes:
        return ClockPause()
    present, began = shared_time.seconds(), min(began for began, _ in notes)
    ends = [began + LONGEST if ended is None else ended for began, ended in notes]
    end = min(began + LONGEST, max(ends))
    return ClockPause(min(present, end) - began, max(0.0, end - present))


def _key(table: Table, seat: str) -> str:
    return f"lesson.{table.pk}.{table.version}.{seat}"
