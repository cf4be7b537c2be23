"""The address of the join page."""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import salted_hmac

from sessions.models import Session

#: 48 bits: at a hundred tries a second, 45,000 years on average.
KEY_LENGTH = 12


def join_url(session: Session, origin: str) -> str:
    """Return the address behind the QR code; it opens also while somebody guesses codes."""
    return f"{origin}{reverse('play:join', args=[session.code])}?key={key_of(session.code)}"


def key_of(code: str) -> str:
    """Return the key that goes out with a code in links and QR codes; a guesser of the digits lacks it."""
    return salted_hmac("sessions.invitation", code, algorithm="sha256").hexdigest()[:KEY_LENGTH]


def spoken(origin: str) -> str:
    """Return an address as people type it, without the parts that a browser adds by itself."""
    return origin.partition("://")[2]
