"""The page of a table whose game is not here: taken out, or broken by its newest version."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sessions.engine.shelf import NotOnTheShelf


class NoGameMiddleware:
    """Says in words that a table waits for its game."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, NotOnTheShelf):
            return None
        return render(request, "sessions/no_game.html", {"key": exception.args[0]}, status=503)
