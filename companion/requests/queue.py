"""A fair request queue: each person has one place in it, however many requests they send.

A visitor is identified without a query of the database. Slow views are marked as heavy: they get their own
queue, and their work stops if the client disconnects.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.http.cookie import parse_cookie

from companion.identity import people
from companion.requests import throttle

Turn = asyncio.Future[None]
View = Callable[..., HttpResponse]
#: Bytes from which a form counts as heavy because it probably has a picture.
WITH_A_PICTURE = 20_000
#: The ``Retry-After`` of a request that the queue refuses, in seconds.
REST = 10


class Visitor(NamedTuple):
    """All visitors of one address who have no key count as one person."""

    person: Hashable
    address: str

    @property
    def is_known(self) -> bool:
        return self.person != self.address


def visitor_of(scope: Mapping[str, Any]) -> Visitor:
    address = throttle.socket_address(scope)
    # Forged session cookies share the limits of their address.
    return Visitor(people.device_key(cookies_of(scope)) or address, address)


def cookies_of(scope: Mapping[str, Any]) -> dict[str, str]:
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return parse_cookie("; ".join(sent))


@dataclass(frozen=True)
class Capacity:
    """The requests that may run at a time, in total, per address and per person; and those that may wait."""

    at_once: int
    of_an_address: int
    of_a_person: int
    waiting_of_an_address: int
    waiting_of_a_person: int


class RequestQueue:
    """The running and the waiting requests of one event loop.

    People are served first come, first served. As a turn begins, a person with more requests goes to the
    end (round robin). A person's place can be reserved for a while after their requests have left.
    """

    def __init__(self, room: Capacity) -> None:
        self.room = room
        self._working: Counter[Hashable] = Counter()
        self._working_from: Counter[Hashable] = Counter()
        self._waiting_from: Counter[Hashable] = Counter()
        #: Waiting requests by person, in the order of their places; a reserved place has none.
        self._waiting: dict[Hashable, deque[tuple[Visitor, Turn]]] = {}
        self._kept: dict[Hashable, asyncio.TimerHandle] = {}

    def join(self, who: Visitor) -> Turn:
        """Queue a request. Its turn begins when the future is done; call ``leave`` in any case.

        :raises TooManyRequests: too many of the person or the address wait already.
        """
        turn, room = asyncio.get_running_loop().create_future(), self.room
        mine = self._waiting.get(who.person, ())
        if not mine and self._has_room(who):
            self._begin(who, turn)
        elif self._waiting_from[who.address] < room.waiting_of_an_address and (
            not who.is_known or len(mine) < room.waiting_of_a_person
        ):
            self._waiting.setdefault(who.person, deque()).append((who, turn))
            self._waiting_from[who.address] += 1
        else:
            raise throttle.TooManyRequests(REST)
        self._cancel_release(who.person)
        return turn

    def leave(self, who: Visitor, turn: Turn) -> None:
        """Remove a request from the queue, whether it has had its turn or still waits."""
        if turn.done():
            _less(self._working, who.person)
            _less(self._working_from, who.address)
            self._next()
        else:
            self._waiting[who.person].remove((who, turn))
            _less(self._waiting_from, who.address)
            if who.person not in self._kept:
                self._forget(who.person)

    def keep(self, who: Visitor, seconds: float) -> None:
        """Reserve the place of a person for some seconds, so that their next request gets it back."""
        self._cancel_release(who.person)
        loop = asyncio.get_running_loop()
        self._kept[who.person] = loop.call_later(seconds, self._release_place, who.person)

    def count_ahead(self, who: Visitor) -> int:
        """Return the number of people ahead: those with running requests, and those with an earlier place."""
        ahead = set(self._working)
        for person in self._waiting:
            if person == who.person:
                break
            ahead.add(person)
        return len(ahead - {who.person})

    def _has_room(self, who: Visitor) -> bool:
        room = self.room
        return (
            self._working_from.total() < room.at_once
            and self._working_from[who.address] < room.of_an_address
            and (not who.is_known or self._working[who.person] < room.of_a_person)
        )

    def _begin(self, who: Visitor, turn: Turn) -> None:
        self._working[who.person] += 1
        self._working_from[who.address] += 1
        turn.set_result(None)
        self._forget(who.person)

    def _next(self) -> None:
        for person, mine in list(self._waiting.items()):
            if mine and self._has_room(mine[0][0]):
                who, turn = mine.popleft()
                _less(self._waiting_from, who.address)
                del self._waiting[person]
                if mine:
                    self._waiting[person] = mine
                self._begin(who, turn)

    def _forget(self, person: Hashable) -> None:
        if not self._waiting.get(person, True):
            del self._waiting[person]

    def _cancel_release(self, person: Hashable) -> None:
        if timer := self._kept.pop(person, None):
            timer.cancel()

    def _release_place(self, person: Hashable) -> None:
        del self._kept[person]
        self._forget(person)


def _less(counted: Counter[Hashable], key: Hashable) -> None:
    counted[key] -= 1
    if not counted[key]:
        del counted[key]


class ClientGone(Exception):
    """The client has disconnected, so the work for its response stops."""


@dataclass
class Job:
    """The work on one request. ``gone`` is True once the client has disconnected."""

    gone: bool = False


JOB: ContextVar[Job | None] = ContextVar("job", default=None)


def heavy(method: str, larger_than: int = 0) -> Callable[[View], View]:
    """Queue "GET" or "POST" requests to a view, of at least ``larger_than`` bytes, as heavy work."""

    def is_heavy(sent: str, size: int) -> bool:
        return method == ("GET" if sent == "HEAD" else sent) and size >= larger_than

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except ClientGone:
                return HttpResponse(status=204)  # not sent: the client has disconnected

        inner.is_heavy = is_heavy  # type: ignore[attr-defined]
        return inner

    return decorate


def check_client_waits() -> None:
    """Raise ``ClientGone`` between the steps of long work if the client has disconnected."""
    if (job := JOB.get()) and job.gone:
        raise ClientGone
