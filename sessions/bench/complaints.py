"""Whatever went wrong in the game since it was saved last, for its author to read."""

from __future__ import annotations

import logging
import traceback
from collections import deque

#: So many are kept, and of a traceback so many lines: the last ones, where the game's own code is.
KEPT, LINES = 8, 16

newest: deque[str] = deque(maxlen=KEPT)


class Complaints(logging.Handler):
    """Keeps what the log says of errors, each once."""

    def emit(self, record: logging.LogRecord) -> None:
        # Neither a request that was refused nor the answer to it is a fault of the game.
        is_told = record.exc_info or record.levelno == logging.INFO
        if is_told and not record.name.startswith("django.security"):
            problem = record.exc_info[1] if record.exc_info else None
            note("\n".join(filter(None, [record.getMessage(), problem and trace(problem)])))


def note(complaint: str) -> None:
    if complaint not in newest:
        newest.append(complaint)


def trace(problem: BaseException) -> str:
    """Return the last lines of the traceback of what was behind a problem."""
    while problem.__cause__:
        problem = problem.__cause__
    lines = "".join(traceback.format_exception(problem)).rstrip().splitlines()
    return "\n".join(lines[-LINES:])
