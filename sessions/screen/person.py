"""The person behind a websocket, by the same cookies as behind a page, and how many sockets they may open.

Who shares their device is present while it shows a page of any of them (heartbeats.py).
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

#: "Try again later", the code that a page is told by while the database is away.
TRY_AGAIN = 1013

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class PersonMiddleware:
    """Puts ``scope["person"]`` (or None), and the numbers of those ``beside`` them, on every websocket.

    It turns away the sockets that are too many.
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
        with self.of_all.one(person.pk) as free, self.at_page.one((person.pk, scope["path"])) as free_here:
            await (self.inner(scope, receive, send) if free and free_here else turn_away(receive, send))


def person_now(scope: Mapping[str, Any]) -> Person | None:
    """Return whose a websocket is by now, by the cookies that it began with."""
    # Without Channels' AuthMiddleware, whose own hop to the database thread is half of what this costs,
    # and its SessionMiddleware, which looks at every frame that is sent.
    cookies = cookies_of(scope)
    session = SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of(get_user.func({"session": session}), cookies.get(COOKIE))


def _people(scope: Mapping[str, Any]) -> tuple[Person | None, tuple[int, ...]]:
    person = person_now(scope)
    together = company_of(person, cookies_of(scope)).people
    return person, tuple(one.pk for one in together if one != person)


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
    return AskedToWait(PersonMiddleware(inner))
