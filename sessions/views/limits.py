"""Lines and veils: everybody at the table reads and proposes them on their own page; the GM decides."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from companion.http import HttpRequest
from sessions import access
from sessions.evening import limits
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.forms.evening import LimitForm
from sessions.models import Limit, Seat
from sessions.scenarios import staging
from sessions.views.answers import back


@require_http_methods(["GET", "HEAD", "POST"])
def limits_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the session's limits with a form. The GM adds a limit, all others propose one.

    Live pages have the same form in a sheet, so that players stay at the table; that form asks for JSON.
    """
    seat = _reader_seat(request, pk)
    form = LimitForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _answer_limit(request, seat, form.save(commit=False))
    if request.method == "POST" and not request.accepts("text/html"):
        errors = {form.add_prefix(field): why for field, why in form.errors.items()}
        return JsonResponse({"errors": errors}, status=422)
    context: dict[str, Any] = {"session": seat.session, "own_seat": seat, "form": form}
    context |= limits.limits_context(seat.session, leads=access.runs(seat))
    context |= {"warns": staging.warnings(seat.session)}
    return render(request, "sessions/limits.html", context, status=422 if request.method == "POST" else 200)


def _answer_limit(request: HttpRequest, seat: Seat, limit: Limit) -> HttpResponse:
    in_place = not request.accepts("text/html")
    try:
        said = _save_limit(seat, limit)
    except Refused as refused:
        why = refusal_sentence(refused)
        if in_place:
            return JsonResponse({"reason": why}, status=422)
        messages.error(request, why)
    else:
        if in_place:
            return JsonResponse({"said": said})
        messages.success(request, said)
    return redirect("play:limits", seat.session_id)


def _save_limit(seat: Seat, limit: Limit) -> str:
    """Save or propose a limit, as the seat may; return the sentence that confirms it."""
    if access.runs(seat):
        limits.write_limit(session=seat.session, limit=limit)
        return _("It holds from now on.")
    limits.propose_limit(seat=seat, limit=limit)
    return _("On its way to the GM, without your name.")


@require_POST
def decide_limit(request: HttpRequest, pk: int, limit_pk: UUID) -> HttpResponse:
    """Accept a limit as a line or a veil, or take it off the list, as the GM."""
    session = access.seat_gm(request.person, pk).session
    limit = get_object_or_404(limits.visible_limits(session.campaign_id), pk=limit_pk)
    kind = request.POST.get("limit-kind", "")
    if kind in Limit.LimitKind.values:
        limits.agree_on_limit(limit=limit, kind=kind)
    elif kind == "off":
        limits.remove_limit(limit=limit)
    return redirect("play:limits", pk) if "page" in request.POST else back(request, session)


def _reader_seat(request: HttpRequest, pk: int) -> Seat:
    """Return the reader's seat in a session of a campaign."""
    seat = access.seat_kept(request.person, pk)
    if seat.session.is_free:
        raise Http404
    return seat
