"""The answers to a tap: a refusal is told in words, and the way leads back to the page of the tap."""

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
    """True if ``act`` was done; the next page tells the reason of a refusal."""
    try:
        act()
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
        return False
    return True


def back(request: HttpRequest, session: Session) -> HttpResponse:
    """Go on where a tap came from: at the table that the form names, else at the evening."""
    table = session.tables.filter(pk=read_number(request.POST.get("table", ""))).first()
    return redirect(table or session)
