"""ASGI middleware that refuses requests before Django: foreign or too many websockets, large bodies.

Only our own pages may open a websocket. Browsers send our cookies with a websocket that any site opens, and a
handshake has no CSRF token. Channels' ``AllowedHostsOriginValidator`` does not help at home, as it accepts
the origin of any allowed host.

One address or one person may have a limited number of websockets open in a process. Further ones are rejected
with 429 before any query. A phone reconnects by itself with growing delays.

The size of a request body is limited before Django writes an endless upload to disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import validate_host

from companion.observability.metrics import TURNED_AWAY
from companion.requests import quotas, throttle

PORTS = {"http": 80, "https": 443}
#: More than our largest form, so that the form itself can refuse a somewhat larger file with a message.
BYTES_AT_MOST = 12_000_000


class BoundedSockets:
    """ASGI middleware that rejects websockets if too many are open from one address."""

    def __init__(self, inner: Any, at_most: int = quotas.SOCKETS_OF_AN_ADDRESS) -> None:
        self.inner, self.places = inner, throttle.Places(throttle.scale_to_crowd(at_most))

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        with self.places.take_place(throttle.socket_address(scope)) as free:
            await (self.inner(scope, receive, send) if free else turn_away(receive, send))


async def turn_away(receive: Any, send: Any) -> None:
    """Reject a websocket with 429 before it is accepted."""
    TURNED_AWAY.labels("sockets").inc()
    await receive()
    await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
    await send({"type": "websocket.http.response.body", "body": b""})


def same_origin(origin: str | None, host: str | None) -> bool:
    """True if an Origin header names the same host and port as the Host header.

    Every browser sends the Origin of a websocket, so a request without one is refused. It comes from another
    program, which could also send any Origin.
    """
    try:
        page = urlsplit(origin or "")
        here = urlsplit(f"{page.scheme}://{host or ''}")
        if page.scheme not in PORTS or not page.hostname or (settings.HTTPS and page.scheme != "https"):
            return False
        return _place(page) == _place(here) and validate_host(page.hostname, settings.ALLOWED_HOSTS)
    except ValueError:  # the port is not a number, or an IPv6 address is incomplete
        return False


def _place(address: SplitResult) -> tuple[str | None, int]:
    return address.hostname, address.port or PORTS[address.scheme]


class SameOrigin:
    """ASGI middleware that rejects a websocket of another site with 403."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
            if not same_origin(headers.get(b"origin"), headers.get(b"host")):
                await receive()
                await send({"type": "websocket.close"})
                return
        await self.inner(scope, receive, send)


class BoundedBody:
    """ASGI middleware that responds 413 to a body that is too large, with or without Content-Length."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if content_length(scope) > BYTES_AT_MOST:
            await send_response(send, 413, {"connection": "close"})
            return
        body = _Counted(receive, send)
        await self.inner(scope, body.receive, body.send)
        if body.left < 0 and not body.answered:
            await send_response(send, 413, {"connection": "close"})


class _Counted:
    """A client that sends too much appears to the app as disconnected."""

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
    """Return 0 if a request has none."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def send_response(
    send: Any, status: int, headers: Mapping[str, str], body: bytes = b"", *, is_head: bool = False
) -> None:
    """Send a whole response with its length."""
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": b"" if is_head else body})
