"""Responses to requests that must wait or are refused, made without Django's threads and the database."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.wording.asked import language_of

#: The ``Retry-After`` of a refused request, in seconds.
REST = 10


@dataclass(frozen=True)
class QueueResponse:
    """A short response. Its cached body depends on the language and the position, not on the person."""

    status: int
    kind: str
    body: bytes
    seconds: int

    async def send(self, send: Any) -> None:
        headers = {
            "content-type": self.kind,
            "content-length": str(len(self.body)),
            "content-security-policy": "default-src 'self'",
            "cache-control": "no-store",
            "retry-after": str(self.seconds),
            "x-content-type-options": "nosniff",
        }
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": pairs})
        await send({"type": "http.response.body", "body": self.body})


def in_line(scope: dict[str, Any], ahead: int, seconds: int) -> QueueResponse:
    """Respond 503 with the position in the queue, and retry after ``seconds``."""
    return _answer(scope, 503, ahead, seconds)


def too_many(scope: dict[str, Any]) -> QueueResponse:
    """Respond 429: the queue is full, or the wait would be too long."""
    return _answer(scope, 429, None, REST)


def _answer(scope: dict[str, Any], status: int, ahead: int | None, seconds: int) -> QueueResponse:
    request = ASGIRequest(scope, io.BytesIO())
    language = language_of(request)
    # Scripts accept anything (*/*); browsers ask for text/html.
    if "text/html" not in request.headers.get("Accept", ""):
        return QueueResponse(status, "application/json", _data(language, ahead), seconds)
    sent = request.method not in ("GET", "HEAD")
    return QueueResponse(
        status, "text/html; charset=utf-8", _page(language, ahead, seconds, sent=sent), seconds
    )


@lru_cache(1024)
def _page(language: str, ahead: int | None, seconds: int, *, sent: bool) -> bytes:
    with translation.override(language):
        values = {"reason": _reason(ahead), "seconds": seconds, "sent": sent}
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
    return ngettext("Waiting in line: %(n)s person ahead.", "Waiting in line: %(n)s people ahead.", ahead) % {
        "n": ahead
    }
