"""Joining by code: the lookup of codes, the limits against guessing, and the little that a stranger learns.

A code is looked up only within limits: beyond them a right code gets the same response as a wrong one. Codes
that open a session do not count. With ``codes.digits_beside`` the limit of the whole server keeps a guesser
out for years. A link or a QR code has the key of its code, and works despite the limits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare

from companion.http import HttpRequest
from companion.limits import too_often
from companion.limits.throttle import TooManyRequests, Windows, client_address
from sessions.evening import invitation, nights
from sessions.evening.codes import MISSES_A_DAY
from sessions.models import Session

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
_MISSES = ((20, MINUTE), (60, HOUR), (100, DAY))
#: Wrong codes from one IP address: those typed into our form, and those in a URL. The limits are separate, as
#: any site can make a visitor's browser open URLs; the form then still works for that visitor.
TYPED = Windows("code-typed", _MISSES, of_an_address=True)
IN_ADDRESSES = Windows("code", _MISSES, of_an_address=True)
WHOLE_SERVER = Windows("codes", ((60, MINUTE), (120, HOUR), (MISSES_A_DAY, DAY)))


class CodeThrottled(TooManyRequests):
    """A code that was not looked up, because too many wrong ones came before it."""


class FromElsewhere(Exception):
    """A code without its key in a link of another site. It is looked up after the visitor confirms it."""


def open_to(request: HttpRequest, typed: str) -> Session | None:
    """Return the session that a code opens.

    :raises CodeThrottled: too many wrong codes came from this address, or from all addresses together.
    :raises FromElsewhere: the request comes from a link of another site.
    """
    if constant_time_compare(request.GET.get("key", ""), invitation.key_of(typed)):
        return nights.session_by_code(typed)
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        raise FromElsewhere
    here, address = TYPED if "code" in request.POST else IN_ADDRESSES, client_address(request)
    if not (here.count(address) and WHOLE_SERVER.count()):
        raise CodeThrottled(max(here.wait(address), WHOLE_SERVER.wait()))
    session = nights.session_by_code(typed)
    if session:
        here.forgive(address)
        WHOLE_SERVER.forgive()
    return session


def seat_by_code(request: HttpRequest, code: str) -> Session | None:
    """Return the session of a code, even if it is locked or expired, for a person who has a seat there."""
    if request.person is None:
        return None
    kept = {"seats__person": request.person, "seats__removed_at": None}
    return Session.objects.filter(code=code, ended_at=None, **kept).first()


def opens_nothing(request: HttpRequest, typed: str) -> HttpResponse:
    """Respond to a code that opens no session now. A stranger learns no more than that."""
    return render(request, "sessions/enter_code.html", {"typed": typed}, status=404)


def _not_looked_at(request: HttpRequest, typed: str, seconds: int) -> HttpResponse:
    """Show when codes are looked up again. A link works all the time."""
    context = {"typed": typed, "often": too_often.sentence(seconds)}
    return too_often.until(render(request, "sessions/enter_code.html", context, status=429), seconds)


View = Callable[[HttpRequest, str], HttpResponse]


def slow(view: View) -> View:
    """Decorate a view of a code so that it responds to too many wrong codes, and to links of other sites."""

    @wraps(view)
    def inner(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, code)
        except CodeThrottled as often:
            return _not_looked_at(request, code, often.seconds)
        except FromElsewhere:
            return render(request, "sessions/enter_code.html", {"written": code})

    return inner
