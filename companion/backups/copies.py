"""Copies of before an update, in the data folder: made when an update is about to change the database."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils import timezone

from companion.backups import whole

#: Of each kind so many stay.
KEPT = 3
BEFORE_UPDATE, BEFORE_ROLLBACK = "before-update", "before-rollback"


def folder() -> Path:
    """Return where the copies lie, readable by their owner alone."""
    made = Path(settings.VAR_DIR) / "copies"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


def make(kind: str) -> Path:
    """Write a copy of everything, drop those that are too old, and return its file.

    :raises Unusable: the database cannot be copied.
    :raises OSError, sqlite3.Error: there is no room.
    """
    copy = folder() / f"{kind}-{timezone.localtime():%Y%m%d-%H%M%S}.backup"
    whole.back_up(copy, of=_used().read_text() if _used().exists() else "")
    for old in _found(kind)[:-KEPT]:
        old.unlink()
    return copy


def newest() -> Path | None:
    """Return the newest copy of before an update."""
    return next(reversed(_found(BEFORE_UPDATE)), None)


def note(version: str) -> None:
    """Note which version uses the database from now on; "" if that is not known."""
    _used().write_text(version)


def _used() -> Path:
    return Path(settings.VAR_DIR) / "version"


def _found(kind: str) -> list[Path]:
    return sorted(folder().glob(f"{kind}-*.backup"))
