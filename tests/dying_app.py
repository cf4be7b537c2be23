"""The product, in a process that dies as soon as a move is committed, before anybody is told."""

import os
import signal

from companion.asgi import application
from sessions.table import commit

__all__ = ["application"]


def _die(table_pk: int, version: int, seating: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


commit.listeners.insert(0, _die)
