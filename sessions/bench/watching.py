"""Watch the files of the game: a saved one makes the bench render its pages again, or restart its process."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from threading import Thread

from django.core.management import CommandError, call_command
from django.utils.autoreload import file_changed

from companion.games import folder_of
from sessions.bench import complaints
from sessions.bench.setting import setting

#: Seconds between two checks of the files.
PAUSE = 0.3
#: Files that tools generate: a change of them is ignored.
MADE = {".pyc", ".mo", ".half"}
#: Files that are read only to render pages: a change of them needs no restart.
DRAWN = {".html", ".jinja", ".po", ".css", ".js", ".svg", ".png", ".webp"}

Files = dict[Path, int]
#: The number of times that pages had to be rendered again.
redrawn = 0


def begin_watching() -> None:
    """Start to watch in a thread; call this before any file of the game is read."""
    if folder := folder_of(setting().game):
        Thread(target=_watch, args=(folder, files(folder)), daemon=True).start()


def files(folder: Path) -> Files:
    """Return the modification time (ns) of each file of a game, without hidden and generated files."""
    found: Files = {}
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.suffix not in MADE and path.is_file():
            found[path] = path.stat().st_mtime_ns
    return found


def compile_words() -> None:
    try:
        call_command("compile_catalogues", verbosity=0)
    except CommandError as problem:
        complaints.note(complaints.Complaint(str(problem)))


def _watch(folder: Path, known: Files) -> None:
    while True:
        time.sleep(PAUSE)
        try:
            now = files(folder)
        except FileNotFoundError:  # an editor replaces a file: it was deleted between two system calls
            continue
        saved = [path for path, _ in now.items() ^ known.items()]
        if now.keys() != known.keys() or any(path.suffix not in DRAWN for path in saved):
            # The new process has no old code left. The socket stays open: requests wait until it is ready.
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (this program)
        if saved:
            _redraw(saved)
        known = now


def _redraw(saved: list[Path]) -> None:
    """Clear the caches of rendered or loaded files, so that pages show the saved ones."""
    global redrawn
    from sessions.screen import regions, sights  # imports models, so not before Django is set up

    complaints.newest.clear()
    compile_words()
    for path in saved:
        file_changed.send(sender=None, file_path=path)
    for remembered in (regions.region_names, regions.sheets, regions.visible_regions):
        remembered.cache_clear()
    sights.clear_log_cache()
    redrawn += 1
