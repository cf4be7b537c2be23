"""The door: looking up codes, limits against guessing, and the little that a stranger learns.

A code is looked up only within limits, so that beyond them a right code answers like a wrong one. Codes that
opened something do not count. With ``codes.digits_beside`` the limit of the whole server keeps a guesser out
for years; a link or a QR code has its code's key and is let in despite all guessers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare

from companion.http import HttpRequest
from companion.throttle import Windows, client_address
from sessions.evening import invitation, nights
from sessions.evening.codes import MISSES_A_DAY
from sessions.models import Session

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
ONE_ADDRESS = Windows("code", ((20, MINUTE), (60, HOUR), (100, DAY)))
WHOLE_SERVER = Windows("codes", ((60, MINUTE), (120, HOUR), (MISSES_A_DAY, DAY)))


class TooOften(Exception):
    """Too many wrong codes came from here, or from everywhere."""


def open_to(request: HttpRequest, typed: str) -> Session | None:
    """Return the session that a code opens.

    :raises TooOften: the code was not looked at.
    """
    if constant_time_compare(request.GET.get("key", ""), invitation.key_of(typed)):
        return nights.session_by_code(typed)
    address = client_address(request)
    if not (ONE_ADDRESS.count(address) and WHOLE_SERVER.count()):
        raise TooOften
    session = nights.session_by_code(typed)
    if session:
        ONE_ADDRESS.forgive(address)
        WHOLE_SERVER.forgive()
    return session


def seat_by_code(request: HttpRequest, code: str) -> Session | None:
    """Return the session of a code, even if it is locked or expired, for a person who has a seat there."""
    if request.person is None:
        return None
    kept = {"seats__person": request.person, "seats__removed_at": None}
    return Session.objects.filter(code=code, ended_at=None, **kept).first()


def opens_nothing(request: HttpRequest, typed: str, *, often: bool = False) -> HttpResponse:
    """Answer a code that opens nothing now. A stranger learns no more than that."""
    context = {"typed": typed, "often": often}
    return render(request, "sessions/enter_code.html", context, status=429 if often else 404)


View = Callable[[HttpRequest, str], HttpResponse]


def slow(view: View) -> View:
    """Answer a visitor who tried too many codes, whatever the view was asked for."""

    @wraps(view)
    def inner(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, code)
        except TooOften:
            return opens_nothing(request, code, often=True)

    return inner
