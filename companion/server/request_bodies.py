"""Limit the size of request bodies, before Django writes an endless upload to disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: More than our largest form, so that the form itself can refuse a somewhat larger file with a message.
BYTES_AT_MOST = 12_000_000


class BoundedBody:
    """ASGI middleware that responds 413 to a body that is too large, with or without Content-Length."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if content_length(scope) > BYTES_AT_MOST:
            await _refuse(send)
            return
        body = _Counted(receive, send)
        await self.inner(scope, body.receive, body.send)
        if body.left < 0 and not body.answered:
            await _refuse(send)


class _Counted:
    """The receive and send of a request. A client that sends too much appears to the app as disconnected."""

    def __init__(self, receive: Any, send: Any) -> None:
        self._receive, self._send = receive, send
        self.left, self.answered = BYTES_AT_MOST, False

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._receive()
        self.left -= len(message.get("body", b""))
        return message if self.left >= 0 else {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.answered = True
        await self._send(message)


def content_length(scope: Mapping[str, Any]) -> int:
    """Return the Content-Length of a request; 0 if it has none."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(send: Any) -> None:
    headers = [(b"connection", b"close"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
