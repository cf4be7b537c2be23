"""Connections from psycopg's pool, with our own timeouts.

By itself, the pool waits 30 s for an unreachable server. After a restart it finds its dead connections one by
one, with doubling pauses: a restart of half a second blocked phones for 12 s.
"""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base
from django.db.utils import OperationalError

from companion.fallback.outages import DATABASE

#: Seconds that a request waits for a connection, long enough for a restart of the server.
PATIENCE = 3.0


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that fails at once while an outage of the database is known."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if DATABASE.should_skip():
            raise OperationalError("the database is away")
        if DATABASE.lasts:
            self._look_for_it(conn_params)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connection = super().get_new_connection(conn_params)
            except self.Database.OperationalError:
                if time.monotonic() > end:
                    # The database is unreachable, or all connections of the pool are busy.
                    self._look_for_it(conn_params)
                    raise
                if self.pool:
                    self.pool.check()  # drops all dead connections at once
            else:
                return connection

    def _look_for_it(self, conn_params: dict[str, Any]) -> None:
        """Check by a connection outside the pool whether the database is reachable, or raise."""
        try:
            self.Database.connect(**conn_params).close()
        except self.Database.OperationalError as problem:
            DATABASE.record_failure(problem)
            raise
        DATABASE.record_recovery()
