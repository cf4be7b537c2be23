"""The order in which frames are answered: one at a time of a person at a page, and at a walk.

So whoever floods a table waits for themselves and for nobody else, on however many sockets. An accepted move
costs next to nothing here: nobody at a table is ever held up, and a script only after 3,000 moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary

from companion.pacing.bucket import Bucket

#: So many refusals, pings and the like at once, and so many a second from then on.
AT_ONCE, A_SECOND = 20.0, 5.0
#: The same of accepted moves, each of which is a row for ever. A whole game has some hundreds of them.
MOVES_AT_ONCE, MOVES_A_SECOND = 3_000.0, 10.0

_paces: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, Hashable], Pace] = WeakValueDictionary()


class Pace:
    """One person's pace at one page."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._frames, self._moves = Bucket(AT_ONCE, A_SECOND), Bucket(MOVES_AT_ONCE, MOVES_A_SECOND)

    async def __aenter__(self) -> None:
        """Wait for one's turn."""
        await self._turn.acquire()
        if wait := max(self._frames.wait, self._moves.wait):
            try:
                await self._rest(wait)
            except BaseException:
                self._turn.release()
                raise

    async def __aexit__(self, *problem: object) -> None:
        self._turn.release()

    def spend(self, *, moved: bool) -> None:
        """Count a frame: an accepted move, or any other."""
        (self._moves if moved else self._frames).spend()

    def outlast(self) -> None:
        """Be remembered until nothing is owed: closing all one's pages and coming back pays for nothing."""
        seconds = max(self._frames.full_in, self._moves.full_in)
        asyncio.get_running_loop().call_later(seconds, self._forgotten)

    def _forgotten(self) -> None:
        """The end of the timer that held on to this pace."""

    async def _rest(self, seconds: float) -> None:
        """Wait until there is something left."""
        await asyncio.sleep(seconds)


def pace_of(who: Hashable) -> Pace:
    """Return the pace that all sockets of the same person at the same page share in this loop."""
    key = asyncio.get_running_loop(), who
    pace = _paces.get(key)
    if pace is None:
        pace = _paces[key] = Pace()
    return pace
