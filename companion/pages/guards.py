"""Defaults for every page, enforced by a middleware so that no new view can forget them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import DisallowedHost, ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

logger = logging.getLogger(__name__)

#: The largest id that our databases support.
LARGEST = 2**63 - 1
#: The endings of URL parameters that hold an id.
ROWS = ("pk", "item")


class GuardMiddleware:
    """Disable caching by default, respond 404 to ids out of range, and restrict websockets to our host.

    If another device deletes a row while a view works on it, the response is 404, too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        response._csp_update = {"connect-src": own_sockets(request)}  # type: ignore[attr-defined]
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> None:
        rows = [value for name, value in kwargs.items() if name.endswith(ROWS)]
        if any(isinstance(row, int) and row > LARGEST for row in rows):
            raise Http404

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        if isinstance(exception, ObjectDoesNotExist):
            logger.warning("%s: %s", request.path, exception, exc_info=exception)
            raise Http404 from exception


def own_sockets(request: HttpRequest) -> list[str]:
    """Return the CSP sources for our websockets: older Safari does not count them as 'self'."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return []
    return [f"ws://{host}", f"wss://{host}"]
