"""Room on the disk that deleted rows leave behind: a database keeps it for itself until it is told."""

from __future__ import annotations

from django.db import OperationalError, connection


def give_back() -> None:
    """Let the database shrink to what it holds. Whoever writes meanwhile waits, for seconds at most.

    Outside of transactions only. Who is busy keeps the room for another night.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            # The file itself gets shorter when its log has gone into it.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return
        cursor.execute("SET lock_timeout = '2s'")
        try:
            cursor.execute("VACUUM (FULL, ANALYZE)")
        except OperationalError:  # somebody's query is long: rows to come fill the room
            return
