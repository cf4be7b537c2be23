"""Backups in the data folder, made before an update or a rollback changes the database."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils import timezone

from companion.backups import whole

#: Copies kept per kind.
KEPT = 3
BEFORE_UPDATE, BEFORE_ROLLBACK = "before-update", "before-rollback"


def folder() -> Path:
    """Return the folder of the copies, which only its owner can read. Create it if needed."""
    made = Path(settings.VAR_DIR) / "copies"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


def make(kind: str) -> Path:
    """Write a copy of all data, delete the oldest surplus copies of its kind, and return its file.

    :raises Unusable: the database cannot be copied.
    :raises OSError, sqlite3.Error: there is no room on the disk.
    """
    copy = folder() / f"{kind}-{timezone.localtime():%Y%m%d-%H%M%S}.backup"
    whole.back_up(copy, of=_used().read_text() if _used().exists() else "")
    for old in _found(kind)[:-KEPT]:
        old.unlink()
    return copy


def newest() -> Path | None:
    """Return the newest copy that was made before an update."""
    return next(reversed(_found(BEFORE_UPDATE)), None)


def note(version: str) -> None:
    """Record the version that uses the database from now on; "" if unknown."""
    _used().write_text(version)


def _used() -> Path:
    return Path(settings.VAR_DIR) / "version"


def _found(kind: str) -> list[Path]:
    return sorted(folder().glob(f"{kind}-*.backup"))
