"""Backups in the data folder, made before an update or a rollback changes the database."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils import timezone

from companion.backups import whole

#: Copies kept per kind.
COPIES_KEPT = 3
BEFORE_UPDATE, BEFORE_ROLLBACK = "before-update", "before-rollback"


def copies_folder() -> Path:
    """Return the folder of the copies, which only its owner can read. Create it if needed."""
    made = Path(settings.VAR_DIR) / "copies"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


def make_copy(kind: str) -> Path:
    """Write a copy of all data, delete the oldest surplus copies of its kind, and return its file.

    :raises Unusable: the database cannot be copied.
    :raises OSError, sqlite3.Error: there is no room on the disk.
    """
    copy = copies_folder() / f"{kind}-{timezone.localtime():%Y%m%d-%H%M%S}.backup"
    whole.back_up(copy, of=_version_file().read_text() if _version_file().exists() else "")
    for old in _list_copies(kind)[:-COPIES_KEPT]:
        old.unlink()
    return copy


def newest_copy() -> Path | None:
    """Return the newest copy that was made before an update."""
    return next(reversed(_list_copies(BEFORE_UPDATE)), None)


def note_version(version: str) -> None:
    """Record the version that uses the database from now on; "" if unknown."""
    _version_file().write_text(version)


def _version_file() -> Path:
    return Path(settings.VAR_DIR) / "version"


def _list_copies(kind: str) -> list[Path]:
    return sorted(copies_folder().glob(f"{kind}-*.backup"))
