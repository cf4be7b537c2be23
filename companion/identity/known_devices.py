"""Devices that signed in to an account before. Each has a signed cookie until the password changes.

The cookie does not sign in. It gives the device a login throttle of its own, so that strangers who guess at
the account cannot lock its owner out.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare

from companion.models import User

KNOWN_DEVICE_SALT = "companion.known-device"
KNOWN_DEVICE_AGE = 60 * 60 * 24 * 365


def known_device_key(request: DjangoRequest, user: User) -> str:
    """Return the key of this device for an account; "" if it never signed in to the account."""
    try:
        key, password = signing.loads(request.COOKIES.get(_known_device_cookie(user), ""), salt=KNOWN_DEVICE_SALT, max_age=KNOWN_DEVICE_AGE)
    except signing.BadSignature:
        return ""
    return str(key) if constant_time_compare(password, user.get_session_auth_hash()) else ""


def remember_device(request: DjangoRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie that makes this device known to an account."""
    key = known_device_key(request, user) or secrets.token_urlsafe(9)
    value = signing.dumps((key, user.get_session_auth_hash()), salt=KNOWN_DEVICE_SALT)
    response.set_cookie(
        _known_device_cookie(user), value, max_age=KNOWN_DEVICE_AGE, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def forget_device(response: HttpResponse, user: User) -> None:
    """Delete the cookie of an account on this device."""
    response.delete_cookie(_known_device_cookie(user))


def _known_device_cookie(user: User) -> str:
    return f"known-{user.pk}"
