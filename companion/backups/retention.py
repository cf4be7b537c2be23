"""The backups that a server keeps: their folder, their retention, and the copies before an update.

A server with SQLite makes its daily backups itself, without a timer. The copies before an update or a
rollback are in the data folder.
"""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.backups import backup
from companion.files import Unusable
from companion.server.supervisor import this_program

#: Default retention: the numbers of days and of weeks for which one backup each is kept.
DAYS, WEEKS = 7, 4
#: Age at which the newest backup is a warning: last night's is younger, even when tonight's is late.
TOO_OLD = timedelta(days=2)
NAME = "takujo-%Y%m%dT%H%M%SZ"
OURS = re.compile(r"(takujo-\d{8}T\d{6}Z)\.backup(\.age)?")
#: Seconds between two checks, and the age of the newest backup at which the next one is made.
EVERY = 600
DUE = timedelta(days=1)
#: Copies kept per kind.
COPIES_KEPT = 3
BEFORE_UPDATE, BEFORE_ROLLBACK = "before-update", "before-rollback"
logger = logging.getLogger(__name__)


class BackupFile(NamedTuple):
    made_at: datetime
    file: Path


def backups() -> list[BackupFile]:
    files = settings.BACKUP_DIR.glob("takujo-*") if settings.BACKUP_DIR.is_dir() else ()
    found = [
        BackupFile(datetime.strptime(name[1], NAME).replace(tzinfo=UTC), file)
        for file in files
        if (name := OURS.fullmatch(file.name))
    ]
    return sorted(found, reverse=True)


def newest_backup() -> BackupFile | None:
    return next(iter(backups()), None)


def is_old(kept: BackupFile | None) -> bool:
    """True if the host should find out why there is no newer backup."""
    return kept is None or timezone.now() - kept.made_at > TOO_OLD


def make_backup(*, days: int, weeks: int) -> Path:
    """Make a backup in the folder, delete the surplus ones; return the new file, or raise ``Unusable``."""
    settings.BACKUP_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = timezone.now().astimezone(UTC).strftime(NAME)
    ending = ".backup.age" if settings.BACKUP_PASSPHRASE else ".backup"
    file: Path = settings.BACKUP_DIR / f"{name}{ending}"
    backup.back_up(file, settings.BACKUP_PASSPHRASE)
    for old in surplus_backups(backups(), days=days, weeks=weeks):
        old.file.unlink(missing_ok=True)
    if settings.BACKUP_TO:
        _take_elsewhere(file)
    return file


def _take_elsewhere(file: Path) -> None:
    """Run ``BACKUP_TO`` for a backup, or raise ``Unusable``."""
    command = [word.replace("{}", str(file)) for word in settings.BACKUP_TO]
    try:
        done = subprocess.run(  # noqa: S603  # the host's own command, no shell
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except OSError as problem:
        failed = problem.strerror
    else:
        if not done.returncode:
            return
        failed = done.stderr.strip().rpartition("\n")[2] or str(done.returncode)
    said = _("The backup is in %(file)s, but BACKUP_TO did not take it to its place: %(reason)s")
    raise Unusable(said % {"file": file, "reason": failed})


def surplus_backups(found: list[BackupFile], *, days: int, weeks: int) -> list[BackupFile]:
    """Return all but the newest backup and the newest ones of the latest days and weeks that have any."""
    by_day = dict[date, BackupFile]()
    by_week = dict[tuple[int, int], BackupFile]()
    for kept in found:
        year, week, _ = kept.made_at.isocalendar()
        by_day.setdefault(kept.made_at.date(), kept)
        by_week.setdefault((year, week), kept)
    stay = {*found[:1], *list(by_day.values())[:days], *list(by_week.values())[:weeks]}
    return [kept for kept in found if kept not in stay]


def copies_folder() -> Path:
    made = Path(settings.VAR_DIR) / "copies"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


def make_copy(kind: str) -> Path:
    """Write a copy of all data and delete the oldest surplus ones of its kind. Raise as ``make_backup``."""
    copy = copies_folder() / f"{kind}-{timezone.localtime():%Y%m%d-%H%M%S}.backup"
    backup.back_up(copy, of=_version_file().read_text() if _version_file().exists() else "")
    for old in _list_copies(kind)[:-COPIES_KEPT]:
        old.unlink()
    return copy


def newest_copy() -> Path | None:
    return next(reversed(_list_copies(BEFORE_UPDATE)), None)


def note_version(version: str) -> None:
    """Record the version that uses the database from now on; "" if unknown."""
    _version_file().write_text(version)


def _version_file() -> Path:
    return Path(settings.VAR_DIR) / "version"


def _list_copies(kind: str) -> list[Path]:
    return sorted(copies_folder().glob(f"{kind}-*.backup"))


def makes_backups() -> bool:
    """True if this server makes its own backups. With PostgreSQL, each of its processes would make them."""
    return connection.vendor == "sqlite"


def due_commands() -> list[str]:
    newest = newest_backup()
    if not makes_backups() or (newest and timezone.now() - newest.made_at < DUE):
        return []
    return ["backup", "clearsessions", *(["thin_nights"] if settings.KEEP_NIGHTS_DAYS else [])]


async def run_due_commands() -> None:
    """Run the commands that are due, each in its own process: it blocks no request and frees its memory."""
    for command in due_commands():
        done = await asyncio.to_thread(
            subprocess.run,
            [*this_program(), command],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            logger.warning("%s: %s", command, done.stderr.strip())
            return
