"""The parts of a websocket: the frames that pages send, their rate limit, and the person behind it.

Each kind of frame is recognised by its first field, which no other kind has.

The rate limit holds for each person and page: one frame at a time and a limited number a second. A person
who floods a table thus delays only their own frames, on however many sockets. Accepted moves have a generous
limit of their own: it never delays a player, and a script only after 3,000 moves.

The person is found by the same cookies as for a page, and has a limited number of sockets. People who share
a device are all present while it shows a page of any of them (heartbeats.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import suppress
from typing import Any, Literal, get_args
from uuid import UUID
from weakref import WeakValueDictionary

from channels.auth import get_user
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from msgspec import Raw, Struct
from msgspec.json import Decoder

from companion.fallback.outages import NO_DATABASE, record_database_error
from companion.identity.people import COOKIE, person_of
from companion.identity.shared_device import company_of
from companion.models import Person
from companion.requests import quotas
from companion.requests.asgi_middleware import turn_away
from companion.requests.queue import cookies_of
from companion.requests.throttle import Bucket, Places
from companion.server.threads import run_in_lane
from sessions.evening import safety
from sessions.live.timers import Tempo

#: The burst, and then the rate a second, of refused moves, pings and all other frames.
FRAMES_AT_ONCE, FRAMES_A_SECOND = 20.0, 5.0
#: The same for accepted moves, each of which is a permanent row. A whole game has some hundreds of them.
MOVES_AT_ONCE, MOVES_A_SECOND = 3_000.0, 10.0
#: The close code "try again later", sent to a page while the database is unavailable.
TRY_AGAIN = 1013
AsgiApp = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class MoveFrame(Struct, frozen=True):
    """A move, with the table version and the mark of the question that its player saw."""

    move: Raw
    id: UUID
    version: int
    asked: str

    @property
    def kind(self) -> str:
        """The move's own type, for the log."""
        with suppress(LookupError, ValueError, RecursionError):
            return _text.decode(_fields.decode(self.move)["type"])[:80]
        return "?"


class PingFrame(Struct, frozen=True):
    """A heartbeat."""

    ping: Literal[1]


class CareFrame(Struct, frozen=True):
    """A care signal, without its sender's name unless they want it."""

    care: safety.SignalKind
    named: bool = False


class CareHeardFrame(Struct, frozen=True):
    """The GM has heard a care signal."""

    heard: safety.SignalKind


class ShareFrame(Struct, frozen=True):
    """A page's share in the random seed of a table that is opening."""

    share: str
    opening: str


class NudgeFrame(Struct, frozen=True):
    """The GM buzzes the phone of a seat."""

    nudge: str


class RevealFrame(Struct, frozen=True):
    """A mover reveals the drawn cards before the undo window ends; ``draw`` is the version of the move."""

    draw: int


class ReadingFrame(Struct, frozen=True):
    """A player reads what they could play, which delays the timeout of their silence; or has stopped."""

    reads: bool


class LessonFrame(Struct, frozen=True):
    """A player reads a lesson, which pauses the clock of their table; or has stopped."""

    learns: bool


class TempoFrame(Struct, frozen=True):
    """The tempo at which this page's reader wants bots to move."""

    tempo: Tempo


class EmoteFrame(Struct, frozen=True):
    emote: str


class SheetOpenedFrame(Struct, frozen=True):
    """A bottom sheet was opened, so its content must be rendered."""

    opened: str


class SheetClosedFrame(Struct, frozen=True):
    closed: str


class UnreadableFrame(Struct, frozen=True):
    """A frame that no page of ours sends; ``id`` is set if it could be read."""

    id: str | None = None


Frame = (
    MoveFrame
    | PingFrame
    | CareFrame
    | CareHeardFrame
    | ShareFrame
    | NudgeFrame
    | RevealFrame
    | ReadingFrame
    | LessonFrame
    | TempoFrame
    | EmoteFrame
    | SheetOpenedFrame
    | SheetClosedFrame
    | UnreadableFrame
)
_fields = Decoder(dict[str, Raw])
_text = Decoder(str)
READERS: dict[str, Decoder[Frame]] = {
    kind.__struct_fields__[0]: Decoder(kind) for kind in get_args(Frame) if kind is not UnreadableFrame
}


