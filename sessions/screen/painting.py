"""Drawing the evening round the tables takes turns: pages that come back together wait for theirs.

The tables themselves are drawn without waiting. While others wait, each drawing is followed by a rest, so
that moves have most of the process even when every phone of every table comes back at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

#: The rest after a drawing, as a multiple of the time that the drawing took.
REST = 4

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turns] = WeakKeyDictionary()


class _Turns:
    """One loop's turns."""

    def __init__(self) -> None:
        self.lock, self.waiting = asyncio.Lock(), 0


@asynccontextmanager
async def turn() -> AsyncIterator[None]:
    """Wait for one's turn to draw."""
    loop = asyncio.get_running_loop()
    turns = _turns.setdefault(loop, _Turns())
    turns.waiting += 1
    try:
        async with turns.lock:
            began = loop.time()
            yield
            if turns.waiting > 1:
                await asyncio.sleep(REST * (loop.time() - began))
    finally:
        turns.waiting -= 1
