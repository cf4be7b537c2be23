"""The folder of a table at home: the secret key that it keeps there, and who may read it."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

DATABASE = "takujo.sqlite3"
#: By kind of system: the variable that names the folder of programs' data, and where it is otherwise.
XDG = ("XDG_DATA_HOME", ".local/share")
HOMES = {
    "win32": ("LOCALAPPDATA", "AppData/Local"),
    "darwin": ("XDG_DATA_HOME", "Library/Application Support"),
}
KEY = "secret-key"
#: The folder of a backup that is being put back. Its key counts from the moment that it has this name: until
#: all else is in its place nothing is served.
RESTORING = "restoring"


def data_folder() -> Path:
    """Return where an installed Takujō keeps its data: where this kind of system wants them."""
    named, below = HOMES.get(sys.platform, XDG)
    return Path(os.environ.get(named) or Path.home() / below) / "takujo"


def keep_private(var_dir: Path, *, database: bool) -> None:
    """Let nobody else on this machine read the folder and the database, whose helper files are like it.

    :param database: whether it is in this folder.
    """
    var_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if database and not (var_dir / DATABASE).exists():
        (var_dir / DATABASE).touch(mode=0o600)
    for file in var_dir.glob(f"{DATABASE}*"):
        _close(file, 0o600)
    # A folder that everybody shares, such as /tmp, is not ours to close.
    if not var_dir.stat().st_mode & stat.S_ISVTX:
        _close(var_dir, 0o700)


def _close(path: Path, mode: int) -> None:
    with suppress(OSError):  # somebody else's, or gone by now
        path.chmod(mode)


def home_secret_key(var_dir: Path) -> str:
    """Return the secret key kept in ``var_dir``, made on the first run and readable by its owner alone."""
    restored, path = var_dir / RESTORING / KEY, var_dir / KEY
    if restored.exists():
        return restored.read_text()
    if not path.exists():
        # Under its name only when it is whole: a full disk must leave no empty key behind.
        half = path.with_suffix(".half")
        half.touch(mode=0o600)
        half.write_text(secrets.token_urlsafe(50))
        half.replace(path)
    return path.read_text()
