"""The error page of a table whose game is missing, broken by its newest version, or has failed."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render

from companion.http import HttpRequest
from sessions import access
from sessions.board_games import games
from sessions.engine.shelf import GameNotRegistered
from sessions.game import GameFailed
from sessions.models import Table

logger = logging.getLogger(__name__)


class NoGameMiddleware:
    """Shows an error page for a table that cannot be shown because of its game; the table stays unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        match exception:
            case GameNotRegistered():
                context = {"key": exception.args[0], "table": _to_end(request)}
                return render(request, "sessions/no_game.html", context, status=503)
            case GameFailed():
                logger.error("%s: %s", request.path, exception, exc_info=exception)
                context = {"key": exception.key, "table": _to_end(request)}
                return render(request, "sessions/failed_game.html", context, status=503)
        return None


def _to_end(request: HttpRequest) -> Table | None:
    """Return the table of this page, if it runs and the person of the request may end it."""
    page = request.resolver_match
    if page is None or page.view_name != "play:table":
        return None
    table, seat = access.table_seat(request.person, page.kwargs["pk"])
    runs = table.ended_at is None and table.session.ended_at is None
    return table if runs and games.manages(seat, table) else None
