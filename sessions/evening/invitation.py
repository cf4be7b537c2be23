"""The address of the join page, and its QR code."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString, mark_safe

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


@lru_cache(maxsize=64)
def qr_svg(url: str) -> SafeString:
    """Draw a QR code: dark on white with its quiet zone, also in dark mode, or phones do not read it."""
    code = segno.make(url, error="m", micro=False)
    return mark_safe(code.svg_inline(border=4, dark="#1d2321", light="#ffffff", omitsize=True))  # noqa: S308