def read_frame(text: str) -> Frame:
    given: dict[str, Raw] = {}
    with suppress(ValueError, RecursionError):
        given = _fields.decode(text)
        for name, reader in READERS.items():
            if name in given:
                return reader.decode(text)
    with suppress(KeyError, ValueError):
        return UnreadableFrame(_text.decode(given["id"]))
    return UnreadableFrame()


class FrameLimit:
    """The rate limit of one person at one page."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._frames, self._moves = (
            Bucket(FRAMES_AT_ONCE, FRAMES_A_SECOND),
            Bucket(MOVES_AT_ONCE, MOVES_A_SECOND),
        )

    @property
    def is_free(self) -> bool:
        """True if the next frame of this person need not wait."""
        return not self._turn.locked() and not max(self._frames.wait, self._moves.wait)

    async def __aenter__(self) -> None:
        """Wait until no other frame of this person is being answered, and the rate limit allows one more."""
        await self._turn.acquire()
        if wait := max(self._frames.wait, self._moves.wait):
            try:
                await self._sleep(wait)
            except BaseException:
                self._turn.release()
                raise

    async def __aexit__(self, *problem: object) -> None:
        self._turn.release()

    def spend(self, *, moved: bool) -> None:
        """Count a frame: an accepted move, or any other."""
        (self._moves if moved else self._frames).spend()

    def outlast(self) -> None:
        """Keep this limit in memory until it has recovered, so that closing all pages does not reset it."""
        seconds = max(self._frames.full_in, self._moves.full_in)
        asyncio.get_running_loop().call_later(seconds, self._release)

    def _release(self) -> None:
        """Do nothing: the timer's reference to this method kept the limit in memory."""

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


_frame_limits: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, Hashable], FrameLimit] = (
    WeakValueDictionary()
)


def frame_limit_of(who: Hashable) -> FrameLimit:
    """Return the rate limit that all sockets of one person at one page share in this event loop."""
    return _frame_limits.setdefault((asyncio.get_running_loop(), who), FrameLimit())


class SocketPersonMiddleware:
    """Sets ``scope["person"]`` (or None), and ``scope["beside"]``, the pks of the others at the device.

    It turns away sockets beyond the limits of a person. While the person cannot be looked up, it asks the
    page to reconnect later, instead of refusing it.
    """

    def __init__(self, inner: AsgiApp) -> None:
        self.inner = inner
        self.of_all, self.at_page = Places(quotas.SOCKETS_OF_A_PERSON), Places(quotas.SOCKETS_AT_A_PAGE)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        try:
            person, beside = await run_in_lane(scope["path"], _people, scope)
            scope = {**scope, "person": person, "beside": beside}
            if person is None:
                await self.inner(scope, receive, send)
                return
            with (
                self.of_all.take_place(person.pk) as free,
                self.at_page.take_place((person.pk, scope["path"])) as free_here,
            ):
                await (self.inner(scope, receive, send) if free and free_here else turn_away(receive, send))
        except NO_DATABASE as problem:
            record_database_error(problem)
            with suppress(OSError):
                # Accept first: only an open socket can send the browser a close code.
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": TRY_AGAIN})


def current_person(scope: Mapping[str, Any]) -> Person | None:
    """Return the person to whom a websocket belongs now, by the cookies that it began with."""
    # Without Channels' AuthMiddleware, whose own hop to a thread would be half of the cost,
    # and without its SessionMiddleware, which inspects every frame that is sent.
    cookies = cookies_of(scope)
    session = SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of(get_user.func({"session": session}), cookies.get(COOKIE))


def _people(scope: Mapping[str, Any]) -> tuple[Person | None, tuple[int, ...]]:
    person = current_person(scope)
    together = company_of(person, cookies_of(scope)).people
    return person, tuple(one.pk for one in together if one != person)
