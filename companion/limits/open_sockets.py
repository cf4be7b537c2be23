"""Limit the websockets that one address or one person has open in a process.

Further websockets are rejected with 429 before any query. A phone reconnects by itself with growing delays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.limits import quotas, throttle


class Places:
    """A counting semaphore per key: at most ``at_most`` places are taken at a time under one key."""

    def __init__(self, at_most: int) -> None:
        self.at_most, self.taken = at_most, Counter[Hashable]()

    @contextmanager
    def take_place(self, key: Hashable) -> Iterator[bool]:
        """Take a place until the block ends, and yield True; yield False if none is free."""
        free = self.taken[key] < self.at_most
        self.taken[key] += free
        try:
            yield free
        finally:
            self.taken[key] -= free
            if not self.taken[key]:
                del self.taken[key]


class BoundedSockets:
    """ASGI middleware that rejects websockets if too many are open from the same address."""

    def __init__(self, inner: Any, at_most: int = quotas.SOCKETS_OF_AN_ADDRESS) -> None:
        self.inner, self.places = inner, Places(throttle.of_a_crowd(at_most))

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        with self.places.take_place(throttle.socket_address(scope)) as free:
            await (self.inner(scope, receive, send) if free else turn_away(receive, send))


async def turn_away(receive: Any, send: Any) -> None:
    """Reject a websocket that is not accepted yet with 429."""
    await receive()
    await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})
