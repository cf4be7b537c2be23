"""The doctor's checks of stored data: the disk, the database and its schema, the last backup."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from companion.backups import kept
from companion.doctor.findings import Finding, Severity
from companion.server import schema, storage

#: With less free space than this plus the size of the database, a session or a backup may fill the disk.
LITTLE = 200 * 1024 * 1024


def disk() -> Iterator[Finding]:
    """Check that the disk of the data folder can be written, and how much space is free."""
    folder = settings.VAR_DIR
    try:
        storage.check_disk(folder, to_the_end=True)
    except OSError as problem:
        yield Finding(Severity.BAD, storage.explain_problem(problem, folder) or str(problem))
        return
    free = shutil.disk_usage(folder).free
    words = {"folder": folder, "free": filesizeformat(free)}
    if free < LITTLE + _size_of_database():
        yield Finding(
            Severity.LOOK,
            _("The disk that holds %(folder)s has little room left: %(free)s.") % words,
            _("Make room before the evening; a backup needs as much again as the database."),
        )
    else:
        yield Finding(
            Severity.GOOD, _("The data are in %(folder)s, and there is room: %(free)s are free.") % words
        )


def database() -> Iterator[Finding]:
    """Check the database and its schema: read all of an SQLite file, or connect to PostgreSQL."""
    try:
        storage.check_database()
        connection.ensure_connection()
        yield Finding(Severity.GOOD, _("The database answers and is whole."))
        yield _schema()
    except DatabaseError as problem:
        yield Finding(Severity.BAD, storage.explain_problem(problem, settings.VAR_DIR) or str(problem))


def _schema() -> Finding:
    differs = schema.schema_difference()
    if differs == "newer":
        return Finding(
            Severity.BAD,
            _("The database was used with a newer version of Takujō than this one."),
            _("Update Takujō first."),
        )
    if differs == "older":
        return Finding(
            # At home "takujo play" migrates the database by itself.
            Severity.LOOK if connection.vendor == "sqlite" else Severity.BAD,
            _("The database is of an older version of Takujō than this one, or empty."),
            _("Make a backup; then “takujo play” brings it up to date, or “takujo prepare” where hosted."),
        )
    return Finding(Severity.GOOD, _("The database is of this version of Takujō."))


def backup() -> Iterator[Finding]:
    """Check the age of the newest backup in ``BACKUP_DIR``."""
    newest = kept.newest_backup()
    remedy = _("“takujo backup” makes one; keep a copy on another disk.")
    if newest is None:
        none = _("There is no backup in %(folder)s.") % {"folder": settings.BACKUP_DIR}
        yield Finding(Severity.LOOK, none, remedy)
        return
    day = date_format(localtime(newest.made_at), "DATE_FORMAT")
    said = _("The newest backup is of %(day)s.") % {"day": day}
    yield Finding(Severity.LOOK, said, remedy) if kept.is_old(newest) else Finding(Severity.GOOD, said)


def _size_of_database() -> int:
    return sum(file.stat().st_size for file in settings.VAR_DIR.glob("*.sqlite3*"))
