"""Lessons: the clock of a table stands while somebody reads one for whose answer the table waits.

The page says that it shows one (static/js/lessons.js), not which one. A version's clock stands from the first
who reads until the last has stopped, and for a minute at most, so that no sleeping phone holds the others up.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from django.core.cache import cache

from sessions.models import Table

#: Seconds that the clock stands at most, from where the first began to read.
LONGEST = 60.0
#: Seconds until a note is forgotten: by then every clock of seconds has run out.
_REMEMBERED = 600


class Stand(NamedTuple):
    """How long the clock of a version has stood, and how long it stands on unless everybody stops reading."""

    so_far: float = 0.0
    on: float = 0.0


def note(table: Table, seat: str, *, reads: bool) -> None:
    """Note that a seat reads a lesson at this version of its table, or that it has stopped."""
    key, present = _key(table, seat), time.time()
    began, _ = cache.get(key, (present, None))
    cache.set(key, (began, None if reads else present), _REMEMBERED)


def stand(table: Table) -> Stand:
    """Return how long the clock of this version stands."""
    notes = cache.get_many([_key(table, sits.key) for sits in table.sitters]).values()
    if not notes:
        return Stand()
    present, began = time.time(), min(began for began, _ in notes)
    ends = [began + LONGEST if ended is None else ended for began, ended in notes]
    end = min(began + LONGEST, max(ends))
    return Stand(min(present, end) - began, max(0.0, end - present))


def _key(table: Table, seat: str) -> str:
    return f"lesson.{table.pk}.{table.version}.{seat}"
