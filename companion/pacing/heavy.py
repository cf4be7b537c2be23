"""Views that take long: one at a time for a person, few at a time for all, and none that nobody waits for."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]
#: Forms that may bring a picture, and seldom do, are heavy from so many bytes on.
WITH_A_PICTURE = 20_000


class NobodyWaits(Exception):
    """Whoever asked has gone, so the answer is not worked out."""


@dataclass
class Job:
    """The work on one request. Its thread looks whether somebody still waits for the answer."""

    gone: bool = False


JOB: ContextVar[Job | None] = ContextVar("job", default=None)


@dataclass(frozen=True)
class Heavy:
    """The heavy part of a view: a method, and how many bytes a request has at least."""

    method: str
    larger_than: int

    def includes(self, method: str, size: int) -> bool:
        return self.method == ("GET" if method == "HEAD" else method) and size >= self.larger_than


def heavy(method: str, larger_than: int = 0) -> Callable[[View], View]:
    """Let requests to a view stand in the line for heavy work (``companion.pacing.gate``).

    :param method: what is heavy, "GET" or "POST".
    :param larger_than: requests with fewer bytes are like any other.
    """

    def marked(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NobodyWaits:
                return HttpResponse(status=204)  # which nobody reads

        inner.heavy = Heavy(method, larger_than)  # type: ignore[attr-defined]
        return inner

    return marked


def go_on() -> None:
    """Go on with long work, which asks so between its parts.

    :raises NobodyWaits: it ends here.
    """
    if (job := JOB.get()) and job.gone:
        raise NobodyWaits
