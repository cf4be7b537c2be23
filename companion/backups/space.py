"""Vacuum the database: it keeps the disk space of deleted rows for itself until it is told to return it."""

from __future__ import annotations

from django.db import OperationalError, connection


def vacuum() -> None:
    """Shrink the database file to its content. Writes wait while it runs, for seconds at most.

    It must not run in a transaction. If PostgreSQL is busy, the space is left for the next run.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            # The file shrinks only when the WAL is written back into it.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return
        cursor.execute("SET lock_timeout = '2s'")
        try:
            cursor.execute("VACUUM (FULL, ANALYZE)")
        except OperationalError:  # a long query holds a lock; new rows will use the free space
            return
