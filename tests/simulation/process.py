"""A process of the server: its loop, its threads, and all that it remembers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from channels.layers import channel_layers
from channels.routing import URLRouter
from django.db import OperationalError

from companion.caches import BoundedDict, LruCache
from companion.fallback import outages
from sessions.evening import safety
from sessions.live import heartbeats, hub, page_base, regions, routing, screen_view, sockets
from sessions.live.sockets import SocketPersonMiddleware
from sessions.table import table_cache
from tests.simulation.database import Database
from tests.simulation.scheduler import Loop, Scheduler
from tests.simulation.threads import Hop, Thread

if TYPE_CHECKING:
    from tests.simulation.layer import Layer

#: Everything that a process remembers, and how it begins.
MEMORIES: list[tuple[Any, str, Callable[[], Any]]] = [
    (table_cache, "_entries", lambda: LruCache(table_cache.TABLES_KEPT)),
    (hub, "_hubs", WeakKeyDictionary),
    (heartbeats, "_heartbeats", WeakKeyDictionary),
    (page_base, "_renderers_by_loop", WeakKeyDictionary),
    (page_base, "_last_move", float),
    (sockets, "_frame_limits", WeakValueDictionary),
    (screen_view, "_tables", lambda: LruCache(screen_view.TABLES_KEPT)),
    (regions, "_pieces", lambda: BoundedDict(regions.PIECES_KEPT, len)),
    (safety, "_under_way", dict),
    (outages.REDIS, "_since", lambda: None),
    (outages.REDIS, "count", int),
    (outages.REDIS, "_ask_at", float),
]


class Process:
    """One process. A restart is another one."""

    #: The process whose memories are in place.
    present: Process | None = None

    def __init__(
        self,
        name: str,
        scheduler: Scheduler,
        database: Database,
        layer: Callable[[Process], Layer],
        failed: Callable[[str], None],
        seed: str,
        haste: float,
    ) -> None:
        self.name, self.scheduler, self.database = name, scheduler, database
        self.lives = True
        #: Work that was under way when the process died.
        self.stranded: list[Hop] = []
        self.chance = Random(f"{seed}/{name}")
        #: How often a thread gives way at a statement.
        self._haste = haste
        self.commit_fault, self.database_away_until = "", 0.0
        self._failed = failed
        self.loop = Loop(scheduler, self.enter, self._loop_failed)
        scheduler.loops.append(self.loop)
        self._memory = [begin() for _, _, begin in MEMORIES]
        self.layer = layer(self)
        #: A thread for each lane, of which every order is possible beside the others.
        self._lanes: dict[str, Thread] = {}
        self._threads: list[Thread] = []
        self._free: list[Thread] = []
        self.app = SocketPersonMiddleware(URLRouter(routing.urlpatterns))
        self._tasks: list[asyncio.Task[Any]] = []

    def enter(self) -> None:
        """Put the memories of this process in place."""
        if Process.present is self:
            return
        if Process.present:
            Process.present.leave()
        for (owner, name, _), value in zip(MEMORIES, self._memory, strict=True):
            setattr(owner, name, value)
        channel_layers.backends = {"default": self.layer}
        Process.present = self

    def leave(self) -> None:
        self._memory = [getattr(owner, name) for owner, name, _ in MEMORIES]
        Process.present = None

    def connect(self) -> Any:
        return self.database.connect()

    def run(self, work: Any) -> None:
        """Let the loop do something."""
        self.loop.call_soon(lambda: self._tasks.append(self.loop.create_task(work)))

    def ask(self, work: Callable[[], Any], done: Callable[[Hop], None]) -> None:
        """Do what a request for a page does, in a thread of its own."""
        if not self._free:
            self._threads.append(Thread(self))
            self._free.append(self._threads[-1])
        thread = self._free.pop()

        def ended(hop: Hop) -> None:
            self._free.append(thread)
            done(hop)

        thread.do(work, ended)

    def lane(self, key: str) -> Thread:
        """Return the thread that does the work of one key in its order (companion/server/threads.py)."""
        if key not in self._lanes:
            self._threads.append(Thread(self))
            self._lanes[key] = self._threads[-1]
        return self._lanes[key]

    def latency(self) -> float:
        """Return the seconds until a thread begins."""
        return self.chance.random() * 0.002

    def before_statement(self, hop: Hop, sql: str, *, outside: bool) -> None:
        """Let others come first, perhaps; refuse while the database is away."""
        if self.chance.random() < (self._haste if outside else self._haste / 4):
            hop.give_way(self._pause())
        if self.scheduler.now < self.database_away_until:
            raise OperationalError("the database is away")

    def before_commit(self, hop: Hop) -> None:
        if self.chance.random() < self._haste:
            hop.give_way(self._pause())

    def after_commit(self, hop: Hop) -> None:
        if self.chance.random() < self._haste:
            hop.give_way(self._pause())

    def _pause(self) -> float:
        """Return for how long a thread gives way: mostly a moment, now and then a slow disk."""
        lot = self.chance.random()
        return (
            0.0 if lot < 0.5 else 0.005 * self.chance.random() if lot < 0.95 else 0.1 * self.chance.random()
        )

    def kill(self) -> None:
        """End at once: nothing is said, and what was not committed never was."""
        self.lives = False
        self.scheduler.loops.remove(self.loop)
        for thread in self._threads:
            self.database.drop(thread.connection)

    def bury(self) -> None:
        """Drop all tasks that will never go on, at the end of the run."""
        for thread in self._threads:
            if thread.working:
                thread.working.end()
        for hop in self.stranded:
            hop.end()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.frozen_until = 0.0
        while self.loop.is_ready():
            self.loop.run_one()
        self.loop.close()
        if Process.present is self:
            self.leave()

    def _loop_failed(self, context: dict[str, Any]) -> None:
        if self.lives:
            self._failed(f"{context.get('message')}: {context.get('exception')!r}")
