"""Connections out of psycopg's pool, with our own patience.

The pool alone waits 30 s for a server that is away, and after a restart it finds its dead connections one by
one, with pauses that double: phones were silent for 12 s after half a second.
"""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base
from django.db.utils import OperationalError

from companion.steady.outages import DATABASE

#: Seconds that a request waits for a connection. A server that is restarted is back by then.
PATIENCE = 3.0


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is not waited for while the database is known to be away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if DATABASE.is_known():
            raise OperationalError("the database is away")
        if DATABASE.lasts:
            self._look_for_it(conn_params)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connection = super().get_new_connection(conn_params)
            except self.Database.OperationalError:
                if time.monotonic() > end:
                    # Away, or there and all connections of the pool are busy.
                    self._look_for_it(conn_params)
                    raise
                if self.pool:
                    self.pool.check()  # All dead connections go at once.
            else:
                return connection

    def _look_for_it(self, conn_params: dict[str, Any]) -> None:
        """Find out by a connection beside the pool whether the database is there.

        :raises Database.OperationalError: it is away.
        """
        try:
            self.Database.connect(**conn_params).close()
        except self.Database.OperationalError as problem:
            DATABASE.found(problem)
            raise
        DATABASE.over()
