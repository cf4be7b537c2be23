"""Shared devices: guests who pass one tablet around, with a hand-over screen (the curtain) in between.

The cookie of a guest (people.py) identifies the present guest, whose pages the device gets; a second cookie
lists all guests of the device. While the curtain is shown, the first cookie is deleted, and every page
redirects to the curtain. So neither the back button nor a second tab shows a hand.

Accounts do not share a device: a person who signs in is its only person until they sign out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from companion.identity import people
from companion.identity.people import HttpRequest, shown_name
from companion.models import Person
from companion.pages import home_screen
from companion.pages.defaults import Middleware

COOKIE, SALT = "takujo-company", "companion.company"
AT_MOST = 4


@dataclass(frozen=True)
class SharedDevice:
    """The guests of a shared device in the order of joining; empty for a device with one guest.

    ``here`` is the present guest, None while the curtain is shown. ``called`` is the guest whom it names,
    and ``back`` the page to which they continue.
    """

    people: tuple[Person, ...] = ()
    here: Person | None = None
    called: Person | None = None
    back: str = ""

    @property
    def others(self) -> list[tuple[str, Person]]:
        return [(home_screen.mark(one), one) for one in self.people if one not in (self.here, self.called)]

    @property
    def is_full(self) -> bool:
        return len(self.people) >= AT_MOST

    @property
    def is_curtained(self) -> bool:
        return bool(self.people) and self.here is None

    def find(self, mark: str) -> Person | None:
        return next((one for one in self.people if home_screen.mark(one) == mark), None)


def company_of(person: Person | None, cookies: Mapping[str, str]) -> SharedDevice:
    """Return those guests of a device who still are guests; ``person`` is None while the curtain is shown."""
    try:
        kept = signing.loads(cookies.get(COOKIE, ""), salt=SALT, max_age=people.COOKIE_AGE)
    except signing.BadSignature:
        return SharedDevice()
    guests = Person.objects.filter(key__in=kept["people"], user=None)
    # A guest without a name is the empty remainder of one who moved to their own device.
    known = {one.key.hex: one for one in guests if one.name or one == person}
    found = tuple(known[key] for key in kept["people"] if key in known)
    # A person with an account is none of these guests.
    if not found or (person and person not in found):
        return SharedDevice()
    called = None if person else known.get(kept["called"], found[0])
    return SharedDevice(found, person, called, kept["back"])


def show_curtain(together: Iterable[Person], called: Person, back: str) -> HttpResponse:
    """Redirect to the curtain for the guest ``called``; then ``back`` is open, if it is on this site."""
    inside = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = redirect("companion:curtain")
    response.delete_cookie(people.COOKIE)
    response.delete_cookie(people.NEW_COOKIE)
    _set_cookie(response, together, called.key.hex, back if inside else reverse("companion:home"))
    return response


def open_curtain(company: SharedDevice) -> HttpResponse:
    assert company.called
    response = redirect(company.back)
    people.set_guest_cookie(response, company.called)
    if len(company.people) > 1:
        _set_cookie(response, company.people, "", company.back)
    else:
        response.delete_cookie(COOKIE)
    return response


def _set_cookie(response: HttpResponse, together: Iterable[Person], called: str, back: str) -> None:
    kept = {"people": [one.key.hex for one in together], "called": called, "back": back}
    people.set_cookie(response, COOKIE, signing.dumps(kept, salt=SALT), people.COOKIE_AGE)


class CompanyMiddleware(Middleware):
    """Sets ``request.company``, and redirects pages to the curtain while it is shown."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.company = company_of(request.person, request.COOKIES)
        if request.company.is_curtained and _needs_person(request):
            return redirect("companion:curtain")
        return self.get_response(request)


def _needs_person(request: HttpRequest) -> bool:
    """True if a request loads a page or changes something."""
    if request.path in (reverse("companion:curtain"), reverse("set_language")):
        return False
    return request.method not in ("GET", "HEAD") or "text/html" in request.headers.get("Accept", "")


def company(request: HttpRequest) -> dict[str, object]:
    """Template context: the device's company, and the mark of the present guest (static/js/company.js)."""
    found = getattr(request, "company", SharedDevice())
    return {"company": found, "whose": home_screen.mark(found.here)}


@require_http_methods(["GET", "HEAD", "POST"])
def curtain(request: HttpRequest) -> HttpResponse:
    """Hand-over screen: it shows only the name of the next guest.

    A POST of ``to`` selects the next guest. With ``open``, the selected guest confirms and gets the device.
    """
    company = request.company
    if not company.people:
        raise Http404
    if request.method == "POST":
        return _hand_over(request)
    if company.called is None:
        return redirect(company.back)
    context = {"name": shown_name(company.called), "mark": home_screen.mark(company.called)}
    return render(request, "device/curtain.html", context)


def _hand_over(request: HttpRequest) -> HttpResponse:
    company, wanted = request.company, request.company.find(request.POST.get("to", ""))
    if wanted and wanted == company.called and "open" in request.POST:
        return open_curtain(company)
    # A stale page may post a guest who is not selected any more: show the present hand-over screen.
    if wanted is None or "open" in request.POST:
        return redirect("companion:curtain")
    return show_curtain(company.people, wanted, request.POST.get("back", company.back))


@require_http_methods(["GET", "HEAD", "POST"])
def leave_device(request: HttpRequest) -> HttpResponse:
    """Remove the present guest from this device. A recovery code is required, or they could never return."""
    company, person = request.company, request.person
    left = [one for one in company.people if one != person]
    if person is None or not left:
        raise Http404
    if request.method == "POST" and person.has_recovery_code:
        return show_curtain(left, left[0], company.back)
    return render(request, "device/stand.html", {"name": shown_name(person)})
