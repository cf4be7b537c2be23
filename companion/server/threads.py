"""The threads that work for the event loop: a pool that keeps the order of each table, and its watchdog.

Work has a key, such as its table. Work of one key runs one after another, in the order of its calls; work of
different keys runs in different threads. So a table that waits for its row, or for its game, waits alone.

Once a second the event loop samples the stack of each thread. That does not slow down moves, and the log
shows where a thread hangs.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Set
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, ParamSpec, TypeVar, cast

from asgiref.sync import SyncToAsync
from channels.db import DatabaseSyncToAsync

logger = logging.getLogger(__name__)

#: Seconds between two samples. All limits count samples: a clock may advance while a laptop sleeps.
EVERY = 1.0
#: Samples until work is logged as slow, until it counts as hung, and further ones for an aborted game to end.
SLOW, HUNG, DEAF = 2, 10, 3
#: Modules that wait for a service. They have their own timeouts.
SERVICES = ("django.db.", "companion.fallback.postgresql", "psycopg", "redis", "channels_redis")

#: The threads of the pool. Each may hold a connection to the database (DATABASES in the settings).
THREADS = 8
#: The number of lanes at work at a time, not counting those whose work has lasted ``LONG`` seconds.
AT_ONCE, LONG = 1, 0.05
#: The number of lanes whose silence is the fault of the process, and no longer that of their tables.
TOO_MANY = THREADS // 2
#: The key of work for all pages and tables together.
CHORES = "chores"

P = ParamSpec("P")
T = TypeVar("T")
_thread_handler = SyncToAsync.thread_handler


class Lanes:
    """A pool of threads with lanes. A lane is the work of one key, in its order.

    All threads share one interpreter: with several at work each move would take longer. So one lane is at
    work at a time, and the next one joins it once its work takes long. A lane that waits for its row, or for
    its game, holds up no other.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "lane")
        self._lock = threading.Lock()
        #: The work that waits, by key. A key is here as long as its lane has work.
        self._waiting: dict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = {}
        #: The lanes whose next work may begin, and those at work for a short time, with its start.
        self._ready: deque[str] = deque()
        self._short_work: dict[str, float] = {}
        #: The event loop that checks for long work.
        self._checking_loop: asyncio.AbstractEventLoop | None = None

    def submit(self, key: str, call: Callable[[], Any]) -> Future[Any]:
        """Queue work behind all earlier work of its key; called by an event loop."""
        future: Future[Any] = Future()
        with self._lock:
            if key not in self._waiting:
                self._waiting[key] = deque()
                self._ready.append(key)
            self._waiting[key].append((future, call))
            self._begin()
        if self._checking_loop is not (loop := asyncio.get_running_loop()):
            self._checking_loop = loop
            loop.call_later(LONG, self._check_long_work, loop)
        return future

    def _begin(self) -> None:
        """Begin the next work of lanes that are ready, as far as there is room; with the lock held."""
        while self._ready and len(self._short_work) < AT_ONCE:
            key = self._ready.popleft()
            self._short_work[key] = time.monotonic()
            self._pool.submit(self._work, key, *self._waiting[key].popleft())

    def _check_long_work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let others begin beside work that takes long, and check again while there is any work."""
        with self._lock:
            before = time.monotonic() - LONG
            self._short_work = {key: began for key, began in self._short_work.items() if began > before}
            self._begin()
            if self._checking_loop is not loop:
                return
            self._checking_loop = loop if self._waiting else None
        if self._checking_loop:
            loop.call_later(LONG, self._check_long_work, loop)

    def _work(self, key: str, future: Future[Any], call: Callable[[], Any]) -> None:
        try:
            if future.set_running_or_notify_cancel():
                try:
                    result = call()
                except BaseException as problem:  # noqa: BLE001 (the caller gets it)
                    future.set_exception(problem)
                else:
                    future.set_result(result)
        finally:
            # The watchdog may break off a game that has just come back: then its exception arrives here.
            if future.running():
                future.set_exception(RuntimeError("the work was broken off"))
            del future  # breaks a reference cycle with the exception
            with self._lock:
                self._short_work.pop(key, None)
                if self._waiting[key]:
                    self._ready.append(key)
                else:
                    del self._waiting[key]
                self._begin()


@dataclass(frozen=True)
class Lane(Executor):
    """One lane of the pool, as asgiref wants it."""

    key: str

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return LANES.submit(self.key, partial(call, *args, **kwargs))


#: The lanes of this process.
LANES = Lanes(THREADS)


async def run_in_lane(key: str, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run work that may use the database in a thread, after all earlier work of its key."""
    executor = cast("ThreadPoolExecutor", Lane(key))
    run: Callable[P, Awaitable[T]] = DatabaseSyncToAsync(call, thread_sensitive=False, executor=executor)
    return await run(*args, **kwargs)


@dataclass(eq=False)
class Work:
    name: str
    #: The key of its lane; "" for a view, which has a thread of its own and may take long.
    lane: str = ""
    #: Has the ids of the request and the table, for the log.
    context: Context | None = None
    is_told: bool = False
    is_over: bool = False


