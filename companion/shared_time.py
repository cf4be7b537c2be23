"""The time that all workers share: PostgreSQL's, as the clocks of their machines differ.

A worker writes times that others compare with the present: the end of an undo window, the newest move of a
table with a clock, a phone's last heartbeat. Phones compare them, too, with the time that their worker tells
them. On two machines the clocks differ by a second or more, so other code asks no machine's clock.

Each worker measures at its start, and every ten seconds, how far PostgreSQL's clock is ahead of its own
monotonic clock, which no adjustment of the time of day moves. With SQLite there is one machine, whose clock
counts. A command measures nothing and uses the clock of its machine: its limits are days.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from typing import Any

from django.db import connection, models
from django.utils import timezone

from companion.server.threads import CHORES, run_in_lane

#: Seconds between two measurements.
EVERY = 10.0
#: The queries of a measurement. The fastest answer counts: its error is at most half of its seconds.
SAMPLES = 3
#: The most seconds of an answer that corrects an earlier one.
SLOWEST = 0.5
#: The seconds by which the machine's clock may differ before the log says so.
FAR = 1.0
#: The seconds from this machine's monotonic clock to the database's time; None: the machine's time counts.
_ahead: float | None = None
logger = logging.getLogger(__name__)


def seconds() -> float:
    """Return the shared time in seconds, as ``time.time`` does."""
    return time.time() if _ahead is None else time.monotonic() + _ahead


def now() -> datetime:
    """Return the shared time, as ``timezone.now`` does."""
    return timezone.now() if _ahead is None else datetime.fromtimestamp(seconds(), UTC)


async def measure() -> None:
    """Measure the database's clock. While the database is away, the last measurement holds."""
    await run_in_lane(CHORES, _measure)


def _measure() -> None:
    global _ahead
    if connection.vendor != "postgresql":
        return
    took, ahead = min(_sample() for _ in range(SAMPLES))
    if _ahead is None:
        differs = time.time() - time.monotonic() - ahead
        if abs(differs) > FAR:
            logger.warning("this machine's clock is %.1f s off the database's, whose clock counts", differs)
    elif took > SLOWEST:
        return
    _ahead = ahead


def _sample() -> tuple[float, float]:
    """Return how long the database's answer took, and how far its clock is ahead."""
    with connection.cursor() as cursor:
        asked = time.monotonic()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        answered = time.monotonic()
        [there] = cursor.fetchone()
    return answered - asked, there - (asked + answered) / 2


class SharedTimeField(models.DateTimeField):  # type: ignore[type-arg]
    """A ``DateTimeField`` with the shared time, by ``auto_now`` or by the default ``shared_time.now``."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if self.auto_now or (self.auto_now_add and add):
            setattr(model_instance, self.attname, now())
        return getattr(model_instance, self.attname)

    def deconstruct(self) -> Any:
        """Describe the field for migrations, to which it is any other."""
        name, _, arguments, options = super().deconstruct()
        if options.get("default") is now:
            options["default"] = timezone.now
        return name, "django.db.models.DateTimeField", arguments, options
