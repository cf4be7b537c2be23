"""Allow only our own pages to open a websocket.

Browsers send our cookies with a websocket that any site opens, and a handshake has no CSRF token. Channels'
``AllowedHostsOriginValidator`` does not help at home, as it accepts the origin of any allowed host.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import validate_host

PORTS = {"http": 80, "https": 443}


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
    """ASGI middleware that rejects the websocket of another site with 403, before it is accepted."""

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
