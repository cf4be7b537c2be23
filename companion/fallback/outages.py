"""Circuit breakers for the services that this server can miss for a while: the database and Redis.

For a moment after a failure no other caller tries the service again, so only one waits for its timeout. The
log has one line when an outage begins and one when it ends.
"""

from __future__ import annotations

import logging
import time
from threading import Lock

from django.conf import settings
from django.db import InterfaceError, OperationalError

from companion.observability import metrics
from companion.server import storage

logger = logging.getLogger(__name__)
#: Seconds after a failure in which no caller tries again; for some services they double up to a limit.
PAUSE = 1.0
#: The exceptions that Django raises while the database cannot be reached.
NO_DATABASE = (OperationalError, InterfaceError)


class Outage:
    def __init__(self, service: str, longest_pause: float = PAUSE) -> None:
        self.service, self.longest_pause = service, longest_pause
        #: The number of outages so far. A caller that remembers it can tell whether it missed messages.
        self.count = 0
        self._since: float | None = None
        self._ask_at, self._pause = 0.0, PAUSE
        self._lock = Lock()

    @property
    def lasts(self) -> bool:
        """True from the first failure until the service responds again."""
        return self._since is not None

    def should_skip(self) -> bool:
        """True if callers should skip the service; after each pause one caller gets False and tries it."""
        if self._since is None:
            return False
        with self._lock:
            now = time.monotonic()
            if now < self._ask_at:
                return True
            self._ask_at = now + self._pause
            return False

    def record_failure(self, problem: BaseException) -> None:
        metrics.SERVICE_ERRORS.labels(self.service, "away").inc()
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

    def record_recovery(self) -> None:
        if self._since is None:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            logger.warning("the %s is back after %.1f s", self.service, time.monotonic() - since)


def record_database_error(problem: BaseException) -> None:
    """Count a database error of a request. Log it unless it is part of an outage, which is logged once."""
    service, cause = storage.failure_of(problem, settings.VAR_DIR)
    metrics.SERVICE_ERRORS.labels(service, cause).inc()
    if cause == "full":
        full = "the data folder" if service == "disk" else "PostgreSQL"
        logger.error("the disk of %s is full: nothing is kept until there is room", full)
    elif not DATABASE.lasts:
        # If PostgreSQL closed the connection, the traceback of the query is of no use.
        state = getattr(problem.__cause__, "sqlstate", "")
        trace = None if state is None or state.startswith(("08", "57P")) else problem
        logger.error("the database failed in the midst of something (%s)", _kind(problem), exc_info=trace)


def _kind(problem: BaseException) -> str:
    # Log no message text: it can contain addresses, and values of a query.
    return type(problem.__cause__ or problem).__name__


DATABASE = Outage("database")
#: A Redis that accepts connections but does not respond blocks its caller, and at times all requests, so the
#: pauses grow. The channel layer checks for it every second without blocking requests.
REDIS = Outage("redis", longest_pause=10.0)
