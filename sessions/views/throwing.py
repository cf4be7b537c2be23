"""The GM's actions that show a cut-in, or play a short sound, on all screens."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from companion.http import HttpRequest
from sessions import access
from sessions.models import Session
from sessions.scenarios import staging
from sessions.scenarios.document import Unfit
from sessions.views.answers import back, done
from sessions.views.stage import unfit_sentence


@require_POST
def throw_cut_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the cut-in that the form names in ``cut_in``."""
    cut_in = request.POST.get("cut_in", "")
    return _throw(request, pk, lambda session: staging.show_cut_in(session=session, cut_in_id=cut_in))


@require_POST
def play_once(request: HttpRequest, pk: int) -> HttpResponse:
    """Play the short sound that the form names in ``sound``."""
    sound = request.POST.get("sound", "")
    return _throw(request, pk, lambda session: staging.play_once(session=session, key=sound))


def _throw(request: HttpRequest, pk: int, act: Callable[[Session], None]) -> HttpResponse:
    session = access.seat_gm(request.person, pk).session
    try:
        done(request, lambda: act(session))
    except Unfit as unfit:
        messages.error(request, unfit_sentence(unfit))
    return back(request, session)
