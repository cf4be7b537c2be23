"""The GM's actions on the stage: show scenes, and use what they contain."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion.http import HttpRequest
from sessions import access
from sessions.evening.codes import read_number
from sessions.game import IllegalMove
from sessions.models import Session, Stage
from sessions.scenarios import staging
from sessions.scenarios.document import Unfit
from sessions.screen.regions import refusal
from sessions.views.answers import back


@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a scenario of the campaign's GM for the session, or none.

    A deputy who took over may choose the session's own scenario alone: the others are for other sessions.
    """
    seat = access.seat_gm(request.person, pk)
    session, wanted = seat.session, request.POST.get("scenario")
    owned = session.own_campaign.gm.scenarios.all()
    is_deputy = seat.person != request.person
    if is_deputy:
        owned = owned.filter(pk__in=Stage.objects.filter(session=session).values("scenario"))
    scenario = get_object_or_404(owned, pk=read_number(wanted or "")) if wanted or is_deputy else None
    staging.choose(session=session, scenario=scenario)
    return back(request, session)


@require_POST
def put_on(request: HttpRequest, pk: int) -> HttpResponse:
    scene = request.POST.get("scene", "")
    return _done(request, pk, lambda session: staging.put_on(session=session, scene_id=scene))


@require_POST
def take_off(request: HttpRequest, pk: int) -> HttpResponse:
    return _done(request, pk, lambda session: staging.take_off(session=session))


@require_POST
def mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a thing of the scenario as used."""
    thing = request.POST.get("thing", "")
    return _done(request, pk, lambda session: staging.mark(session=session, thing_id=thing))


@require_POST
def send_handout(request: HttpRequest, pk: int, letter: str) -> HttpResponse:
    """Give a handout of the scenario to one player, or to all."""

    def send(session: Session) -> None:
        wanted = request.POST.get("seat", "")
        seats = [seat for seat in session.players if wanted == "all" or seat.pk == read_number(wanted)]
        if not seats:
            raise Unfit("nobody")
        staging.give_handout(session=session, letter_id=letter, seats=seats)

    return _done(request, pk, send)


@require_POST
def bring_npcs(request: HttpRequest, pk: int, npc: str) -> HttpResponse:
    """Bring NPCs of the scenario to the card table. [UC-10.4]"""
    table = access.table_gm(request.person, read_number(request.POST.get("table", "")))
    session = table.session
    if session.pk != pk:
        return back(request, session)
    try:
        staging.bring_npcs(session=session, npc_id=npc, table_pk=table.pk)
    except Unfit as unfit:
        messages.error(request, unfit_sentence(unfit))
    except IllegalMove as refused:
        messages.error(request, refusal(table.module, refused.code, refused.details))
    return back(request, session)


def unfit_sentence(unfit: Unfit) -> str:
    """Return the sentence that says why something in a scenario cannot be done."""
    return {
        "gone": _("This is not in the scenario any more."),
        "nobody": _("Nobody is there to get it."),
        "full": _("There is no room for more of this."),
        "malformed": _("This does not fit here."),
        "changed": _("Somebody wrote this meanwhile."),
    }.get(unfit.code, unfit.code)


def _done(request: HttpRequest, pk: int, act: Callable[[Session], object]) -> HttpResponse:
    session = access.seat_gm(request.person, pk).session
    try:
        act(session)
    except Unfit as unfit:
        messages.error(request, unfit_sentence(unfit))
    return back(request, session)
