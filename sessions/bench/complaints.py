"""The errors of the game since its author last saved it, for the bench to show."""

from __future__ import annotations

import logging
from collections import deque
from traceback import StackSummary, TracebackException
from typing import NamedTuple

from companion.games import folder_of
from sessions.bench.setting import setting

#: The number of complaints kept, and of the last traceback frames shown for an error outside the game.
KEPT, FRAMES = 8, 5


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
