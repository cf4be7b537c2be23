"""What went wrong in the game since it was saved last, for its author to read."""

from __future__ import annotations

import logging
from collections import deque
from traceback import StackSummary, TracebackException
from typing import NamedTuple

from companion.games import folder_of
from sessions.bench.setting import setting

#: So many are kept, and of each the last frames of its traceback.
KEPT, FRAMES = 8, 5


class Complaint(NamedTuple):
    """One line that says what is wrong, and where; the place is empty if nobody knows."""

    what: str
    where: str = ""


newest: deque[Complaint] = deque(maxlen=KEPT)


class Complaints(logging.Handler):
    """Keeps what the log says of errors, each once."""

    def emit(self, record: logging.LogRecord) -> None:
        problem = record.exc_info[1] if record.exc_info else None
        # Neither a request that was refused nor the answer to it is a fault of the game.
        if problem and not record.name.startswith("django.security"):
            note(of(problem, record.getMessage()))
        elif record.levelno == logging.INFO:
            note(Complaint(record.getMessage()))


def note(complaint: Complaint) -> None:
    if complaint not in newest:
        newest.append(complaint)


def of(problem: BaseException, doing: str = "") -> Complaint:
    """Return what to tell of the first of the problems that led to this one.

    :param doing: what was being done, if that is known.
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
