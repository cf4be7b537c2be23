"""Mark slow views: they get their own queue, and their work stops if the client disconnects."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]
#: Bytes from which a form counts as heavy because it probably has a picture.
WITH_A_PICTURE = 20_000


class ClientGone(Exception):
    """The client has disconnected, so the work for its response stops."""


@dataclass
class Job:
    """The work on one request. ``gone`` is True once the client has disconnected."""

    gone: bool = False


JOB: ContextVar[Job | None] = ContextVar("job", default=None)


@dataclass(frozen=True)
class Heavy:
    """The requests to a view that are heavy: their method and minimum size in bytes."""

    method: str
    larger_than: int

    def includes(self, method: str, size: int) -> bool:
        return self.method == ("GET" if method == "HEAD" else method) and size >= self.larger_than


def heavy(method: str, larger_than: int = 0) -> Callable[[View], View]:
    """Queue requests to a view as heavy work (``companion.requests.queue_middleware``).

    :param method: the method that is heavy, "GET" or "POST".
    :param larger_than: requests with fewer bytes are not heavy.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except ClientGone:
                return HttpResponse(status=204)  # not sent: the client has disconnected

        inner.heavy = Heavy(method, larger_than)  # type: ignore[attr-defined]
        return inner

    return decorate


def check_client_waits() -> None:
    """Check between the steps of long work that the client still waits.

    :raises ClientGone: the client has disconnected.
    """
    if (job := JOB.get()) and job.gone:
        raise ClientGone
