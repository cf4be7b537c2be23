"""One seeded scheduler for everything that happens: loops of processes, threads, the network, the clock.

There is no real time. The clock stands still while anything can happen, and then jumps to what comes next.
Within a loop the order is asyncio's own; between loops, threads and the network the seed decides.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

Act = Callable[[], object]
NEVER = float("inf")


class Loop(asyncio.BaseEventLoop):
    """The event loop of one process. The scheduler runs it, a callback at a time."""

    def __init__(self, scheduler: Scheduler, enter: Act, failed: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._scheduler, self._enter, self._failed = scheduler, enter, failed
        #: Until then the process stands still.
        self.frozen_until = 0.0

    def time(self) -> float:
        return self._scheduler.now

    def _write_to_self(self) -> None:
        """Nothing has to be woken up."""

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self._failed(context)

    def is_ready(self) -> bool:
        """True if a callback can run now."""
        now = self.time()
        if now < self.frozen_until:
            return False
        timers = self._scheduled
        while timers and (timers[0]._cancelled or timers[0]._when <= now):
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if not timer._cancelled:
                self._ready.append(timer)
        return bool(self._ready)

    def next_at(self) -> float:
        """Return when something can happen here, if nothing can now."""
        if self._ready:
            return self.frozen_until
        timers = self._scheduled
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)._scheduled = False
        return max(timers[0]._when, self.frozen_until) if timers else NEVER

    def run_one(self) -> None:
        """Run the next callback."""
        handle = self._ready.popleft()
        if not handle._cancelled:
            self._enter()
            asyncio._set_running_loop(self)
            try:
                handle._run()
            finally:
                asyncio._set_running_loop(None)


class Scheduler:
    """The clock, and all that is to happen."""

    def __init__(self, seed: str) -> None:
        self.now, self.steps = 0.0, 0
        self.chance = Random(seed)
        self.loops: list[Loop] = []
        self._ready: list[Act] = []
        self._later: list[tuple[float, int, Act]] = []
        self._numbers = count()

    def later(self, pause: float, act: Act) -> None:
        """Let something happen after a while; events of the same time happen in any order."""
        heapq.heappush(self._later, (self.now + pause, next(self._numbers), act))

    def run(self, until: float) -> None:
        """Let everything happen up to a time."""
        while self._step(until):
            self.steps += 1

    def _step(self, until: float) -> bool:
        while self._later and self._later[0][0] <= self.now:
            self._ready.append(heapq.heappop(self._later)[2])
        loops = [loop for loop in self.loops if loop.is_ready()]
        choices = len(loops) + len(self._ready)
        if not choices:
            return self._jump(until)
        chosen = int(self.chance.random() * choices) if choices > 1 else 0
        if chosen < len(loops):
            loops[chosen].run_one()
        else:
            self._ready.pop(chosen - len(loops))()
        return True

    def _jump(self, until: float) -> bool:
        """Let time go on to the next event; return False if none comes before ``until``."""
        coming = min((loop.next_at() for loop in self.loops), default=NEVER)
        if self._later:
            coming = min(coming, self._later[0][0])
        self.now = max(self.now, min(coming, until))
        return coming <= until
