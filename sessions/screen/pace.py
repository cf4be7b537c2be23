"""The rate limit of frames: for each person and page, one frame at a time and a limited number a second.

A person who floods a table thus delays only their own frames, on however many sockets. Accepted moves have a
generous limit of their own: it never delays a player, and a script only after 3,000 moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary

from companion.pacing.bucket import Bucket

#: The burst, and then the rate a second, of refused moves, pings and all other frames.
AT_ONCE, A_SECOND = 20.0, 5.0
#: The same for accepted moves, each of which is a permanent row. A whole game has some hundreds of them.
MOVES_AT_ONCE, MOVES_A_SECOND = 3_000.0, 10.0

_paces: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, Hashable], FrameLimit] = WeakValueDictionary()


class FrameLimit:
    """The rate limit of one person at one page."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._frames, self._moves = Bucket(AT_ONCE, A_SECOND), Bucket(MOVES_AT_ONCE, MOVES_A_SECOND)

    async def __aenter__(self) -> None:
        """Wait until no other frame is being answered and the rate limit allows one more."""
        await self._turn.acquire()
        if wait := max(self._frames.wait, self._moves.wait):
            try:
                await self._sleep(wait)
            except BaseException:
                self._turn.release()
                raise

    async def __aexit__(self, *problem: object) -> None:
        self._turn.release()

    def spend(self, *, moved: bool) -> None:
        """Count a frame: an accepted move, or any other."""
        (self._moves if moved else self._frames).spend()

    def outlast(self) -> None:
        """Keep this limit in memory until it has recovered, so that closing all pages does not reset it."""
        seconds = max(self._frames.full_in, self._moves.full_in)
        asyncio.get_running_loop().call_later(seconds, self._release)

    def _release(self) -> None:
        """Do nothing: the timer's reference to this method kept the limit in memory."""

    async def _sleep(self, seconds: float) -> None:
        """Wait until the rate limit allows another frame."""
        await asyncio.sleep(seconds)


def frame_limit_of(who: Hashable) -> FrameLimit:
    """Return the rate limit that all sockets of one person at one page share in this event loop."""
    key = asyncio.get_running_loop(), who
    pace = _paces.get(key)
    if pace is None:
        pace = _paces[key] = FrameLimit()
    return pace
