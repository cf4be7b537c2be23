"""The folder of scheduled backups: list them, make one, and delete those that retention no longer keeps."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from companion.backups import whole

#: Default retention: the numbers of days and of weeks for which one backup each is kept.
DAYS, WEEKS = 7, 4
#: Age at which the newest backup is a warning: last night's is younger, even when tonight's is late.
TOO_OLD = timedelta(days=2)
NAME = "takujo-%Y%m%dT%H%M%SZ"
OURS = re.compile(r"(takujo-\d{8}T\d{6}Z)\.backup(\.age)?")


class BackupFile(NamedTuple):
    """A backup in the folder. Its name contains its time, so copying the file does not make it younger."""

    made_at: datetime
    file: Path


def backups() -> list[BackupFile]:
    """Return the backups of the folder, the newest first."""
    files = settings.BACKUP_DIR.glob("takujo-*") if settings.BACKUP_DIR.is_dir() else ()
    named = [(OURS.fullmatch(file.name), file) for file in files]
    return sorted((BackupFile(_when(name[1]), file) for name, file in named if name), reverse=True)


def newest_backup() -> BackupFile | None:
    """Return the newest backup of the folder, if there is one."""
    return next(iter(backups()), None)


def is_old(kept: BackupFile | None) -> bool:
    """True if there is no backup, or if the newest one is so old that the host should find out why."""
    return kept is None or timezone.now() - kept.made_at > TOO_OLD


def _when(name: str) -> datetime:
    return datetime.strptime(name, NAME).replace(tzinfo=UTC)


def make_backup(*, days: int, weeks: int) -> Path:
    """Make a backup in the folder, delete the surplus ones, and return the new file.

    :param days: the number of latest days with a backup that keep their newest one.
    :param weeks: the number of latest weeks with a backup that keep their newest one.
    :raises Unusable: the database cannot be copied.
    :raises OSError: the folder is not writable.
    """
    settings.BACKUP_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = timezone.now().astimezone(UTC).strftime(NAME)
    ending = ".backup.age" if settings.BACKUP_PASSPHRASE else ".backup"
    file: Path = settings.BACKUP_DIR / f"{name}{ending}"
    whole.back_up(file, settings.BACKUP_PASSPHRASE)
    for old in superfluous(backups(), days=days, weeks=weeks):
        old.file.unlink(missing_ok=True)
    return file


def superfluous(found: list[BackupFile], *, days: int, weeks: int) -> list[BackupFile]:
    """Return the backups to delete, of a list sorted from the newest. The newest is always kept."""
    by_day = dict[date, BackupFile]()
    by_week = dict[tuple[int, int], BackupFile]()
    for kept in found:
        year, week, _ = kept.made_at.isocalendar()
        by_day.setdefault(kept.made_at.date(), kept)
        by_week.setdefault((year, week), kept)
    stay = {*found[:1], *list(by_day.values())[:days], *list(by_week.values())[:weeks]}
    return [kept for kept in found if kept not in stay]
