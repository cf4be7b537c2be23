"""The page of a table whose game is not here, taken out or broken by its newest version, or has failed."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sessions.engine.shelf import NotOnTheShelf
from sessions.game import GameFailed

logger = logging.getLogger(__name__)


class NoGameMiddleware:
    """Says in words that a table cannot be shown because of its game; the table stays as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        match exception:
            case NotOnTheShelf():
                return render(request, "sessions/no_game.html", {"key": exception.args[0]}, status=503)
            case GameFailed():
                logger.error("%s: %s", request.path, exception, exc_info=exception)
                return render(request, "sessions/failed_game.html", {"key": exception.key}, status=503)
        return None
