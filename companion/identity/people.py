"""The person behind a request, by account or by this device's signed cookie.

The cookie identifies only guests. Once a guest has an account, only signing in identifies the person, so
signing out on a shared phone leaves nothing behind on it. If a device had a guest before an account signed
in, the guest is back after signing out, with the belongings that were not transferred to the account.

A new device gets a key in a separate cookie with its first page that has a form, and a ``Person`` row with
the first form that needs one. So a double tap sends the same key twice and creates one person.

A websocket identifies its person by the cookies of its handshake. It joins the channel group of that person,
and checks those cookies again on a message of the group, and periodically, as expiry sends no message.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse

from companion import shared_time
from companion.models import Person, User
from companion.pages import home_screen
from companion.pages.defaults import Middleware
from companion.requests import quotas
from companion.requests.throttle import client_address

if TYPE_CHECKING:
    from companion.identity.shared_device import SharedDevice

#: Substrings of their User-Agent headers. LINE opens the regular browser if a link requests it.
IN_APP_BROWSERS = {
    "line": (" Line/",),
    "instagram": ("Instagram ",),
    "facebook": ("FBAN/", "FBAV/", "FB_IAB/"),
}
COOKIE = "takujo"
#: The key of a device without a person. A late response that sets it cannot replace an existing guest.
NEW_COOKIE = "takujo-new"
COOKIE_AGE, NEW_COOKIE_AGE = timedelta(days=365), timedelta(days=1)
#: A new key is valid for this time after its person was created: for a double tap, and after a lost response.
#: Later it is invalid, as the browser may have belonged to another person when the key was generated.
NEW_FOR = timedelta(minutes=2)
_signer = signing.Signer(salt="companion.person")
_new_signer = signing.TimestampSigner(salt="companion.new_person")


class HttpRequest(DjangoRequest):
    person: Person | None
    new_person: Person
    company: SharedDevice
    first_post: str  #: the cache key of the response to this POST (first_posts.py)


def person_group(person_pk: int) -> str:
    return f"person.{person_pk}"


def announce_change(person: Person, *, left: bool = False) -> None:
    """After commit, make the open pages of a person check whether they still belong to that person.

    :param left: True if the pages must close although their cookies are valid: an account signed in there.
    """
    group, message = person_group(person.pk), {"type": "person.changed", "left": left}
    transaction.on_commit(lambda: async_to_sync(get_channel_layer().group_send)(group, message), robust=True)


def in_app_browser(request: HttpRequest) -> str:
    """Return the app whose in-app browser this is; "" for a regular browser."""
    agent = request.headers.get("User-Agent", "")
    return next((app for app, signs in IN_APP_BROWSERS.items() if any(sign in agent for sign in signs)), "")


def token(person: Person) -> str:
    """Return the signed cookie value that identifies this guest."""
    return _signer.sign(person.key.hex)


def key_in(value: str | None) -> uuid.UUID | None:
    """Return None for a missing or forged cookie."""
    try:
        return uuid.UUID(_signer.unsign(value or ""))
    except (signing.BadSignature, ValueError):
        return None


def new_key_in(value: str | None) -> uuid.UUID | None:
    """Return the key of a new device; None for a missing, forged or old cookie."""
    try:
        return uuid.UUID(_new_signer.unsign(value or "", max_age=NEW_COOKIE_AGE))
    except (signing.BadSignature, ValueError):
        return None


def device_key(cookies: Mapping[str, str]) -> uuid.UUID | str | None:
    """Return what identifies a device without a query: a signed key, or the unverified session cookie."""
    key = key_in(cookies.get(COOKIE)) or new_key_in(cookies.get(NEW_COOKIE))
    return key or cookies.get(settings.SESSION_COOKIE_NAME)


def person_by_token(value: str | None) -> Person | None:
    """Return the guest of a cookie; None if it is forged or unknown, or belongs to an account."""
    key = key_in(value)
    return Person.objects.filter(key=key, user=None).first() if key else None


def person_of(user: User | Any, cookie: str | None) -> Person | None:
    """Return the person of an account, else the guest of the device, else None."""
    if user.is_authenticated:
        return Person.objects.get_or_create(user=user)[0]
    return person_by_token(cookie)


def ensure_person(request: HttpRequest) -> Person:
    """Return the person of a request, created for a new device, or raise ``QuotaExceeded``."""
    if request.person is None:
        if not quotas.GUESTS.count(client_address(request)):
            raise quotas.QuotaExceeded(quotas.TOO_MANY_GUESTS)
        set_new_person(request, create_guest(request))
    assert request.person
    return request.person


def create_guest(request: HttpRequest) -> Person:
    key = new_key_in(request.COOKIES.get(NEW_COOKIE))
    # A concurrent request of the same device may have created the person.
    person, is_made = Person.objects.get_or_create(key=key or uuid.uuid4())
    return person if is_made or _is_new_guest(person) else Person.objects.create()


def _is_new_guest(person: Person) -> bool:
    return person.user_id is None and person.created_at > shared_time.now() - NEW_FOR


def set_new_person(request: HttpRequest, person: Person) -> None:
    """Set the person of a request without one. The response then sets the cookie."""
    if request.person is None:
        request.person = request.new_person = person


def set_guest_cookie(response: HttpResponse, person: Person) -> None:
    set_cookie(response, COOKIE, token(person), COOKIE_AGE)


def set_cookie(response: HttpResponse, name: str, value: str, age: timedelta) -> None:
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="Lax", secure=settings.HTTPS)


def guest_of(request: HttpRequest) -> Person | None:
    return person_by_token(request.COOKIES.get(COOKIE))


def give_account(guest: Person | None, user: User) -> Person:
    """Make the guest of a device the person of a new account. Without a guest, create a person."""
    if guest and Person.objects.filter(pk=guest.pk, user=None).update(user=user):
        guest.refresh_from_db()
        return guest
    return Person.objects.create(user=user)


def shown_name(person: Person | None) -> str:
    """Return the public name of a person; "" for a user name, which older rows have instead."""
    if person is None or (person.user and person.name == person.user.get_username()[:40]):
        return ""
    return person.name


class PersonMiddleware(Middleware):
    """Sets ``request.person`` (or None), and the cookies of new devices."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.person = person_of(request.user, request.COOKIES.get(COOKIE))
        key = new_key_in(request.COOKIES.get(NEW_COOKIE)) if request.person is None else None
        made = Person.objects.filter(key=key).first() if key else None
        if made and _is_new_guest(made):
            # The response that should have set the guest's cookie was lost.
            request.person = request.new_person = made
        was, user_pk = request.person, request.user.pk
        response = self.get_response(request)
        if was and request.user.pk != user_pk:
            # Signed in or out. The guest's cookie remains, so pages of a guest must be told to close.
            announce_change(was, left=user_pk is None)
        response[home_screen.HEADER] = home_screen.mark(request.person)
        if new := getattr(request, "new_person", None):
            set_guest_cookie(response, new)
        if request.person and NEW_COOKIE in request.COOKIES:
            response.delete_cookie(NEW_COOKIE)
        elif request.person is None and (made or not key) and _has_form(request, response):
            set_cookie(response, NEW_COOKIE, _new_signer.sign(uuid.uuid4().hex), NEW_COOKIE_AGE)
        return response


def _has_form(request: HttpRequest, response: HttpResponse) -> bool:
    # Views with ``csrf_protect`` have set the cookie already; the CSRF middleware sets it after us.
    return bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE")) or settings.CSRF_COOKIE_NAME in response.cookies


def person(request: HttpRequest) -> dict[str, Person | None]:
    return {"person": getattr(request, "person", None)}
