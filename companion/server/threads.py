"""The threads that work for the event loop: each of them answers, and one that does not come back is noticed.

Once a second the event loop looks at the stack of each thread. That costs a move nothing, and the log tells
where the thread hangs.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import Context, copy_context
from dataclasses import dataclass
from types import FrameType
from typing import Any

from asgiref.sync import SyncToAsync
from channels.db import DatabaseSyncToAsync

logger = logging.getLogger(__name__)

#: Seconds between two looks. All limits are counted in looks: a clock may go on while a laptop sleeps.
EVERY = 1.0
#: Looks until work is in the log, until it hangs, and then until a game that is broken off must have ended.
SLOW, HUNG, DEAF = 2, 10, 3
#: Modules that wait for a service. They give up by themselves.
SERVICES = ("django.db.", "companion.postgresql", "psycopg", "redis", "channels_redis")

_thread_handler = SyncToAsync.thread_handler


@dataclass(eq=False)
class Work:
    """What one thread does for the event loop."""

    name: str
    #: True in the thread in which all sockets and chores play, draw and ask; pages have threads of their own.
    is_shared: bool
    #: Knows the request and the table, for the log.
    context: Context | None = None
    is_told: bool = False


#: By the thread's id.
RUNNING: dict[int, Work] = {}


def take_over() -> None:
    """Watch all threads of Django and channels, which work in this one method of asgiref.

    What a view, a template, a middleware or a socket's work must not raise becomes a RuntimeError: an event
    loop cannot take a StopIteration from a thread, so that until Python 3.11.8 its caller waits for ever. A
    SystemExit ends the server.
    """
    SyncToAsync.thread_handler = _handle  # type: ignore[method-assign]


def _handle(self: SyncToAsync[Any, Any], *arguments: Any) -> Any:
    *others, child = arguments
    is_shared = isinstance(self, DatabaseSyncToAsync) and self._thread_sensitive
    work = Work(getattr(self, "__qualname__", "a chore"), is_shared)

    def begin() -> Any:
        work.context = copy_context()
        return child()

    thread = threading.get_ident()
    around, RUNNING[thread] = RUNNING.get(thread), work
    try:
        return _thread_handler(self, *others, begin)  # type: ignore[no-untyped-call]
    except asyncio.CancelledError:
        raise
    except BaseException as problem:
        if isinstance(problem, Exception) and not isinstance(problem, StopIteration):
            raise
        raise RuntimeError(f"{type(problem).__name__} got out") from problem
    finally:
        if around:
            RUNNING[thread] = around
        else:
            del RUNNING[thread]


@dataclass
class Doing:
    """What a thread did when it was looked at last, and for how many looks it has."""

    what: object
    waits: bool
    is_game: bool
    is_shared: bool
    looks: int = 1

    @property
    def is_slow(self) -> bool:
        return self.looks > SLOW

    @property
    def is_hung(self) -> bool:
        return not self.waits and self.looks > HUNG + self.is_game * DEAF


class Watch:
    """Looks at the threads of one process."""

    def __init__(self) -> None:
        self._doing: dict[int, Doing] = {}

    async def look(self, game_call: Callable[[FrameType], str], broken_off: type[BaseException]) -> None:
        """Look at what each thread does, and break off a game that hangs.

        :param game_call: names the call of a game that a frame of a stack is, if it is one.
        :param broken_off: is raised in it.
        """
        before, self._doing = self._doing, {}
        stacks = sys._current_frames()
        for thread, work in list(RUNNING.items()):
            frames = list(_frames(stacks.get(thread)))
            game = next((frame for frame in reversed(frames) if game_call(frame)), None)
            if not (game or work.is_shared):
                continue  # Pages may take long.
            waits = any(frame.f_globals.get("__name__", "").startswith(SERVICES) for frame in frames)
            now = self._doing[thread] = Doing(game or work, waits, game is not None, work.is_shared)
            then = before.get(thread)
            if then and then.what is now.what and then.waits == waits:
                now.looks = then.looks + 1
            if now.is_slow and not work.is_told and work.context:
                work.is_told = True
                work.context.run(_tell, game_call(game) if game else work.name, frames, waits=waits)
            if game and not waits and now.looks == HUNG:
                _raise_in(thread, broken_off)

    @property
    def state(self) -> str:
        """The word for the shared thread: ok, waiting (for a service) or stuck."""
        slow = [doing for doing in self._doing.values() if doing.is_shared and doing.is_slow]
        return "ok" if not slow else "waiting" if all(doing.waits for doing in slow) else "stuck"

    @property
    def is_hung(self) -> bool:
        """True if the shared thread will not come back."""
        return any(doing.is_shared and doing.is_hung for doing in self._doing.values())


#: That of this process.
WATCH = Watch()


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of a stack, the innermost first."""
    while frame:
        yield frame
        frame = frame.f_back


def _raise_in(thread: int, problem: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(problem))


def _tell(what: str, frames: list[FrameType], *, waits: bool) -> None:
    where = ", ".join(f"{frame.f_globals.get('__name__')}:{frame.f_lineno}" for frame in frames[:2])
    why = ", which waits for a service," if waits else ""
    logger.warning("%s%s has not come back after %d s, at %s", what, why, SLOW * EVERY, where)
