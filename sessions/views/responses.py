"""The shape of a button's action, and the error pages of sessions and tables.

One error page is for a table whose game is missing, broken by its newest version, or has failed. The other is
for a session or a table where the person of a device has no seat; it gives the reason if it is known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from characters.refusals import sentence as sheet_sentence
from characters.rules import SheetRefused
from companion.identity.people import HttpRequest, guest_of
from companion.pages.defaults import Middleware
from companion.requests import read_number
from sessions import access
from sessions.board_games import games
from sessions.engine.registry import GameNotRegistered
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.game import GameFailed, IllegalMove
from sessions.live.regions import table_refusal
from sessions.models import Seat, Table
from sessions.scenarios.document import Unfit

logger = logging.getLogger(__name__)
View = Callable[..., HttpResponse]
Action = Callable[..., HttpResponse | None]


def back(request: HttpRequest, place: Seat | Table) -> HttpResponse:
    """Redirect to the page of the button: the table, or the one that the form names, else the session."""
    if isinstance(place, Table):
        return redirect(place)
    table = place.session.tables.filter(pk=read_number(request.POST.get("table", ""))).first()
    return redirect(table or place.session)


def to_session(request: HttpRequest, place: Seat | Table) -> HttpResponse:
    return redirect(place.session)


def action(
    find: Callable[..., Any], *keys: str, to: Callable[[HttpRequest, Any], HttpResponse] = back
) -> Callable[[Action], View]:
    """Decorate the action of a button, which receives what an access check returns. Only POST is allowed.

    If the action returns no response, or is refused, ``to`` responds. The next page shows the reason of a
    refusal.

    :param find: the access check; it returns a seat, or a table, alone or with the person's seat there.
    :param keys: the parts of the URL that ``find`` takes after the person, by default ``pk`` alone.
    :param to: gets the request and the first value that ``find`` returned.
    """

    def decorate(act: Action) -> View:
        @require_POST
        @wraps(act)
        def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            found = find(request.person, *(kwargs.pop(key) for key in keys or ("pk",)))
            place, *seats = found if isinstance(found, tuple) else (found,)
            with refusals_as_messages(request, place if isinstance(place, Table) else None):
                if response := act(request, place, *seats, **kwargs):
                    return response
            return to(request, place)

        return inner

    return decorate


@contextmanager
def refusals_as_messages(request: HttpRequest, table: Table | None = None) -> Iterator[None]:
    """Let the next page show the reason of a refusal; one by a game's rules needs its ``table``."""
    try:
        yield
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
    except SheetRefused as refused_sheet:
        messages.error(request, sheet_sentence(refused_sheet))
    except Unfit as unfit:
        messages.error(request, unfit_sentence(unfit))
    except IllegalMove as illegal:
        if table is None:
            raise
        messages.error(request, table_refusal(table.module, illegal.code, illegal.details))


@contextmanager
def refusals_as_errors(form: BaseForm) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        form.add_error(None, refusal_sentence(refused))


def refused_move(table: Table, refused: IllegalMove) -> HttpResponse:
    """Respond to a script whose move the game refuses."""
    reason = table_refusal(table.module, refused.code, refused.details)
    answer = {"refused": refused.code, "reason": reason, "rule": refused.details.get("rule")}
    return JsonResponse(answer, status=409)


def unfit_sentence(unfit: Unfit) -> str:
    """Return the sentence that says why something in a scenario cannot be done."""
    return {
        "gone": _("This is not in the scenario any more."),
        "nobody": _("Nobody is there to get it."),
        "full": _("There is no room for more of this."),
        "malformed": _("This does not fit here."),
        "changed": _("Somebody wrote this meanwhile."),
    }.get(unfit.code, unfit.code)


def no_store(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response


class NoGameMiddleware(Middleware):
    """Shows an error page for a table that cannot be shown because of its game; the table stays unchanged."""

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
    table, seat = access.table_and_seat(request.person, page.kwargs["pk"])
    runs = table.ended_at is None and table.session.ended_at is None
    return table if runs and games.manages(seat, table) else None


#: The pages of a session, each with the lookup by which its key finds seats.
SESSION_PAGES = {"play:session": "session", "play:table": "session__tables"}


class NotYoursMiddleware(Middleware):
    """Shows whose seat it is: that of this device's guest, or one that was moved to another device.

    A person who had no seat in a session learns nothing about it.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        page = request.resolver_match
        if not isinstance(exception, Http404) or page is None or page.view_name not in SESSION_PAGES:
            return None
        here = request.get_full_path()
        seats = Seat.objects.filter(session__ended_at=None, removed_at=None)
        seats = seats.filter(**{SESSION_PAGES[page.view_name]: page.kwargs["pk"]}).select_related("session")
        if request.user.is_authenticated:
            seat = seats.filter(person=guest_of(request)).exclude(person=None).first()
            context = {"seat": seat, "next": here}
            return render(request, "sessions/guests_seat.html", context, status=409) if seat else None
        own, moved = (seats.filter(**{whose: request.person}) for whose in ("person", "moved_from"))
        if request.person and not own.exists() and (seat := moved.first()):
            return render(request, "sessions/moved_seat.html", {"seat": seat}, status=410)
        return render(request, "404.html", {"signs_in": here}, status=404)
