"""The devices of a person: guests who move to another device or to an account, and devices that signed in.

A new device requests the move with a key that the old device shows, or with the guest's recovery code. For a
day the old device can take everything back.

A sign-in offers to transfer the belongings of the device's guest to the account. The guest is identified only
by the signed cookie of the device. No form field names a person, so belongings of other devices cannot be
taken.

A device that signed in to an account has a signed cookie until the password changes. The cookie does not sign
in. It gives the device a login throttle of its own, so that strangers who guess at the account cannot lock
its owner out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.identity import person_links, personal_data
from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, ensure_person, guest_of, set_cookie
from companion.identity.person_links import LinkRefused
from companion.identity.personal_data import Belonging
from companion.models import Person, PersonLink, User
from companion.pages.reach import origin_of, qr_svg
from companion.requests.throttle import Windows, count_wrong_key

REFUSALS = {
    "closed": _(
        "This opens nothing (any more). A key works once and for ten minutes, a recovery code once. Please "
        "make a new key, or ask the GM."
    ),
    "own": _("This is the very device that shows the key. Open it on the other one."),
    "stays": _(
        "This device plays tonight on a seat of its own. Let the GM show the seat’s code, or come back "
        "when the evening has ended."
    ),
}
KEYS_MADE = Windows("person-link", ((30, 300),))
KNOWN_DEVICE_SALT = "companion.known-device"
KNOWN_DEVICE_AGE = timedelta(days=365)


# The old device


def with_guest(view: Callable[[HttpRequest, Person], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Pass the guest of this device. Others get a 404; people with an account simply sign in elsewhere."""

    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        if request.person is None or request.person.user_id:
            return render(request, "device/nobody.html", status=404)
        return view(request, request.person)

    return never_cache(page)


@require_http_methods(["GET", "HEAD", "POST"])
@with_guest
def leave(request: HttpRequest, person: Person) -> HttpResponse:
    """Explain the move, issue a new key (POST), and show the other device's request for confirmation."""
    if request.method == "POST":
        KEYS_MADE.demand(f"person {person.pk}")
        return render(request, "device/key.html", _shown_key(request, person_links.issue(person)))
    link = person_links.current_link(person)
    context: dict[str, object] = {
        "gone": person_links.undoable_link(person),
        "own": personal_data.list_belongings(person),
    }
    if link and person_links.has_open_request(link):
        person_links.note_here(person)
        context |= {"asks": link, "number": person_links.number_of(link)}
    return render(request, "device/leave.html", context)


def _shown_key(request: HttpRequest, token: str) -> dict[str, object]:
    url = origin_of(request) + reverse("companion:device-take", args=[token])
    address = origin_of(request).partition("://")[2] + reverse("companion:device-code")
    spoken = " ".join(token[at : at + 4] for at in range(0, len(token), 4))
    return {"qr": qr_svg(url), "url": url, "spoken": spoken, "address": address}


@require_http_methods(["GET", "HEAD", "POST"])
@with_guest
def recovery(request: HttpRequest, person: Person) -> HttpResponse:
    """Explain the recovery code; a POST issues a new one, which is shown only once."""
    if request.method != "POST":
        return render(request, "device/recovery.html", {"code": person_links.code_of(person)})
    KEYS_MADE.demand(f"person {person.pk}")
    context = _shown_key(request, person_links.issue_code(person))
    letter = render_to_string("device/recovery_letter.txt", context | {"person": person})
    context |= {"letter": letter.strip(), "subject": gettext("Your recovery code for Takujō")}
    return render(request, "device/recovery.html", context)


@answered_once
@require_POST
@with_guest
def take_back(request: HttpRequest, person: Person) -> HttpResponse:
    """Take back the belongings that moved to another device within the last day."""
    if link := person_links.undoable_link(person):
        person_links.take_back(link)
        messages.success(request, gettext("Everything is back on this device."))
    return redirect("companion:device")


@require_safe
@with_guest
def state(request: HttpRequest, person: Person) -> HttpResponse:
    """Poll target of the page with the key, which records that it is open: 204 while it waits, else 200."""
    person_links.note_here(person)
    link = person_links.current_link(person)
    waits = link and not link.taken_at and not link.asked_by_id
    return HttpResponse(status=204 if waits else 200)


@answered_once
@require_POST
@with_guest
def answer(request: HttpRequest, person: Person) -> HttpResponse:
    try:
        person_links.answer(person, allow=request.POST.get("allow") == "1")
    except LinkRefused as refused:
        return render(request, "device/leave.html", {"why": REFUSALS[refused.code]}, status=410)
    return redirect("companion:device")


