"""Ids of the current request or websocket and of its table, which connect the lines of a log."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from typing import Any

from django.conf import settings

REQUEST: ContextVar[str] = ContextVar("request", default="")
TABLE: ContextVar[int | None] = ContextVar("table", default=None)

HEADER = b"x-request-id"
TABLE_PATH = re.compile(r"/(?:ws/tables|t)/(\d{1,18})/")


class RequestIdMiddleware:
    """ASGI middleware that gives each request and websocket an id. Threads that work for it inherit the id.

    An id that a client sends is ignored, as it could write any text into the log.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        number = secrets.token_hex(6)
        table = TABLE_PATH.match(scope.get("path", ""))
        REQUEST.set(number)
        TABLE.set(int(table[1]) if table else None)

        async def send_with_number(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (HEADER, number.encode())]
            await send(message)

        # Static files get no header: a page has a dozen of them, and they are not logged.
        is_page = scope["type"] == "http" and not scope["path"].startswith(settings.STATIC_URL)
        await self.inner(scope, receive, send_with_number if is_page else send)
