"""The page of lines and veils: everybody at the table reads and proposes, the GM decides."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from companion.http import HttpRequest
from companion.throttle import Windows, client_address
from sessions import access
from sessions.evening import limits
from sessions.forms.evening import LimitForm
from sessions.models import Limit, Seat
from sessions.views.answers import done

WRITTEN = Windows("limits", ((30, 300),))


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """What holds tonight, with a form: from the GM a limit, from others a proposal."""
    seat = _seated(request, pk)
    session, leads = seat.session, access.runs(seat)
    form = LimitForm(request.POST or None)
    if request.method == "POST" and not session.ended_at and form.is_valid():
        WRITTEN.demand(client_address(request))
        limit = form.save(commit=False)
        if done(request, lambda: limits.write(session=session, limit=limit, agreed=leads)):
            said = _("It holds from now on.") if leads else _("Passed on to the GM, without your name.")
            messages.success(request, said)
        return redirect("play:limits", pk)
    context = {"session": session, "form": form, "leads": leads, "agreed": limits.agreed(session)}
    context["proposed"] = limits.proposed(session) if leads else []
    return render(request, "sessions/limits.html", context, status=422 if form.errors else 200)


@require_POST
def decide(request: HttpRequest, pk: int, limit_pk: int) -> HttpResponse:
    """As the GM: agree to a limit as a line or a veil, or take it off the list."""
    session = access.seat_gm(request.person, pk).session
    limit = get_object_or_404(Limit, pk=limit_pk, campaign=session.campaign_id)
    kind = request.POST.get("limit-kind", "")
    if kind in Limit.Kind.values:
        limits.agree(limit=limit, kind=kind)
    elif kind == "off":
        limit.delete()
    return redirect("play:limits", pk)


def _seated(request: HttpRequest, pk: int) -> Seat:
    """Return the seat of the reader, at an evening with a campaign."""
    seat = access.seat_kept(request.person, pk)
    if seat.session.is_free:
        raise Http404
    return seat
