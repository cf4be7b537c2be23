"""Responses to the POST of a button: a refusal becomes a message, and a redirect leads back to its page."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from companion.http import HttpRequest
from sessions.evening.codes import read_number
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.models import Session


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
