"""The company of a device: guests who hand one tablet to each other, and the curtain between their hands.

The cookie of a guest (people.py) says who is here, and so whose pages this device gets; a second one says who
else has a seat at it. While the curtain is drawn, the first cookie is gone: the device is nobody's, and
whatever page it asks for, it is sent to the curtain. So neither the way back nor a second tab shows a hand.

An account is in no company: who signs in is alone at the device until they sign out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from companion.http import HttpRequest
from companion.identity import people
from companion.models import Person
from companion.pages import home_screen

COOKIE, SALT = "takujo-company", "companion.company"
AT_MOST = 4


@dataclass(frozen=True)
class Company:
    """The people of a device in the order of their coming; of a device with one guest there are none.

    ``here`` is whose pages it shows, None while the curtain is drawn; the curtain names ``called``.
    """

    people: tuple[Person, ...] = ()
    here: Person | None = None
    called: Person | None = None
    back: str = ""

    @property
    def others(self) -> list[tuple[str, Person]]:
        """Those who are neither here nor called, with their marks."""
        away = (one for one in self.people if one not in (self.here, self.called))
        return [(home_screen.mark(one), one) for one in away]

    @property
    def is_full(self) -> bool:
        return len(self.people) >= AT_MOST

    @property
    def is_drawn(self) -> bool:
        return bool(self.people) and self.here is None

    def find(self, mark: str) -> Person | None:
        """Return the one of this mark (home_screen.py)."""
        return next((one for one in self.people if home_screen.mark(one) == mark), None)


def company_of(person: Person | None, cookies: Mapping[str, str]) -> Company:
    """Return the company of a person's device, None for nobody's, as far as its people are guests still."""
    try:
        kept = signing.loads(cookies.get(COOKIE, ""), salt=SALT, max_age=people.COOKIE_AGE)
    except signing.BadSignature:
        return Company()
    guests = Person.objects.filter(key__in=kept["people"], user=None)
    # Whoever went to a device of their own left a guest without a name here.
    known = {one.key.hex: one for one in guests if one.name or one == person}
    found = tuple(known[key] for key in kept["people"] if key in known)
    # Also who signs in is none of these guests.
    if not found or (person and person not in found):
        return Company()
    called = None if person else known.get(kept["called"], found[0])
    return Company(found, person, called, kept["back"])


def draw_curtain(together: Iterable[Person], called: Person, back: str) -> HttpResponse:
    """Make the device nobody's, and call somebody to it.

    :param back: where the one who is called goes on; the front door if it leads out of here.
    """
    inside = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect("companion:curtain")
    response.delete_cookie(people.COOKIE)
    response.delete_cookie(people.NEW_COOKIE)
    _keep(response, together, called.key.hex, back if inside else reverse("companion:home"))
    return response


def open_curtain(company: Company) -> HttpResponse:
    """Give the device to the one who is called."""
    assert company.called
    response = redirect(company.back)
    people.keep(response, company.called)
    if len(company.people) > 1:
        _keep(response, company.people, "", company.back)
    else:
        response.delete_cookie(COOKIE)
    return response


def _keep(response: HttpResponse, together: Iterable[Person], called: str, back: str) -> None:
    kept = {"people": [one.key.hex for one in together], "called": called, "back": back}
    value = signing.dumps(kept, salt=SALT)
    response.set_cookie(
        COOKIE, value, max_age=people.COOKIE_AGE, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


class CompanyMiddleware:
    """Puts ``request.company`` on every request, and sends pages to the curtain while it is drawn."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.company = company_of(request.person, request.COOKIES)
        if request.company.is_drawn and _shows(request):
            return redirect("companion:curtain")
        return self.get_response(request)


def _shows(request: HttpRequest) -> bool:
    """True if a request wants a page, or to do something. What pages load is a stranger's meanwhile."""
    if request.path in (reverse("companion:curtain"), reverse("set_language")):
        return False
    return request.method not in ("GET", "HEAD") or "text/html" in request.headers.get("Accept", "")


def company(request: HttpRequest) -> dict[str, object]:
    """Template context: the company of the device, and whose pages it shows (static/js/company.js)."""
    found = getattr(request, "company", Company())
    return {"company": found, "whose": home_screen.mark(found.here)}
