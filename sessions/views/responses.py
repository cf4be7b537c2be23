"""Responses that all views share: to the POST of a button, and the error pages of sessions and tables.

A refusal of a button's action becomes a message, and a redirect leads back to the page of the button. One
error page is for a table whose game is missing, broken by its newest version, or has failed. The other is
for a session or a table where the person of a device has no seat; it gives the reason if it is known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from companion.identity.people import HttpRequest, guest_of
from sessions import access
from sessions.board_games import games
from sessions.engine.registry import GameNotRegistered
from sessions.evening.nights import read_number
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.game import GameFailed
from sessions.models import Seat, Session, Table

logger = logging.getLogger(__name__)
#: The pages of a session, each with the lookup by which its key finds seats.
OF_AN_EVENING = {"play:session": "session", "play:table": "session__tables"}


def done(request: HttpRequest, act: Callable[[], object]) -> bool:
    """Return True if ``act`` was done. The next page shows the reason of a refusal."""
    try:
        act()
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
        return False
    return True


def back(request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect to the page of the button: the table that the form names, else the session."""
    table = session.tables.filter(pk=read_number(request.POST.get("table", ""))).first()
    return redirect(table or session)


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


class NotYoursMiddleware:
    """Shows whose seat it is: that of this device's guest, or one that was moved to another device.

    A person who had no seat in a session learns nothing about it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        page = request.resolver_match
        if not isinstance(exception, Http404) or page is None or page.view_name not in OF_AN_EVENING:
            return None
        here = request.get_full_path()
        seats = Seat.objects.filter(session__ended_at=None, removed_at=None)
        seats = seats.filter(**{OF_AN_EVENING[page.view_name]: page.kwargs["pk"]}).select_related("session")
        if request.user.is_authenticated:
            seat = seats.filter(person=guest_of(request)).exclude(person=None).first()
            context = {"seat": seat, "next": here}
            return render(request, "sessions/guests_seat.html", context, status=409) if seat else None
        own, moved = (seats.filter(**{whose: request.person}) for whose in ("person", "moved_from"))
        if request.person and not own.exists() and (seat := moved.first()):
            return render(request, "sessions/moved_seat.html", {"seat": seat}, status=410)
        return render(request, "404.html", {"signs_in": here}, status=404)
