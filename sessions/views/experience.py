"""Actions at the end of a session, and a sheet's history as the GM sees it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters import history
from characters.models import Character
from characters.refusals import sentence
from characters.rules import SheetRefused
from companion.http import HttpRequest
from companion.pages.public_origin import origin_of
from sessions import access
from sessions.card_table import checklists
from sessions.evening import announcing, refusals
from sessions.evening.refusals import refusal_sentence
from sessions.models import Seat
from sessions.screen.lobby_page import LobbyPage


@require_POST
def begin_checklists(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the players to tick their checklists, even before the session has ended."""
    gm = access.seat_gm(request.person, pk)
    return _done(request, gm, lambda: checklists.begin(session=gm.session))


@require_POST
def tick_checklist(request: HttpRequest, pk: int, key: str, ticked: int) -> HttpResponse:
    """Tick a line of one's own checklist, or take the tick back."""
    seat = access.seat_kept(request.person, pk)
    return _done(request, seat, lambda: checklists.tick(seat=seat, key=key, ticked=bool(ticked)))


@require_POST
def tick_checklist_for(request: HttpRequest, pk: int, seat_pk: int, key: str, ticked: int) -> HttpResponse:
    """Tick a line for a player, or take the tick back."""
    gm, seat = access.seat_gm(request.person, pk), access.seat_for_gm(request.person, pk, seat_pk)
    return _done(request, gm, lambda: checklists.tick(seat=seat, key=key, ticked=bool(ticked)))


@require_POST
def confirm_checklist(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    gm, seat = access.seat_gm(request.person, pk), access.seat_for_gm(request.person, pk, seat_pk)
    return _done(request, gm, lambda: checklists.confirm(seat=seat, by=request.person))


@require_POST
def confirm_all_checklists(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm every checklist that has a tick."""
    gm = access.seat_gm(request.person, pk)
    return _done(request, gm, lambda: checklists.confirm_all(session=gm.session, by=request.person))


def _done(request: HttpRequest, seat: Seat, verb: Callable[[], None]) -> HttpResponse:
    """Run an action and respond: with the changed region for htmx, with a redirect for a plain form."""
    live = bool(request.headers.get("HX-Request"))
    try:
        verb()
    except (refusals.Refused, SheetRefused) as refused:
        if not live:
            words = sentence(refused) if isinstance(refused, SheetRefused) else refusal_sentence(refused)
            messages.error(request, words)
    if not live:
        return redirect(f"{seat.session.get_absolute_url()}#experience")
    region = "experience_gm" if seat.is_gm else "experience"
    page = LobbyPage(request.person, seat.session_id, origin_of(request))
    return HttpResponse(page.render_parts([region]).regions.get(region, ""))


# A sheet's history, for the GM of a session that it was brought to


@require_safe
def seat_history(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Show the history of the character that a seat brings."""
    return history.show_all(request, *_character_and_place(request, pk, seat_pk))


@require_safe
def seat_revision(request: HttpRequest, pk: int, seat_pk: int, number: int) -> HttpResponse:
    character, place = _character_and_place(request, pk, seat_pk)
    return history.show_one(request, character, number, place)


@require_POST
def seat_restore(request: HttpRequest, pk: int, seat_pk: int, number: int) -> HttpResponse:
    character, place = _character_and_place(request, pk, seat_pk)
    answer = history.go_back(request, character, number, place)
    announcing.broadcast(pk)
    return answer


def _character_and_place(
    request: HttpRequest, pk: int, seat_pk: int
) -> tuple[Character, history.HistoryAddresses]:
    character = access.character_for_gm(request.person, pk, seat_pk)
    address = [pk, seat_pk]
    place = history.HistoryAddresses(
        reverse("play:seat-character", args=address), reverse("play:seat-history", args=address)
    )
    return character, place
