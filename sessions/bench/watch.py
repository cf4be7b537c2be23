"""The config of a bench, and the watch over its game: saved files and errors.

The config is passed through the environment, because Django's settings need it. A saved file of the game
makes the bench render its pages again, or restart its process. The bench shows the errors of the game since
its author last saved it. Models are not imported here, because this is loaded before Django is set up.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
import time
from collections import deque
from functools import cache
from pathlib import Path
from threading import Thread
from traceback import StackSummary, TracebackException
from typing import NamedTuple

import msgspec
from django.core.management import CommandError, call_command
from django.utils.autoreload import file_changed

from companion.games import folder_of

VARIABLE = "TAKUJO_BENCH"
#: The page's host. Each frame has a host below it, so that it has its own cookies and is a device of its own.
#: Browsers resolve names below localhost to this machine only.
HOST = "bench.localhost"
#: The number of complaints kept, and of the last traceback frames shown for an error outside the game.
KEPT, FRAMES = 8, 5
#: Seconds between two checks of the files.
PAUSE = 0.3
#: Files that tools generate: a change of them is ignored.
MADE = {".pyc", ".mo", ".half"}
#: Files that are read only to render pages: a change of them needs no restart.
DRAWN = {".html", ".jinja", ".po", ".css", ".js", ".svg", ".png", ".webp"}
Files = dict[Path, int]
#: The number of times that pages had to be rendered again.
redrawn = 0


class BenchConfig(msgspec.Struct, frozen=True):
    """A game, its number of players, and the secret of its first table."""

    game: str
    players: int
    secret: str


@cache
def setting() -> BenchConfig:
    return msgspec.json.decode(os.environ[VARIABLE], type=BenchConfig)


def new_secret() -> str:
    """Return a new random secret, short enough to be typed again."""
    return secrets.token_hex(4)


class Complaint(NamedTuple):
    """A message of one line, and where the error is: a traceback, or "" if there is none."""

    what: str
    where: str = ""


newest: deque[Complaint] = deque(maxlen=KEPT)


class Complaints(logging.Handler):
    """Keep logged errors and the messages of level INFO, each once."""

    def emit(self, record: logging.LogRecord) -> None:
        problem = record.exc_info[1] if record.exc_info else None
        # A request that Django refuses for security, and the response to it, are no fault of the game.
        if problem and not record.name.startswith("django.security"):
            note(complaint_about(problem, record.getMessage()))
        elif record.levelno == logging.INFO:
            note(Complaint(record.getMessage()))


def note(complaint: Complaint) -> None:
    if complaint not in newest:
        newest.append(complaint)


def complaint_about(problem: BaseException, doing: str = "") -> Complaint:
    """Return the complaint about the root cause of an exception.

    :param doing: the action that failed, if it is known.
    """
    while problem.__cause__:
        problem = problem.__cause__
    told = TracebackException.from_exception(problem)
    *place, what = told.format_exception_only()
    frames = [frame for frame in told.stack if not frame.filename.startswith("<frozen")]
    games = (str(folder_of(setting().game)), "<tables/")
    first = next((at for at, frame in enumerate(frames) if frame.filename.startswith(games)), -FRAMES)
    where = [*StackSummary.from_list(frames[first:]).format(), *place]
    return Complaint(": ".join(filter(None, [doing, what.strip()])), "".join(where).rstrip())


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
        note(Complaint(str(problem)))


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
    # They import models, so not before Django is set up.
    from sessions.live import regions, screen_view

    newest.clear()
    compile_words()
    for path in saved:
        file_changed.send(sender=None, file_path=path)
    for remembered in (regions.region_names, regions.sheets, regions.visible_regions):
        remembered.cache_clear()
    screen_view.clear_rendered_tables()
    redrawn += 1
