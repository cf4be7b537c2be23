"""The person behind a websocket, found by the same cookies as for a page, and the limit of their sockets.

People who share a device are all present while it shows a page of any of them (heartbeats.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from channels.auth import get_user
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from companion.identity.company import company_of
from companion.identity.people import COOKIE, person_of
from companion.limits import quotas
from companion.limits.open_sockets import Places, turn_away
from companion.models import Person
from companion.pacing.visitors import cookies_of
from companion.steady.outages import NO_DATABASE, note

#: The close code "try again later", sent to a page while the database is unavailable.
TRY_AGAIN = 1013

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class SocketPersonMiddleware:
    """Sets ``scope["person"]`` (or None), and ``scope["beside"]``, the pks of the others at the device.

    It turns away sockets beyond the limits of a person.
    """

    def __init__(self, inner: App) -> None:
        self.inner = inner
        self.of_all, self.at_page = Places(quotas.SOCKETS_OF_A_PERSON), Places(quotas.SOCKETS_AT_A_PAGE)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        person, beside = await database_sync_to_async(_people)(scope)
        scope = {**scope, "person": person, "beside": beside}
        if person is None:
            await self.inner(scope, receive, send)
            return
        with (
            self.of_all.take_place(person.pk) as free,
            self.at_page.take_place((person.pk, scope["path"])) as free_here,
        ):
            await (self.inner(scope, receive, send) if free and free_here else turn_away(receive, send))


def person_now(scope: Mapping[str, Any]) -> Person | None:
    """Return the person to whom a websocket belongs now, by the cookies that it began with."""
    # Without Channels' AuthMiddleware, whose own hop to the database thread would be half of the cost,
    # and without its SessionMiddleware, which inspects every frame that is sent.
    cookies = cookies_of(scope)
    session = SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of(get_user.func({"session": session}), cookies.get(COOKIE))


def _people(scope: Mapping[str, Any]) -> tuple[Person | None, tuple[int, ...]]:
    person = person_now(scope)
    together = company_of(person, cookies_of(scope)).people
    return person, tuple(one.pk for one in together if one != person)


class AskedToWait:
    """Asks a page to reconnect later, instead of refusing it, while its person cannot be looked up."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        try:
            await self.inner(scope, receive, send)
        except NO_DATABASE as problem:
            note(problem)
            with suppress(OSError):
                # Accept first: only an open socket can send the browser a close code.
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": TRY_AGAIN})


def with_person(inner: App) -> Any:
    """Wrap websocket routes so that their scope has the person of the request."""
    return AskedToWait(SocketPersonMiddleware(inner))
