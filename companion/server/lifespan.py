"""ASGI lifespan handler that runs periodic background work while the server runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from companion.steady.outages import NO_DATABASE

logger = logging.getLogger(__name__)


class Chore(NamedTuple):
    """Periodic background work of the server, and its interval in seconds."""

    work: Callable[[], Awaitable[None]]
    every: float


class Lifespan:
    """Run the chores of a process from its start to its shutdown."""

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
            pass  # requests that fail for the same reason log it
        except Exception:
            logger.exception("a chore was not done")
