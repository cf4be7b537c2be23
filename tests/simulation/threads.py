"""Threads of a process without threads: code that asks the database runs in a greenlet of the scheduler.

Such code gives way before its statements, so that two processes, or a page's thread and the websockets', meet
there in every order. The code itself is the real one, as it runs below ``sync_to_async``.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from asgiref.sync import AsyncToSync, SyncToAsync
from django.db import connections
from greenlet import GreenletExit, greenlet

from companion.server.threads import Lane

if TYPE_CHECKING:
    from tests.simulation.process import Process


class Hop:
    """One piece of work of a thread."""

    #: The work that is being done at this moment, None while it is the scheduler's or a loop's turn.
    current: Hop | None = None

    def __init__(self, thread: Thread, work: Callable[[], Any], done: Callable[[Hop], None]) -> None:
        self.thread, self.process, self._work, self._done = thread, thread.process, work, done
        self.result: Any = None
        self.problem: BaseException | None = None
        #: What its next commit brings to the GM's desk (desk.py), None for nothing there.
        self.intent: tuple[Any, ...] | None = None
        self.greenlet = greenlet(self._run)
        self.greenlet.gr_context = contextvars.copy_context()

    def go_on(self) -> None:
        """Work until the next place where others may come first."""
        process = self.process
        if not process.lives:
            process.stranded.append(self)
            return
        if process.loop.frozen_until > process.scheduler.now:
            process.scheduler.later(process.loop.frozen_until - process.scheduler.now, self.go_on)
            return
        process.enter()
        connections["default"] = self.thread.connection
        Hop.current = self
        try:
            self.greenlet.switch()
        finally:
            Hop.current = None
            connections["default"] = process.database.own
        if self.greenlet.dead:
            self._done(self)

    def give_way(self, pause: float = 0.0) -> None:
        """Let others come first."""
        self.process.scheduler.later(pause, self.go_on)
        self.wait()

    def wait(self) -> None:
        """Wait until another thread lets this go on."""
        self.greenlet.parent.switch()

    def on_the_loop(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Let the process' loop do something, as ``async_to_sync`` does, and wait for it."""
        loop, tasks = self.process.loop, list[asyncio.Task[Any]]()

        def begin() -> None:
            tasks.append(loop.create_task(work))
            tasks[0].add_done_callback(lambda _: self.process.scheduler.later(0, self.go_on))

        loop.call_soon(begin, context=contextvars.copy_context())
        self.wait()
        return tasks[0].result()

    def end(self) -> None:
        """Let go of what will never go on."""
        with suppress(BaseException):
            self.greenlet.throw(GreenletExit)

    def _run(self) -> None:
        try:
            self.result = self._work()
        except Exception as problem:  # noqa: BLE001 (whoever waits for it gets it)
            self.problem = problem


class Thread:
    """Does one piece of work after the other, on a connection of its own."""

    def __init__(self, process: Process) -> None:
        self.process, self.connection = process, process.connect()
        self._waiting: deque[Hop] = deque()
        self.working: Hop | None = None

    def do(self, work: Callable[[], Any], done: Callable[[Hop], None]) -> Hop:
        """Do some work when it is its turn."""
        hop = Hop(self, work, partial(self._ended, done))
        self._waiting.append(hop)
        self._begin()
        return hop

    def drop(self, hop: Hop) -> None:
        """Forget work that has not begun; begun work goes on."""
        if hop in self._waiting:
            self._waiting.remove(hop)

    def _begin(self) -> None:
        if self.working is None and self._waiting:
            self.working = self._waiting.popleft()
            self.process.scheduler.later(self.process.latency(), self.working.go_on)

    def _ended(self, done: Callable[[Hop], None], hop: Hop) -> None:
        self.working = None
        self._begin()
        done(hop)


async def _in_the_thread(self: SyncToAsync[Any, Any], *arguments: Any, **options: Any) -> Any:
    from tests.simulation.process import Process

    process = Process.present
    assert process
    future = process.loop.create_future()

    def done(hop: Hop) -> None:
        process.loop.call_soon(_settle, future, hop)

    thread = process.lane(self._executor.key if isinstance(self._executor, Lane) else "")
    hop = thread.do(partial(self.func, *arguments, **options), done)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        thread.drop(hop)
        raise


def _settle(future: asyncio.Future[Any], hop: Hop) -> None:
    if future.done():
        return
    if hop.problem:
        future.set_exception(hop.problem)
        future.exception()  # Nobody may wait for it any more.
    else:
        future.set_result(hop.result)


def _on_the_loop(self: AsyncToSync[Any, Any], *arguments: Any, **options: Any) -> Any:
    work = self.awaitable(*arguments, **options)
    if Hop.current is None:
        work.close()  # While an evening is laid out nobody listens.
        return None
    return Hop.current.on_the_loop(work)


def install() -> None:
    """Let asgiref's bridges between loops and threads lead here."""
    SyncToAsync.__call__ = _in_the_thread
    AsyncToSync.__call__ = _on_the_loop
