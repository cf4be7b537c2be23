"""The person behind a websocket, by the same cookies as behind a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async

from companion.outages import NO_DATABASE, note
from companion.people import COOKIE, person_of

#: "Try again later", the code that a page is told by while the database is away.
TRY_AGAIN = 1013

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class PersonMiddleware:
    """Puts ``scope["person"]`` (or None) on every websocket."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        person = await database_sync_to_async(self._person)(scope)
        await self.inner({**scope, "person": person}, receive, send)

    @staticmethod
    def _person(scope: dict[str, Any]) -> Any:
        return person_of(scope["user"], scope["cookies"].get(COOKIE))


class AskedToWait:
    """Tells a page whose person cannot be looked up to come back, instead of refusing it."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        try:
            await self.inner(scope, receive, send)
        except NO_DATABASE as problem:
            note(problem)
            with suppress(OSError):
                # Accepted first: only an open socket can tell the browser why it closes.
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": TRY_AGAIN})


def with_person(inner: App) -> Any:
    """Wrap websocket routes so that they know the person who asks."""
    return AskedToWait(AuthMiddlewareStack(PersonMiddleware(inner)))
