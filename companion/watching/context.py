"""A number for each request and each open page, and the table it is about: what joins the lines of a log."""

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


class Numbered:
    """ASGI middleware that numbers what comes in. Threads that work for a request know its number, too.

    The number is always our own: one that a visitor chooses could carry anything into the log.
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

        # A page has a dozen files, of which the log has no line.
        is_page = scope["type"] == "http" and not scope["path"].startswith(settings.STATIC_URL)
        await self.inner(scope, receive, send_with_number if is_page else send)
