"""The answer to a server that tells of its beginning and its end, and the chores done between them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from companion.steady.outages import NO_DATABASE

logger = logging.getLogger(__name__)


class Chore(NamedTuple):
    """A work of the server's own, which nobody asks for, and the seconds between two times."""

    work: Callable[[], Awaitable[None]]
    every: float


class Lifespan:
    """Does the chores of a process for as long as it serves."""

    def __init__(self, *chores: Chore) -> None:
        self._chores = chores

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        tasks = [asyncio.create_task(_again_and_again(chore)) for chore in self._chores]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await send({"type": "lifespan.shutdown.complete"})


async def _again_and_again(chore: Chore) -> None:
    while True:
        await asyncio.sleep(chore.every)
        try:
            await chore.work()
        except NO_DATABASE:
            pass  # Whoever waits for an answer tells of it.
        except Exception:
            logger.exception("a chore was not done")
