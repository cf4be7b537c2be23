"""How many websockets one address and one person may hold open at a process.

A socket beyond that is answered with 429 before anything is asked for it. A phone tries again by itself,
later and later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.limits import quotas, throttle


class Places:
    """So many may be taken at a time under one key."""

    def __init__(self, at_most: int) -> None:
        self.at_most, self.taken = at_most, Counter[Hashable]()

    @contextmanager
    def one(self, key: Hashable) -> Iterator[bool]:
        """Take a place until the block ends. False if none is free."""
        free = self.taken[key] < self.at_most
        self.taken[key] += free
        try:
            yield free
        finally:
            self.taken[key] -= free
            if not self.taken[key]:
                del self.taken[key]


class BoundedSockets:
    """ASGI middleware that turns websockets away where too many are open from the same address."""

    def __init__(self, inner: Any, at_most: int = quotas.SOCKETS_OF_AN_ADDRESS) -> None:
        self.inner, self.places = inner, Places(at_most)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        with self.places.one(throttle.socket_address(scope)) as free:
            await (self.inner(scope, receive, send) if free else turn_away(receive, send))


async def turn_away(receive: Any, send: Any) -> None:
    """Answer a websocket that nobody has accepted yet: too many of them."""
    await receive()
    await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})
