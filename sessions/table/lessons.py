"""Lessons: a table's clock pauses while a player that it waits for reads one.

The page reports that it shows a lesson (static/js/lessons.js), not which one. At each version the clock
pauses from the first reader's start to the last reader's end, a minute at most, so that a sleeping phone does
not hold up the others.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from django.core.cache import cache

from sessions.models import Table

#: Seconds that the clock pauses at most, from the first reader's start.
LONGEST = 60.0
#: Seconds that a note stays in the cache: every clock shorter than a day has run out after that.
_REMEMBERED = 600


class ClockPause(NamedTuple):
    """The seconds that a version's clock has paused, and those it will still pause if reading goes on."""

    so_far: float = 0.0
    on: float = 0.0


def note(table: Table, seat: str, *, reads: bool) -> None:
    """Note in the cache that a seat began to read a lesson at this version of its table, or has stopped."""
    key, present = _key(table, seat), time.time()
    began, _ = cache.get(key, (present, None))
    cache.set(key, (began, None if reads else present), _REMEMBERED)


def clock_pause(table: Table) -> ClockPause:
    """Return how long the clock of this version has paused and will pause."""
    notes = cache.get_many([_key(table, sits.key) for sits in table.sitters]).values()
    if not notes:
        return ClockPause()
    present, began = time.time(), min(began for began, _ in notes)
    ends = [began + LONGEST if ended is None else ended for began, ended in notes]
    end = min(began + LONGEST, max(ends))
    return ClockPause(min(present, end) - began, max(0.0, end - present))


def _key(table: Table, seat: str) -> str:
    return f"lesson.{table.pk}.{table.version}.{seat}"
