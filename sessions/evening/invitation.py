"""The address of the join page."""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import salted_hmac

from sessions.models import Session

#: 48 bits: at a hundred tries a second, 45,000 years on average.
KEY_LENGTH = 12


def join_url(session: Session, origin: str) -> str:
    """Return the URL in the QR code. Its key makes it work even while wrong codes are being throttled."""
    return f"{origin}{reverse('play:join', args=[session.code])}?key={join_key(session.code)}"


def join_key(code: str) -> str:
    """Return the key that links and QR codes contain beside the code, to tell them from guessed codes."""
    return salted_hmac("sessions.invitation", code, algorithm="sha256").hexdigest()[:KEY_LENGTH]


def address_to_type(origin: str) -> str:
    """Return an origin as people type it, without the scheme."""
    return origin.partition("://")[2]