# The other device


@require_safe
def code(request: HttpRequest) -> HttpResponse:
    """Form for typing the key, for devices without a camera."""
    text = request.GET.get("key", "")
    if token := person_links.normalize_key(text):
        return redirect("companion:device-take", token)
    return render(request, "device/code.html", {"typed": text[:40]}, status=422 if text else 200)


@answered_once
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, token: str) -> HttpResponse:
    """Page of the key on the new device, with one button. Opening it does not use the key up."""
    link = person_links.link_by_token(token)
    if link is None:
        if request.method == "POST":
            count_wrong_key(request)
        return _refusal_page(request, "closed")
    if request.user.is_authenticated:
        return render(request, "device/take.html", {"signed_in": True}, status=409)
    if request.method == "POST":
        try:
            person_links.ask(token, ensure_person(request))
        except LinkRefused as refused:
            return _refusal_page(request, refused.code)
        return redirect("companion:device-take", token)
    return _link_page(request, token, link)


def _link_page(request: HttpRequest, token: str, link: PersonLink) -> HttpResponse:
    person = request.person
    mine = bool(person and link.asked_by_id == person.pk)
    if person and link.person_id == person.pk:
        return _refusal_page(request, "own")
    if not mine and (link.taken_at or person_links.has_open_request(link)):
        return _refusal_page(request, "closed")
    context: dict[str, Any] = {"link": link, "token": token, "done": bool(link.taken_at)}
    if mine and person_links.has_open_request(link) and person_links.is_here(link.person):
        context |= {"waits": True, "number": person_links.number_of(link)}
    return render(request, "device/take.html", context)


def _refusal_page(request: HttpRequest, why: str) -> HttpResponse:
    return render(request, "device/take.html", {"why": REFUSALS[why]}, status=410)


@never_cache
@require_safe
def take_state(request: HttpRequest, token: str) -> HttpResponse:
    """Poll target of the waiting new device: 200 if the page should be reloaded, else 204."""
    link, person = person_links.link_by_token(token), request.person
    waits = link and person and link.asked_by_id == person.pk and person_links.has_open_request(link)
    return HttpResponse(status=204 if link and waits and person_links.is_here(link.person) else 200)


# A device that signed in


def known_device_key(request: DjangoRequest, user: User) -> str:
    """Return the key of this device for an account; "" if it never signed in to it."""
    cookie = request.COOKIES.get(_known_device_cookie(user), "")
    try:
        key, password = signing.loads(cookie, salt=KNOWN_DEVICE_SALT, max_age=KNOWN_DEVICE_AGE)
    except signing.BadSignature:
        return ""
    return str(key) if constant_time_compare(password, user.get_session_auth_hash()) else ""


def remember_device(request: DjangoRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie that makes this device known to an account."""
    key = known_device_key(request, user) or secrets.token_urlsafe(9)
    value = signing.dumps((key, user.get_session_auth_hash()), salt=KNOWN_DEVICE_SALT)
    set_cookie(response, _known_device_cookie(user), value, KNOWN_DEVICE_AGE)


def forget_device(response: HttpResponse, user: User) -> None:
    response.delete_cookie(_known_device_cookie(user))


def _known_device_cookie(user: User) -> str:
    return f"known-{user.pk}"


def guest_belongings(request: DjangoRequest, account: Person) -> list[Belonging]:
    guest = guest_of(cast(HttpRequest, request))
    return personal_data.list_belongings(guest, account) if guest else []


def count_movable(request: DjangoRequest, account: Person) -> int:
    return sum(not thing.stays for thing in guest_belongings(request, account))


def offer_takeover(request: DjangoRequest) -> None:
    """After sign-in, show a message if the device's guest has belongings to transfer."""
    if not request.user.is_authenticated:
        return
    account = Person.objects.filter(user=request.user).first() or Person()
    if count := count_movable(request, account):
        said = ngettext(
            "This device has %(count)s thing from before you signed in.",
            "This device has %(count)s things from before you signed in.",
            count,
        ) % {"count": count}
        values = said, reverse("companion:account"), gettext("Take it along?")
        messages.info(request, format_html('{} <a href="{}#device">{}</a>', *values))


def take_belongings(request: HttpRequest, account: Person) -> int:
    """Transfer all movable belongings to the account, and return their number."""
    guest = guest_of(request)
    if guest is None:
        return 0
    count = count_movable(request, account)
    personal_data.hand_over(guest, account)
    return count
