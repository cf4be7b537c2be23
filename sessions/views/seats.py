"""Pages and actions of seats: move one to another device, appoint a stand-in or a deputy."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.accounts.devices import REFUSALS
from companion.identity import person_links
from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, ensure_person
from companion.models import Person
from companion.pages.reach import origin_of, qr_svg
from companion.requests import read_number
from companion.requests.throttle import Windows, client_address, count_wrong_key
from sessions import access
from sessions.evening import devices, nights, stand_ins
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.models import Role, Seat, SeatClaim
from sessions.views.live_pages import catch_code_errors, session_for_code, unknown_code_page
from sessions.views.responses import action, no_store, refusals_as_messages, to_session


@require_POST
def show_link(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Show a seat's own QR code to its owner or the GM, for the phone that takes the seat over."""
    own = access.own_seat(request.person, pk)
    seat = own if own.pk == seat_pk else access.seat_as_gm(request.person, pk, seat_pk)
    url = origin_of(request) + reverse("play:use-seat", args=[devices.issue(seat=seat)])
    context = {"seat": seat, "session": seat.session, "url": url, "qr": qr_svg(url)}
    context["address"] = nights.address_to_type(url)
    return no_store(render(request, "sessions/seat_link.html", context))


@answered_once
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def use_seat(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a seat's QR code, with one button. Opening it does not use the link up."""
    seat, why = devices.seat_by_link(token), ""
    if request.method == "POST" and seat is None:
        count_wrong_key(request)
    elif request.method == "POST":
        try:
            return redirect(devices.redeem_link(token=token, person=ensure_person(request)).session)
        except Refused as refused:
            why = refusal_sentence(refused)
    status = 200 if seat and not why else 410
    return render(request, "sessions/use_seat.html", {"seat": seat, "why": why}, status=status)


@action(access.own_seat)
def step_out(request: HttpRequest, seat: Seat) -> None:
    """Mark one's own seat as away for a while (離席中), or as back."""
    (stand_ins.mark_away if request.POST.get("out") == "1" else stand_ins.return_to_seat)(seat=seat)


@action(access.seat_as_gm, "pk", "seat_pk", to=to_session)
def appoint_deputy(request: HttpRequest, seat: Seat) -> None:
    """Appoint a deputy (サブマスター), or end the appointment. Only the GM may, not a deputy."""
    _own_gm_seat(request.person, seat.session_id)
    stand_ins.set_deputy(seat=seat, deputy=request.POST.get("deputy") == "1")


@action(access.seat_as_gm, "pk", "seat_pk")
def stand_in(request: HttpRequest, seat: Seat) -> HttpResponse | None:
    """Let a stand-in play a player's hand (代行). The GM chooses; a player who is here is asked first."""
    helper = get_object_or_404(seat.session.seats, pk=read_number(request.POST.get("by", "")))
    stand_ins.let_stand_in(seat=seat, stand_in=helper)
    seat.refresh_from_db()
    if seat.stand_in_asked:
        messages.info(request, _("%(name)s is here and is asked first.") % {"name": seat.name})
        return None
    table = seat.session.tables.filter(ended_at=None, table_seats__seat=seat).first()
    if table and helper.person == request.person:
        return redirect(f"{table.get_absolute_url()}?as={seat.pk}")
    return None


@action(access.own_seat)
def accept_stand_in(request: HttpRequest, seat: Seat) -> None:
    """Accept the stand-in that the GM proposed for one's own seat. ``take_back`` declines."""
    stand_ins.accept_stand_in(seat=seat, stand_in_pk=read_number(request.POST.get("by", "")))


@action(access.own_seat, to=to_session)
def take_over(request: HttpRequest, deputy: Seat) -> None:
    """Run the session as a deputy while the GM is gone."""
    stand_ins.take_charge(deputy=deputy)


@action(access.own_seat)
def take_back(request: HttpRequest, own: Seat, seat_pk: int) -> None:
    """End a stand-in, as the seat's owner, the stand-in, or the GM."""
    seat = get_object_or_404(own.session.seats, pk=seat_pk)
    if own.pk == seat.pk:
        stand_ins.return_to_seat(seat=seat)
        return
    if own.pk != seat.stand_in_id:
        access.gm_seat(request.person, own.session_id)
    stand_ins.end_stand_in(seat=seat)


CLAIMS = Windows("claim", ((10, 60),))


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
@catch_code_errors
def claim_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Claim, by the session's code, a seat that is on another phone, and wait for the GM's answer."""
    session = session_for_code(request, code)
    if session is None:
        return unknown_code_page(request, code)
    if request.person and session.seats.filter(person=request.person).exists():
        return redirect(session)
    key = nights.join_key(session.code)
    here = f"{reverse('play:claim', args=[session.code])}?key={key}"
    if request.method == "POST":
        CLAIMS.demand(f"{client_address(request)} {session.pk}")
        seat = get_object_or_404(session.seats, pk=read_number(request.POST.get("seat", "")))
        with refusals_as_messages(request):
            devices.claim_seat(seat=seat, person=ensure_person(request))
        return redirect(here)
    context = {"session": session, "key": key, "silent": devices.silent_seats(session)}
    if request.person:
        context["claimed"] = SeatClaim.objects.filter(seat__session=session, person=request.person).first()
    return render(request, "sessions/claim.html", context)


@require_safe
@catch_code_errors
def claim_state(request: HttpRequest, code: str) -> HttpResponse:
    """Respond 204 while the GM has not answered the claim, 200 when the page should reload."""
    session, person = session_for_code(request, code), request.person
    waits = session and person and SeatClaim.objects.filter(seat__session=session, person=person).exists()
    return HttpResponse(status=204 if waits else 200)


@action(access.keeper_seat)
def answer_claim(request: HttpRequest, keeper: Seat, claim_pk: int) -> None:
    claims = SeatClaim.objects.select_related("seat", "person")
    found = get_object_or_404(claims, pk=claim_pk, seat__session=keeper.session)
    by = access.seat_even_if_removed(request.person, keeper.session_id)
    devices.answer_claim(claim=found, allow=request.POST.get("allow") == "1", by=by)


@require_http_methods(["GET", "HEAD", "POST"])
def assign_device(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Let the GM say to which person a seat's new device belongs. Only the GM may, not a deputy."""
    seat, gm = access.seat_as_gm(request.person, pk, seat_pk), _own_gm_seat(request.person, pk)
    people = [] if seat.person.user_id else devices.guest_seats(seat)
    chosen = read_number(request.POST.get("who", ""))
    other = next((one for one in people if one.person_id == chosen), None)
    if request.method == "POST" and other:
        with refusals_as_messages(request):
            _vouch(request, gm, other.person, seat.person)
            return redirect(seat.session)
    here = {one.person_id for one in people if person_links.is_here(one.person)}
    context = {"seat": seat, "session": seat.session, "people": people, "here": here}
    return render(request, "sessions/whose.html", context)


@action(access.own_seat)
def answer_device(request: HttpRequest, seat: Seat) -> HttpResponse | None:
    """Accept or refuse another device that asks to continue as this person."""
    allow = request.POST.get("allow") == "1"
    try:
        person_links.answer(seat.person, allow=allow)
    except person_links.LinkRefused as refused:
        messages.error(request, REFUSALS[refused.code])
        return None
    return redirect("companion:device") if allow else None


def _own_gm_seat(person: Person | None, pk: int) -> Seat:
    seat = access.own_seat(person, pk)
    if seat.role != Role.GM:
        raise Http404
    return seat


@action(_own_gm_seat)
def decide_vouched_move(request: HttpRequest, gm: Seat, link_pk: int) -> None:
    """Vouch again for a device if the old one was silent, or withdraw within a day. GM only, no deputy."""
    link = get_object_or_404(devices.vouched_moves(gm.session), pk=link_pk)
    if request.POST.get("back") == "1":
        devices.undo_vouched_move(link=link)
    elif link.asked_by and not link.taken_at:
        _vouch(request, gm, link.person, link.asked_by)


def _vouch(request: HttpRequest, gm: Seat, person: Person, device: Person) -> None:
    link = devices.vouch_for_device(seat=gm, person=person, device=device)
    names = {"name": devices.link_name(link)}
    if link.taken_at:
        messages.success(request, _("%(name)s goes on on the new device.") % names)
    else:
        messages.info(request, _("The device of before is here and is asked first: %(name)s.") % names)
