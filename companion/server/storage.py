"""The database and its disk: explain full disks, damage and outages, and check the schema.

The schema that this version needs is compared with that of the database by their migrations.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Literal

from django.core.management.base import ALL_CHECKS, BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import translation
from django.utils.translation import gettext as _

from companion.server import environment

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
CLOSED = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
#: SQLSTATE of a PostgreSQL without room on its disk.
POSTGRESQL_FULL = "53100"
UNUSABLE = CLOSED | {sqlite3.SQLITE_BUSY}
#: Free bytes below which a write error is attributed to the full disk.
NO_ROOM = 64 * 1024
OURS = ("companion", "characters", "play")
Difference = Literal["older", "newer"]


class Damaged(DatabaseError):
    """SQLite's check found damage in the database."""


def check_database() -> None:
    """Read all of an SQLite database and take its write lock; raise DatabaseError before the session."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = cursor.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise Damaged(" ".join(found.split()))
        with transaction.atomic():
            pass  # it takes the write lock: see transaction_mode in the settings


def check_disk(folder: Path, *, to_the_end: bool = False) -> None:
    """Write a small file, the only reliable test of disk, quota and mount; raise OSError if it fails."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(NO_ROOM))
        file.flush()
        if to_the_end:
            os.fsync(file.fileno())


def explain_problem(problem: OSError | DatabaseError | sqlite3.Error, folder: Path) -> str | None:
    """Return a message for the host; None if neither the data folder nor PostgreSQL is the cause."""
    words = {"folder": folder, "reason": problem}
    if is_full(problem, folder):
        said = _(
            "The disk that holds %(folder)s is full. Make room, then start Takujō again: "
            "what was written is kept."
        )
        return said % words
    if is_damage(problem):
        said = _(
            "The database in %(folder)s is damaged (%(reason)s). Put a backup in its place, or set "
            "TAKUJO_VAR to another folder to begin anew."
        )
        return said % words
    if isinstance(problem, OperationalError | InterfaceError) and connection.vendor == "postgresql":
        return _unreachable_message(problem)
    if _is_about_folder(problem, folder) or _code(problem) in UNUSABLE:
        return _("Takujō cannot use its data in %(folder)s: %(reason)s") % words
    return None


def _unreachable_message(problem: DatabaseError) -> str:
    said = str(problem).partition("\n")[0].strip()
    place = f"{connection.settings_dict['HOST'] or 'localhost'}:{connection.settings_dict['PORT'] or 5432}"
    return _(
        "PostgreSQL at %(place)s cannot be used (%(reason)s). Does it run, is there room on its disk, and "
        "is DATABASE_URL right?"
    ) % {"place": place, "reason": said}


def _is_about_folder(problem: OSError | DatabaseError | sqlite3.Error, folder: Path) -> bool:
    """True if an error is about the folder or its disk, not about a connection or a file elsewhere."""
    if not isinstance(problem, OSError) or isinstance(problem, ConnectionError):
        return False
    return problem.filename is None or Path(str(problem.filename)).absolute().is_relative_to(folder)


def is_damage(problem: BaseException) -> bool:
    return isinstance(problem, Damaged) or _code(problem) in DAMAGED


def is_full(problem: BaseException, folder: Path) -> bool:
    if isinstance(problem, OSError):
        return problem.errno in FULL
    code = _code(problem)
    return code == sqlite3.SQLITE_FULL or (code in UNUSABLE and _has_no_room(folder))


def failure_of(problem: BaseException, folder: Path) -> tuple[str, str]:
    """Return the service that failed a request, and the cause, as the labels of the metric of errors."""
    if is_full(problem, folder):
        return "disk", "full"
    if getattr(problem.__cause__ or problem, "sqlstate", None) == POSTGRESQL_FULL:
        return "database", "full"
    code = _code(problem)
    return ("disk", "closed") if code in CLOSED else ("database", "locked" if code in LOCKED else "failed")


def _has_no_room(folder: Path) -> bool:
    if shutil.disk_usage(folder).free < NO_ROOM:
        return True
    if not hasattr(os, "statvfs"):
        return False
    disk = os.statvfs(folder)
    return bool(disk.f_files) and not disk.f_favail


def _code(problem: BaseException) -> int:
    """Return SQLite's primary error code of an error; 0 if it has none."""
    return int(getattr(problem.__cause__ or problem, "sqlite_errorcode", 0)) & 0xFF


@cache
def known_migrations() -> frozenset[str]:
    """Return "app.name" of every migration of this version."""
    return frozenset(map(".".join, MigrationLoader(None).disk_migrations))


def latest_migrations() -> list[str]:
    """Return the last migration of each of our apps, sorted. They identify a version with any Django."""
    leaves = MigrationLoader(None).graph.leaf_nodes()
    return sorted(f"{app}.{name}" for app, name in leaves if app in OURS)


def is_newer(migrations: Collection[str]) -> bool:
    return not known_migrations().issuperset(migrations)


def schema_difference() -> Difference | None:
    """Return whether the database is older (or empty) or newer than this version. Raise DatabaseError."""
    applied = set(map(".".join, MigrationRecorder(connection).applied_migrations()))
    if is_newer(applied):
        return "newer"
    return None if applied.issuperset(known_migrations()) else "older"


def demand_schema() -> None:
    """Raise CommandError if the database has another schema, in the terminal's language."""
    if differs := schema_difference():
        with translation.override(environment.terminal_language()):
            raise CommandError(explain_difference(differs))


def is_needed_by(command: BaseCommand) -> bool:
    """True if a command needs a database of this version.

    Our commands do, except those without Django's checks: they check the database themselves, or need none.
    """
    ours = type(command).__module__.startswith(("companion.", "sessions."))
    return command.requires_migrations_checks or (ours and command.requires_system_checks == ALL_CHECKS)


def explain_difference(difference: Difference) -> str:
    if difference == "newer":
        return _("A newer version of Takujō wrote this database. Update Takujō first. Nothing was changed.")
    return _(
        "This database is that of an older version of Takujō, or empty. Run “migrate” first, "
        "after a backup: it brings the database up to date."
    )
