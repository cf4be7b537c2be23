"""The person behind a request, by account or by this device's signed cookie.

The cookie is the key of a guest and of nobody else. Once a guest has an account, the account is the only key,
so signing out on a shared phone leaves nothing behind on it. A device that was a guest's before somebody
signed in is that guest's again afterwards, with the belongings that were not taken into the account.

A device that is nobody's gets a key with its first page that has a form, in a cookie of its own, and a row
with the first form that makes something. So two taps over a slow line send one key and make one person.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.utils import timezone

from companion.http import HttpRequest
from companion.identity import changes
from companion.limits import quotas
from companion.limits.throttle import client_address
from companion.models import Person, User
from companion.pages import home_screen

COOKIE = "takujo"
#: The key of a device that is nobody's yet. A page that arrives late sets this one, and takes nobody's place.
NEW_COOKIE = "takujo-new"
COOKIE_AGE, NEW_COOKIE_AGE = timedelta(days=365), timedelta(days=1)
#: So long after the person of a device was made its new key still counts: for a second tap, and after a lost
#: answer. Then it opens nothing, as the browser may have been another person's when the key was drawn.
NEW_FOR = timedelta(minutes=2)
_signer = signing.Signer(salt="companion.person")
_new_signer = signing.TimestampSigner(salt="companion.new_person")


def token(person: Person) -> str:
    """Return the signed value that makes a device this person's."""
    return _signer.sign(person.key.hex)


def key_in(value: str | None) -> uuid.UUID | None:
    """Return the key in a cookie, None for a missing or forged one."""
    try:
        return uuid.UUID(_signer.unsign(value or ""))
    except (signing.BadSignature, ValueError):
        return None


def new_key_in(value: str | None) -> uuid.UUID | None:
    """Return the key in the cookie of a new device, None for a missing, forged or old one."""
    try:
        return uuid.UUID(_new_signer.unsign(value or "", max_age=NEW_COOKIE_AGE))
    except (signing.BadSignature, ValueError):
        return None


def person_by_token(value: str | None) -> Person | None:
    """Return the guest of a cookie, None for a missing, forged or unknown one and for accounts."""
    key = key_in(value)
    return Person.objects.filter(key=key, user=None).first() if key else None


def person_of(user: User | Any, cookie: str | None) -> Person | None:
    """Return the person of an account, else of a device, else None."""
    if user.is_authenticated:
        return Person.objects.get_or_create(user=user)[0]
    return person_by_token(cookie)


def ensure_person(request: HttpRequest) -> Person:
    """Return the person of a request, made now for a new device. The answer brings its cookie.

    :raises quotas.Full: too many new devices come from there.
    """
    if request.person is None:
        if not quotas.GUESTS.count(client_address(request)):
            raise quotas.Full(quotas.TOO_MANY_GUESTS)
        welcome(request, guest_to_be(request))
    assert request.person
    return request.person


def guest_to_be(request: HttpRequest) -> Person:
    """Return the guest of a device that is nobody's, made now. It is theirs once ``welcome`` says so."""
    key = new_key_in(request.COOKIES.get(NEW_COOKIE))
    # Another request of the same device may have been faster.
    person, is_made = Person.objects.get_or_create(key=key or uuid.uuid4())
    return person if is_made or _is_new_guest(person) else Person.objects.create()


def _is_new_guest(person: Person) -> bool:
    return person.user_id is None and person.created_at > timezone.now() - NEW_FOR


def welcome(request: HttpRequest, person: Person) -> None:
    """Let the answer to a request make its device a person's."""
    if request.person is None:
        request.person = request.new_person = person


def keep(response: HttpResponse, person: Person) -> None:
    """Make the device that gets an answer this person's."""
    _set_cookie(response, COOKIE, token(person), COOKIE_AGE)


def _set_cookie(response: HttpResponse, name: str, value: str, age: timedelta) -> None:
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="Lax", secure=settings.HTTPS)


def guest_of(request: HttpRequest) -> Person | None:
    """Return the guest of this device, whatever account is signed in on it."""
    return person_by_token(request.COOKIES.get(COOKIE))


def give_account(guest: Person | None, user: User) -> Person:
    """Make the guest of a device the person of a new account. Without a guest, make a new person."""
    if guest and Person.objects.filter(pk=guest.pk, user=None).update(user=user):
        guest.refresh_from_db()
        return guest
    return Person.objects.create(user=user)


def shown_name(person: Person | None) -> str:
    """Return the name by which others may know a person: never that of the account, which older rows have."""
    if person is None or (person.user and person.name == person.user.get_username()[:40]):
        return ""
    return person.name


class PersonMiddleware:
    """Puts ``request.person`` (or None) on every request, and hands new devices their cookies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.person = person_of(request.user, request.COOKIES.get(COOKIE))
        key = new_key_in(request.COOKIES.get(NEW_COOKIE)) if request.person is None else None
        made = Person.objects.filter(key=key).first() if key else None
        if made and _is_new_guest(made):
            # The answer that made them was lost on its way.
            request.person = request.new_person = made
        was, user_pk = request.person, request.user.pk
        response = self.get_response(request)
        if was and request.user.pk != user_pk:
            # Signed in or out. A guest's cookie stays, so their pages cannot tell by it.
            changes.tell(was, left=user_pk is None)
        response[home_screen.HEADER] = home_screen.mark(request.person)
        if new := getattr(request, "new_person", None):
            keep(response, new)
        if request.person and NEW_COOKIE in request.COOKIES:
            response.delete_cookie(NEW_COOKIE)
        elif request.person is None and (made or not key) and _has_form(request, response):
            _set_cookie(response, NEW_COOKIE, _new_signer.sign(uuid.uuid4().hex), NEW_COOKIE_AGE)
        return response


def _has_form(request: HttpRequest, response: HttpResponse) -> bool:
    """True if a page has the token that every form needs."""
    # A view that checks the token by itself has set the cookie by now, the middleware sets it after us.
    return bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE")) or settings.CSRF_COOKIE_NAME in response.cookies


def person(request: HttpRequest) -> dict[str, Person | None]:
    """Template context: the person of the request."""
    return {"person": getattr(request, "person", None)}
