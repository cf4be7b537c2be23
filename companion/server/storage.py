"""The words for data of a table at home that cannot be used: a full disk, a damaged database."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path

from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
UNUSABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY}
#: With less room than this, whatever went wrong went wrong for want of room.
NO_ROOM = 64 * 1024


class Damaged(DatabaseError):
    """The database holds what SQLite did not write there."""


def check_database() -> None:
    """Read a SQLite database once, so that damage is found before the evening.

    :raises DatabaseError: it is damaged; SQLite itself finds some damage and says so.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = cursor.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise Damaged(" ".join(found.split()))


def sentence(problem: OSError | DatabaseError, folder: Path) -> str | None:
    """Return what to tell the host; None if the data folder is not to blame."""
    code = getattr(problem.__cause__, "sqlite_errorcode", 0) & 0xFF
    words = {"folder": folder, "reason": problem}
    if _is_full(problem, code, folder):
        return (
            _(
                "The disk that holds %(folder)s is full. Make room, then start Takujō again: "
                "what was written is kept."
            )
            % words
        )
    if isinstance(problem, Damaged) or code in DAMAGED:
        return (
            _(
                "The database in %(folder)s is damaged (%(reason)s). Put a backup in its place, or set "
                "TAKUJO_VAR to another folder to begin anew."
            )
            % words
        )
    if isinstance(problem, OSError) or code in UNUSABLE:
        return _("Takujō cannot use its data in %(folder)s: %(reason)s") % words
    return None


def _is_full(problem: OSError | DatabaseError, code: int, folder: Path) -> bool:
    if isinstance(problem, OSError):
        return problem.errno in FULL
    return code == sqlite3.SQLITE_FULL or (code in UNUSABLE and shutil.disk_usage(folder).free < NO_ROOM)
