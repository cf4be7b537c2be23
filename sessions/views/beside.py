"""The view that seats another person at a device in use, with a seat and a hand of their own."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from companion.http import HttpRequest
from companion.identity.company import show_curtain
from companion.identity.first_posts import answered_once
from companion.models import Person
from sessions import access
from sessions.evening import nights
from sessions.evening.codes import read_number
from sessions.evening.refusals import Refused
from sessions.forms.evening import JoinForm
from sessions.models import Role, Seat, Session


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def add_guest(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a name, seat a new guest under it, and draw the curtain before the device is handed over."""
    seat = access.seat_kept(request.person, pk)
    session, company = seat.session, request.company
    why = _why_not(request, session)
    form = JoinForm(request.POST if request.method == "POST" and not why else None)
    table = session.tables.filter(pk=read_number(request.GET.get("table", ""))).first()
    back = (table or session).get_absolute_url()
    if form.is_valid() and (guest := _seat_guest(request, seat, form)):
        return show_curtain([*(company.people or [seat.person]), guest], guest, back)
    context = {"session": session, "seat": seat, "form": form, "why": why, "back": back}
    return render(request, "sessions/beside.html", context, status=422 if form.errors else 200)


def _why_not(request: HttpRequest, session: Session) -> str:
    if request.user.is_authenticated:
        return "account"
    if request.company.is_full:
        return "full"
    return "" if session.admits else "closed"


def _name_person(seat: Seat) -> None:
    """Give a guest without a name that of their seat, by which the device can ask for them."""
    if not seat.person.name:
        seat.person.name = seat.name
        seat.person.save(update_fields=["name"])


def _seat_guest(request: HttpRequest, seat: Seat, form: JoinForm) -> Person | None:
    """Seat a new guest by a filled-in form; on a refusal the form gets the reason and a free name."""
    wish = form.cleaned_data
    try:
        with transaction.atomic():
            _name_person(seat)
            guest = Person.objects.create()
            nights.take_seat(session=seat.session, person=guest, name=wish["name"], role=Role(wish["role"]))
    except Refused as refusal:
        form.refuse(refusal)
        return None
    return guest
