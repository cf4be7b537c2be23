"""The 429 response for too many tries, with the time to wait."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from companion.limits.throttle import TooManyRequests

MINUTE, HOUR = 60, 60 * 60


def sentence(seconds: int) -> str:
    """Return the message for the user, with the time to wait."""
    if seconds > 2 * HOUR:
        hours = ceil(seconds / HOUR)
        said = ngettext(
            "Too many tries. Please try again in %(count)s hour.",
            "Too many tries. Please try again in %(count)s hours.",
            hours,
        )
        return said % {"count": hours}
    minutes = ceil(seconds / MINUTE)
    said = ngettext(
        "Too many tries. Please try again in %(count)s minute.",
        "Too many tries. Please try again in %(count)s minutes.",
        minutes,
    )
    return said % {"count": minutes}


def until(response: HttpResponse, seconds: int) -> HttpResponse:
    """Set ``Retry-After`` on a response."""
    response["Retry-After"] = str(seconds)
    return response


def page(request: HttpRequest, seconds: int = MINUTE) -> HttpResponse:
    """The 429 page. allauth calls it too (``handler429``), without ``seconds``: its limits are per minute."""
    return until(render(request, "429.html", {"sentence": sentence(seconds)}, status=429), seconds)


class TooOftenMiddleware:
    """Turn ``TooManyRequests`` into the 429 page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return page(request, exception.seconds) if isinstance(exception, TooManyRequests) else None
