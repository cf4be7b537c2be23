"""The actions on shared clocks, for the GM or the deputy who runs the session."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion.http import HttpRequest
from sessions import access
from sessions.evening import shared_clocks
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.forms.evening import SharedClockForm
from sessions.models import SharedClock
from sessions.views.answers import back

#: The actions on a clock, by the form's ``move``.
CLOCK_MOVES: dict[str, Callable[[SharedClock], None]] = {
    "more": lambda clock: shared_clocks.turn(clock=clock, by=1),
    "less": lambda clock: shared_clocks.turn(clock=clock, by=-1),
    "run": lambda clock: shared_clocks.run(clock=clock),
    "pause": lambda clock: shared_clocks.pause(clock=clock),
    "away": lambda clock: shared_clocks.take_away(clock=clock),
}


@require_POST
def add_clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a clock that everybody sees. Respond with a confirmation, or with the errors by field."""
    session = access.seat_gm(request.person, pk).session
    form = SharedClockForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=422)
    try:
        shared_clocks.lay_open(session=session, clock=form.save(commit=False))
    except Refused as refused:
        return JsonResponse({"reason": refusal_sentence(refused)}, status=422)
    return JsonResponse({"said": _("Everybody sees the clock.")})


@require_POST
def move_clock(request: HttpRequest, pk: int, clock_pk: int) -> HttpResponse:
    """Move, start, pause or remove a clock."""
    session = access.seat_gm(request.person, pk).session
    clock = get_object_or_404(session.clocks, pk=clock_pk)
    if request.POST.get("move") not in CLOCK_MOVES:
        return HttpResponseBadRequest()
    CLOCK_MOVES[request.POST["move"]](clock)
    return back(request, session)
