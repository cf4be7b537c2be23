"""The order in which frames are answered: one at a time of a person at a page, and what is no move at a walk.

So whoever floods a table waits for themselves and for nobody else, on however many sockets. A move that the
table accepts costs nothing here: it is never held up.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable
from weakref import WeakValueDictionary

#: So many refusals, pings and the like at once, and so many a second from then on.
AT_ONCE, A_SECOND = 20.0, 5.0

_paces: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, Hashable], Pace] = WeakValueDictionary()


class Pace:
    """One person's pace at one page."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._left, self._at = AT_ONCE, time.monotonic()

    async def __aenter__(self) -> None:
        """Wait for one's turn."""
        await self._turn.acquire()
        if self._left < 1:
            self._refill()
        if self._left < 1:
            try:
                await self._rest()
            except BaseException:
                self._turn.release()
                raise

    async def __aexit__(self, *problem: object) -> None:
        self._turn.release()

    def spend(self) -> None:
        """Count a frame that was no accepted move."""
        self._left -= 1

    async def _rest(self) -> None:
        """Wait until there is something left."""
        await asyncio.sleep((1 - self._left) / A_SECOND)
        self._refill()

    def _refill(self) -> None:
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + A_SECOND * (now - self._at))
        self._at = now


def pace_of(who: Hashable) -> Pace:
    """Return the pace that all sockets of the same person at the same page share in this loop."""
    key = asyncio.get_running_loop(), who
    pace = _paces.get(key)
    if pace is None:
        pace = _paces[key] = Pace()
    return pace
