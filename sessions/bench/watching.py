"""A saved file of the game is there at once: pages are drawn anew, or the process itself begins anew."""

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

#: Seconds between two looks.
PAUSE = 0.3
#: What tools write by themselves.
MADE = {".pyc", ".mo", ".half"}
#: What is looked at only when a page is drawn.
DRAWN = {".html", ".jinja", ".po", ".css", ".js", ".svg", ".png", ".webp"}

Files = dict[Path, int]
#: The number of times that pages were drawn anew.
redrawn = 0


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
        except FileNotFoundError:  # gone between two looks: an editor that puts another in its place
            continue
        saved = [path for path, _ in now.items() ^ known.items()]
        if now.keys() != known.keys() or any(path.suffix not in DRAWN for path in saved):
            # Nothing of the old code is left over. The socket stays open: whoever asks meanwhile waits.
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (this program)
        if saved:
            _redraw(saved)
        known = now


def _redraw(saved: list[Path]) -> None:
    """Forget all that was drawn or read from files, so that pages show the present ones."""
    global redrawn
    from sessions.screen import regions, sights  # which know models: Django is set up by now

    complaints.newest.clear()
    compile_words()
    for path in saved:
        file_changed.send(sender=None, file_path=path)
    for remembered in (regions.placed, regions.sheets, regions.shown):
        remembered.cache_clear()
    sights.forget()
    redrawn += 1
