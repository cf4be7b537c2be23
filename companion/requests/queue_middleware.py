"""Queue requests before they get a thread, and limit those of one person and one address.

Python threads share one interpreter: with sixty pages rendered at once, every move would take sixty times as
long. So only a few requests are processed at a time, and the others wait here, where they cost nothing.

The responses to requests that must wait or are refused are made without Django's threads and the database.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import SuspiciousFileOperation
from django.core.handlers.asgi import ASGIRequest
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.observability.metrics import QUEUE_WAITING, TURNED_AWAY
from companion.pages.defaults import language_of
from companion.requests.asgi_middleware import content_length, send_response
from companion.requests.queue import (
    JOB,
    REST,
    Capacity,
    Job,
    RequestQueue,
    Turn,
    visitor_of,
)
from companion.requests.throttle import Buckets, TooManyRequests, scale_to_crowd

#: The capacity for pages. All phones of a convention (300) may wait at once, also for several pages each.
PAGES = Capacity(
    at_once=6,
    of_an_address=4,
    of_a_person=2,
    waiting_of_an_address=scale_to_crowd(1_000),
    waiting_of_a_person=100,
)
#: The capacity for heavy work: proofs, files, replays, pictures.
HEAVY = Capacity(
    at_once=2,
    of_an_address=2,
    of_a_person=1,
    waiting_of_an_address=scale_to_crowd(400),
    waiting_of_a_person=10,
)
#: Seconds after which a request frees its place although it has not ended: no client waits that long.
HELD_AT_MOST = 120.0
#: Rate limits: requests at once, and requests per second from then on.
OF_A_PERSON, OF_AN_ADDRESS = (200, 10), (scale_to_crowd(2_000), scale_to_crowd(60))
#: Seconds that a request waits in the queue at most.
PATIENCE = 30.0
#: Seconds until a client of heavy work gets its position, until it asks again, and until it loses its place.
TOLD_AFTER, AGAIN_AFTER, KEPT = 1.5, 1, 10.0
logger = logging.getLogger(__name__)


class RequestQueueMiddleware:
    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopQueues] = WeakKeyDictionary()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if _is_static(scope["path"]):
            await self.inner(scope, receive, send)
            return
        queues = self._queues.setdefault(asyncio.get_running_loop(), LoopQueues())
        request = _Request(scope, receive, queues)

        async def answer(message: dict[str, Any]) -> None:
            # The thread has finished: free the place before sending, as a slow client must not block others.
            request.leave()
            await send(message)

        try:
            JOB.set(request.job if request.is_heavy else None)
            await self.inner(scope, request.receive, answer)
        finally:
            request.end()
        if request.answer:
            await _send_answer(scope, send, request.answer)


class QueueAnswer(NamedTuple):
    """The answer to a request that is refused or must ask again after ``seconds``."""

    status: int
    seconds: int
    ahead: int | None = None  #: the people before this one


class LoopQueues:
    def __init__(self) -> None:
        self.pages, self.heavy = RequestQueue(PAGES), RequestQueue(HEAVY)
        self.of_a_person, self.of_an_address = Buckets(*OF_A_PERSON), Buckets(*OF_AN_ADDRESS)


class _Request:
    """A request in the queue. Django receives the last part of its body when it is its turn.

    A disconnect is hidden from Django, which would abandon the running thread, uncounted. So a turn lasts
    until the thread has ended, and the thread learns of the disconnect from its ``Job``.
    """

    def __init__(self, scope: dict[str, Any], receive: Any, queues: LoopQueues) -> None:
        self.scope, self.queues, self.job = scope, queues, Job()
        self.who = visitor_of(scope)
        self.is_heavy = _is_heavy(scope)
        self.queue = queues.heavy if self.is_heavy else queues.pages
        #: It is sent instead of the page.
        self.answer: QueueAnswer | None = None
        self._receive = receive
        self._turn: Turn | None = None
        self._overdue: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def receive(self) -> dict[str, Any]:
        if self._leaving:
            await asyncio.get_running_loop().create_future()  # pending until Django cancels it after its work
        message: dict[str, Any] = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body"):
            self._leaving = asyncio.create_task(self._wait_for_disconnect())
            if not await self._is_next():
                return {"type": "http.disconnect"}
        return message

    def end(self) -> None:
        if self._leaving:
            self._leaving.cancel()
        self.leave()

    def leave(self) -> None:
        if self._overdue:
            self._overdue.cancel()
        if self._turn:
            self.queue.leave(self.who, self._turn)
            self._turn = None

    def _leave_overdue(self) -> None:
        words = "%s %s has had no answer for %d s; its place is given back"
        logger.error(words, self.scope["method"], self.scope["path"], HELD_AT_MOST)
        self.leave()

    async def _wait_for_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.job.gone = True

    async def _is_next(self) -> bool:
        """Wait for the turn of this request. False if it is refused or must ask again, or its client left."""
        is_too_fast = True
        try:
            await self._wait_for_rate_limits()
            is_too_fast = False
            self._turn = self.queue.join(self.who)
        except TooManyRequests as refused:
            TURNED_AWAY.labels("requests" if is_too_fast else "queue").inc()
            self.answer = QueueAnswer(429, refused.seconds)
            return False
        with QUEUE_WAITING.labels("heavy" if self.is_heavy else "pages").track_inprogress():
            await self._wait(self._turn, TOLD_AFTER if self._may_be_told else PATIENCE)
        if self._turn.done():
            self._overdue = asyncio.get_running_loop().call_later(HELD_AT_MOST, self._leave_overdue)
        elif not self.job.gone:
            self.answer = self._answer_without_turn()
        return self._turn.done()

    async def _wait_for_rate_limits(self) -> None:
        """Wait as the rate limits require, or raise ``TooManyRequests`` for more than ``PATIENCE``."""
        buckets = [self.queues.of_an_address.bucket_for(self.who.address)]
        if self.who.is_known:
            buckets.append(self.queues.of_a_person.bucket_for(self.who.person))
        late = max(bucket.wait for bucket in buckets)
        if late > PATIENCE:
            raise TooManyRequests(REST)
        for bucket in buckets:
            bucket.spend()
        if late:
            await self._wait(None, late)

    async def _wait(self, turn: Turn | None, seconds: float) -> None:
        """Wait until the turn comes, the client disconnects, or ``seconds`` have passed."""
        assert self._leaving
        if turn is None or not turn.done():
            what = {self._leaving, turn} if turn else {self._leaving}
            await asyncio.wait(what, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    @property
    def _may_be_told(self) -> bool:
        """A client can get its position and ask again, but a POST cannot be repeated that way."""
        return self.is_heavy and self.scope["method"] in ("GET", "HEAD")

    def _answer_without_turn(self) -> QueueAnswer:
        if not self._may_be_told:
            TURNED_AWAY.labels("queue").inc()
            return QueueAnswer(429, REST)
        self.queue.keep(self.who, KEPT)
        return QueueAnswer(503, AGAIN_AFTER, self.queue.count_ahead(self.who))


def _is_heavy(scope: dict[str, Any]) -> bool:
    is_heavy = getattr(_view(scope["path"]), "is_heavy", None)
    return bool(is_heavy and is_heavy(scope["method"], content_length(scope)))


@lru_cache(4096)
def _view(path: str) -> Callable[..., Any] | None:
    with suppress(Resolver404):
        return resolve(path).func
    return None


def _is_static(path: str) -> bool:
    """True for an existing static file: a page has many, and serving one costs next to nothing."""
    if not path.startswith(settings.STATIC_URL):
        return False
    if getattr(settings, "WHITENOISE_USE_FINDERS", settings.DEBUG):
        return True  # in development, static files are in many folders
    with suppress(SuspiciousFileOperation):
        return staticfiles_storage.exists(path.removeprefix(settings.STATIC_URL))
    return False


async def _send_answer(scope: dict[str, Any], send: Any, answer: QueueAnswer) -> None:
    request = ASGIRequest(scope, io.BytesIO())
    language = language_of(request)
    # Scripts accept anything (*/*); browsers ask for text/html.
    if "text/html" in request.headers.get("Accept", ""):
        kind = "text/html; charset=utf-8"
        body = _page(language, answer, sent=request.method not in ("GET", "HEAD"))
    else:
        kind, body = "application/json", _data(language, answer.ahead)
    headers = {
        "content-type": kind,
        "content-security-policy": "default-src 'self'",
        "cache-control": "no-store",
        "retry-after": str(answer.seconds),
        "x-content-type-options": "nosniff",
    }
    await send_response(send, answer.status, headers, body)


@lru_cache(1024)
def _page(language: str, answer: QueueAnswer, *, sent: bool) -> bytes:
    with translation.override(language):
        values = {"reason": _reason(answer.ahead), "seconds": answer.seconds, "sent": sent}
        return render_to_string("in_line.html", values).encode()


@lru_cache(1024)
def _data(language: str, ahead: int | None) -> bytes:
    with translation.override(language):
        return json.dumps({"ahead": ahead, "reason": _reason(ahead)}).encode()


def _reason(ahead: int | None) -> str:
    if ahead is None:
        return _("Many requests came from here at once.")
    if ahead == 0:
        return _("Waiting in line: you are next.")
    said = ngettext("Waiting in line: %(n)s person ahead.", "Waiting in line: %(n)s people ahead.", ahead)
    return said % {"n": ahead}
