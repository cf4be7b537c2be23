"""What this server leans on and can be without for a while: the database, Redis.

An outage is found out once, not by everybody who asks: for a moment after a failure nobody waits for the
service again. The log has one line when it goes and one when it is back.
"""

from __future__ import annotations

import logging
import time
from threading import Lock

from django.conf import settings
from django.db import InterfaceError, OperationalError

from companion.server import storage
from companion.watching import metrics

logger = logging.getLogger(__name__)

#: Seconds after a failure in which nobody asks again; for some services they double up to a limit.
PAUSE = 1.0
#: What Django raises while the database cannot be reached.
NO_DATABASE = (OperationalError, InterfaceError)


class Outage:
    """Whether one service is away, as this process knows it."""

    def __init__(self, service: str, longest_pause: float = PAUSE) -> None:
        self.service, self.longest_pause = service, longest_pause
        #: How often it went away; who remembers the number knows whether something was missed.
        self.count = 0
        self._since: float | None = None
        self._ask_at, self._pause = 0.0, PAUSE
        self._lock = Lock()

    @property
    def lasts(self) -> bool:
        """True from the first failure until an answer."""
        return self._since is not None

    def is_known(self) -> bool:
        """True if asking now would be in vain; after each pause one caller is let through to try."""
        if self._since is None:
            return False
        with self._lock:
            now = time.monotonic()
            if now < self._ask_at:
                return True
            self._ask_at = now + self._pause
            return False

    def found(self, problem: BaseException) -> None:
        """Note that the service did not answer."""
        metrics.SERVICE_ERRORS.labels(self.service).inc()
        with self._lock:
            now = time.monotonic()
            if self._since is not None:
                self._pause = min(2 * self._pause, self.longest_pause)
                self._ask_at = now + self._pause
                return
            self._since, self._pause = now, PAUSE
            self._ask_at = now + self._pause
            self.count += 1
        logger.error("the %s is away (%s); trying again until it is back", self.service, _kind(problem))

    def over(self) -> None:
        """Note that the service answered."""
        if self._since is None:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            logger.warning("the %s is back after %.1f s", self.service, time.monotonic() - since)


def note(problem: BaseException) -> None:
    """Note that the database failed somebody, who was asked to wait. Its outage is told by who connects."""
    is_full = storage.is_full(problem, settings.VAR_DIR)
    metrics.SERVICE_ERRORS.labels("disk" if is_full else DATABASE.service).inc()
    if is_full:
        logger.error("the disk of the data folder is full: nothing is kept until there is room")
    elif not DATABASE.lasts:
        trace = None if _lost_the_line(problem) else problem
        logger.error("the database failed in the midst of something (%s)", _kind(problem), exc_info=trace)


def _lost_the_line(problem: BaseException) -> bool:
    """True if PostgreSQL broke off: then the origin of the query says nothing."""
    state = getattr(problem.__cause__, "sqlstate", "")
    return state is None or state.startswith(("08", "57P"))


def _kind(problem: BaseException) -> str:
    # Not its text: that can hold addresses, and values of a query.
    return type(problem.__cause__ or problem).__name__


DATABASE = Outage("database")
# A Redis that is there and does not answer holds its caller up, and at times everybody: seldom, then.
# The channel layer looks for it meanwhile and holds up nobody.
REDIS = Outage("redis", longest_pause=10.0)
