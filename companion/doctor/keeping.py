"""The doctor's look at what is kept: the disk, the database and its schema, the last backup."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import gettext as _

from companion.doctor.findings import Finding, Mark
from companion.server import storage

#: With less room than this, a copy of the database besides, an evening or a backup may fill the disk.
LITTLE = 200 * 1024 * 1024
#: From then on a backup is old.
OLD = timedelta(days=7)


def disk() -> Iterator[Finding]:
    """Write to the disk of the data folder, and see how much room there is."""
    folder = settings.VAR_DIR
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(storage.NO_ROOM))
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        yield Finding(Mark.BAD, storage.sentence(problem, folder) or str(problem))
        return
    free = shutil.disk_usage(folder).free
    words = {"folder": folder, "free": filesizeformat(free)}
    if free < LITTLE + _size_of_database():
        yield Finding(
            Mark.LOOK,
            _("The disk that holds %(folder)s has little room left: %(free)s.") % words,
            _("Make room before the evening; a backup needs as much again as the database."),
        )
    else:
        yield Finding(
            Mark.GOOD, _("The data are in %(folder)s, and there is room: %(free)s are free.") % words
        )


def database() -> Iterator[Finding]:
    """Read the whole database if it is SQLite's, knock at it if it is PostgreSQL, and look at its schema."""
    try:
        storage.check_database()
        connection.ensure_connection()
        yield Finding(Mark.GOOD, _("The database answers and is whole."))
        yield _schema()
    except DatabaseError as problem:
        yield Finding(Mark.BAD, storage.sentence(problem, settings.VAR_DIR) or str(problem))


def _schema() -> Finding:
    executor = MigrationExecutor(connection)
    applied = executor.loader.applied_migrations
    # At home play brings the database up to date by itself.
    outdated = Mark.LOOK if connection.vendor == "sqlite" else Mark.BAD
    if any(name not in executor.loader.disk_migrations for name in applied):
        return Finding(
            Mark.BAD,
            _("The database was used with a newer version of Takujō than this one."),
            _("Update Takujō first."),
        )
    if not applied:
        return Finding(
            outdated,
            _("The database is new and empty."),
            _("“takujo play” prepares it, or “takujo migrate” where it is hosted."),
        )
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return Finding(
            outdated,
            _("The database is of an older version of Takujō than this one."),
            _("Make a backup; then “takujo play” brings it up to date, or “takujo migrate” where hosted."),
        )
    return Finding(Mark.GOOD, _("The database is of this version of Takujō."))


def backup() -> Iterator[Finding]:
    """Look for the newest backup in the data folder and in the folder of the terminal."""
    folders = [settings.VAR_DIR, *filter(Path.is_dir, settings.VAR_DIR.iterdir()), Path.cwd()]
    times = [
        file.stat().st_mtime for folder in folders for file in folder.glob("*.backup*") if file.is_file()
    ]
    remedy = _("Write one with “takujo backup FILE”, and keep it on another disk.")
    if not times:
        yield Finding(Mark.LOOK, _("There is no backup in the data folder, nor in this one."), remedy)
        return
    made = datetime.fromtimestamp(max(times), tz=get_current_timezone())
    said = _("The newest backup is of %(day)s.") % {"day": date_format(made, "DATE_FORMAT")}
    if localtime() - made > OLD:
        yield Finding(Mark.LOOK, said, remedy)
    else:
        yield Finding(Mark.GOOD, said)


def _size_of_database() -> int:
    return sum(file.stat().st_size for file in settings.VAR_DIR.glob("*.sqlite3*"))
