"""Presence updates, batched: when all phones of a table connect at once, each page is rendered once."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from sessions.evening.announcing import session_group
from sessions.screen.room import PRESENCE

logger = logging.getLogger(__name__)

#: Seconds between the first arrival and the one message to the session's pages about all arrivals until then.
PRESENCE_GATHERED_FOR = 1.0

Loop = asyncio.AbstractEventLoop
_under_way: WeakKeyDictionary[Loop, dict[int, asyncio.Task[None]]] = WeakKeyDictionary()


def announce_presence(session_pk: int) -> None:
    """Announce to a session's pages, after ``GATHERED_FOR`` seconds, that the presence of a seat changed."""
    tasks = _under_way.setdefault(asyncio.get_running_loop(), {})
    if session_pk not in tasks:
        tasks[session_pk] = asyncio.create_task(_announce(session_pk))
        tasks[session_pk].add_done_callback(lambda _: tasks.pop(session_pk, None))


async def _announce(session_pk: int) -> None:
    await asyncio.sleep(PRESENCE_GATHERED_FOR)
    message = {"type": "session.changed", "parts": sorted(PRESENCE)}
    try:
        await get_channel_layer().group_send(session_group(session_pk), message)
    except Exception:
        # Only a display depends on it; the next arrival or heartbeat shows it.
        logger.exception("session %s: nobody told who is here", session_pk)
