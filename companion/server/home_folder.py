"""The data folder of a home server: its place, its permissions, and the secret key in it."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

DATABASE_FILE = "takujo.sqlite3"
#: Per platform: the variable that names the folder for application data, and its default in the home folder.
XDG = ("XDG_DATA_HOME", ".local/share")
HOMES = {
    "win32": ("LOCALAPPDATA", "AppData/Local"),
    "darwin": ("XDG_DATA_HOME", "Library/Application Support"),
}
KEY_FILE = "secret-key"
#: The folder of a backup that is being restored. Its secret key is valid as soon as the folder has this name;
#: the server does not start before the restore is complete.
RESTORING = "restoring"


def data_folder() -> Path:
    """Return the data folder of an installed Takujō, by the conventions of the platform."""
    named, below = HOMES.get(sys.platform, XDG)
    return Path(os.environ.get(named) or Path.home() / below) / "takujo"


def keep_private(var_dir: Path, *, database: bool) -> None:
    """Make the folder and the database files readable by their owner only.

    SQLite gives its helper files (such as -wal) the permissions of the database.

    :param database: whether the database is in this folder.
    """
    var_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if database and not (var_dir / DATABASE_FILE).exists():
        (var_dir / DATABASE_FILE).touch(mode=0o600)
    for file in var_dir.glob(f"{DATABASE_FILE}*"):
        _close(file, 0o600)
    # Leave shared folders such as /tmp (with the sticky bit) as they are.
    if not var_dir.stat().st_mode & stat.S_ISVTX:
        _close(var_dir, 0o700)


def _close(path: Path, mode: int) -> None:
    with suppress(OSError):  # it belongs to another user, or was deleted
        path.chmod(mode)


def home_secret_key(var_dir: Path) -> str:
    """Return the secret key in ``var_dir``. It is made on the first run, readable by its owner only."""
    restored, path = var_dir / RESTORING / KEY_FILE, var_dir / KEY_FILE
    if restored.exists():
        return restored.read_text()
    if not path.exists():
        # Write to another name and rename: a full disk must not leave an empty key.
        half = path.with_suffix(".half")
        half.touch(mode=0o600)
        half.write_text(secrets.token_urlsafe(50))
        half.replace(path)
    return path.read_text()
