"""A saved file of the game is there at once: this process begins anew, in the same place."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from threading import Thread

from companion.games import folder_of
from sessions.bench.setting import setting

#: Seconds between two looks.
PAUSE = 0.3
#: What tools write by themselves.
MADE = {".pyc", ".mo", ".half"}

Files = dict[Path, int]


def begin() -> None:
    """Watch from now on; call it before anything of the game is read."""
    if folder := folder_of(setting().game):
        Thread(target=_watch, args=(folder, files(folder)), daemon=True).start()


def files(folder: Path) -> Files:
    """Return when each file of a game was saved, without those that nobody writes."""
    found: Files = {}
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.suffix not in MADE and path.is_file():
            found[path] = path.stat().st_mtime_ns
    return found


def _watch(folder: Path, known: Files) -> None:
    while True:
        time.sleep(PAUSE)
        try:
            now = files(folder)
        except FileNotFoundError:  # gone between two looks: an editor that puts another in its place
            continue
        if now != known:
            # Nothing of the old code can be left over. The socket stays open, and whoever asks meanwhile waits.
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (the same program again)