#: The running work by the thread's id.
RUNNING: dict[int, Work] = {}


def track_work() -> None:
    """Patch asgiref's ``thread_handler``, which runs all threads of Django and Channels, to track their work.

    Exceptions that must not leave a thread become RuntimeError: an event loop cannot take a StopIteration
    from a thread (until Python 3.11.8 the caller waits for ever), and a SystemExit would end the server.
    """
    SyncToAsync.thread_handler = _handle  # type: ignore[method-assign]


def _handle(self: SyncToAsync[Any, Any], *arguments: Any) -> Any:
    *others, child = arguments
    lane = self._executor.key if isinstance(self._executor, Lane) else ""
    work = Work(getattr(self, "__qualname__", "a chore"), lane)

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
        work.is_over = True
        if around:
            RUNNING[thread] = around
        else:
            del RUNNING[thread]


@dataclass
class Doing:
    """The work of a thread, and the number of consecutive samples that found it."""

    work: Work
    #: False until the stack of the work was read once.
    is_known: bool = False
    #: The frame of the call into a game that the work is in.
    game: FrameType | None = None
    waits: bool = False
    samples: int = 1

    @property
    def is_slow(self) -> bool:
        return self.samples > SLOW

    @property
    def is_hung(self) -> bool:
        return not self.waits and self.samples > HUNG + (DEAF if self.game else 0)


class ThreadWatchdog:
    def __init__(self) -> None:
        self._doing: dict[int, Doing] = {}
        #: The slow work of the last sample by its lane.
        self._slow: dict[str, Doing] = {}
        #: Callables that get the lanes that have stalled, or go on again, since the last sample.
        self.listeners: list[Callable[[Set[str]], None]] = []

    async def sample_threads(
        self, game_call: Callable[[FrameType], str], broken_off: type[BaseException]
    ) -> None:
        """Sample all threads, log slow work, and abort a game that hangs.

        :param game_call: returns the name of the call into a game that a stack frame is, or "".
        :param broken_off: the exception to raise in the thread of a game that hangs.
        """
        before, self._doing = self._doing, {thread: Doing(work) for thread, work in list(RUNNING.items())}
        # Most work ends before its stack is read: on Python 3.11, running frames can crash their reader.
        pairs = [(thread, before.get(thread), now) for thread, now in self._doing.items()]
        old = [(thread, then, now) for thread, then, now in pairs if then and then.work is now.work]
        stacks = sys._current_frames() if old else {}
        for thread, then, now in old:
            stack = stacks.get(thread)
            # The innermost frame first.
            frames = [frame for frame, _line in traceback.walk_stack(stack)] if stack else []
            now.game = next((frame for frame in reversed(frames) if game_call(frame)), None)
            now.waits = any(frame.f_globals.get("__name__", "").startswith(SERVICES) for frame in frames)
            now.is_known = True
            if not then.is_known or (then.game is now.game and then.waits == now.waits):
                now.samples = then.samples + 1
            work, game = now.work, now.game
            if not (game or work.lane):
                continue  # views may take long
            if now.is_slow and not work.is_told and work.context:
                work.is_told = True
                work.context.run(_log_slow, game_call(game) if game else work.name, frames, waits=now.waits)
            if game and not now.waits and now.samples == HUNG and not work.is_over:
                raised = ctypes.c_ulong(thread), ctypes.py_object(broken_off)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(*raised)
        slow, self._slow = (
            self._slow,
            {doing.work.lane: doing for doing in self._doing.values() if doing.work.lane and doing.is_slow},
        )
        if changed := slow.keys() ^ self._slow.keys():
            for listener in self.listeners:
                listener(changed)

    def is_stalled(self, lane: str) -> bool:
        """Return whether the work of a lane has not come back for seconds."""
        return lane in self._slow and not self._slow[lane].work.is_over

    def is_stuck(self, lane: str) -> bool:
        """Return whether a lane is stalled by work that does not wait for a service."""
        return self.is_stalled(lane) and not self._slow[lane].waits

    @property
    def stalled_lanes(self) -> int:
        return len(self._slow)

    @property
    def state(self) -> str:
        """ "ok", "stalled" (a few lanes), "waiting" (for a service) or "stuck" (too many lanes)."""
        if len(self._slow) < TOO_MANY:
            return "stalled" if self._slow else "ok"
        return "waiting" if all(doing.waits for doing in self._slow.values()) else "stuck"

    @property
    def is_hung(self) -> bool:
        """True if the process has to end: too many lanes, or the chores of all pages, do not come back."""
        hung = {lane for lane, doing in self._slow.items() if doing.is_hung}
        return CHORES in hung or len(hung) >= TOO_MANY


#: The watchdog of this process.
WATCH = ThreadWatchdog()


def _log_slow(what: str, frames: list[FrameType], *, waits: bool) -> None:
    where = ", ".join(f"{frame.f_globals.get('__name__')}:{frame.f_lineno}" for frame in frames[:2])
    why = ", which waits for a service," if waits else ""
    logger.warning("%s%s has not come back after %d s, at %s", what, why, SLOW * EVERY, where)
