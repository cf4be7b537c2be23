"""Devices that an account let in before: each has a signed cookie for it, until the password changes.

It opens nothing. Whoever has it may go on to try a password while others guess at the account.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from companion.models import User

SALT = "companion.known-device"
AGE = 60 * 60 * 24 * 365


def key_of(request: HttpRequest, user: User) -> str:
    """Return what tells this device from the others of an account, "" if the account never let it in."""
    try:
        key, password = signing.loads(request.COOKIES.get(_cookie(user), ""), salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return ""
    return str(key) if constant_time_compare(password, user.get_session_auth_hash()) else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let the device of a request be known to an account that let it in."""
    key = key_of(request, user) or secrets.token_urlsafe(9)
    value = signing.dumps((key, user.get_session_auth_hash()), salt=SALT)
    response.set_cookie(
        _cookie(user), value, max_age=AGE, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def forget(response: HttpResponse, user: User) -> None:
    """Leave nothing of an account on this device."""
    response.delete_cookie(_cookie(user))


def _cookie(user: User) -> str:
    return f"known-{user.pk}"
