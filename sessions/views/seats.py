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
from companion.requests.throttle import Windows, client_address, count_wrong_key
from sessions import access
from sessions.evening import devices, nights, refusals, stand_ins
from sessions.evening.nights import read_number
from sessions.evening.refusals import refusal_sentence
from sessions.models import Role, Seat, SeatClaim
from sessions.views.gm import other_seat
from sessions.views.live_pages import open_to, opens_nothing, slow
from sessions.views.responses import back, done

CLAIMS = Windows("claim", ((10, 60),))


@require_POST
def show_link(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Show a seat's own QR code to its owner or the GM, for the phone that takes the seat over."""
    seat = _own_or_others(request, pk, seat_pk)
    url = origin_of(request) + reverse("play:use-seat", args=[devices.issue_link(seat=seat)])
    context = {"seat": seat, "session": seat.session, "url": url, "qr": qr_svg(url)}
    context["address"] = nights.address_to_type(url)
    response = render(request, "sessions/seat_link.html", context)
    response["Cache-Control"] = "no-store"
    return response


@answered_once
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def use_seat(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page behind that QR code, with one button. Opening the page does not use the link up."""
    seat, why = devices.seat_by_link(token), ""
    if request.method == "POST" and seat is None:
        count_wrong_key(request)
    elif request.method == "POST":
        try:
            return redirect(devices.redeem_link(token=token, person=ensure_person(request)).session)
        except refusals.Refused as refused:
            why = refusal_sentence(refused)
    status = 200 if seat and not why else 410
    return render(request, "sessions/use_seat.html", {"seat": seat, "why": why}, status=status)


@require_POST
def step_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark one's own seat as away for a while (離席中), or as back."""
    seat = access.seat_kept(request.person, pk)
    (stand_ins.step_out if request.POST.get("out") == "1" else stand_ins.come_back)(seat=seat)
    return back(request, seat.session)


@require_POST
def appoint(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Appoint a deputy (サブマスター), or end the appointment. Only the GM may, not a deputy."""
    seat = other_seat(request, pk, seat_pk)
    _gm(request, pk)
    stand_ins.appoint(seat=seat, deputy=request.POST.get("deputy") == "1")
    return redirect(seat.session)


@require_POST
def stand_in(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Let a stand-in play a player's hand (代行). The GM chooses; a player who is here is asked first."""
    seat = other_seat(request, pk, seat_pk)
    helper = get_object_or_404(seat.session.seats, pk=read_number(request.POST.get("by", "")))
    if not done(request, lambda: stand_ins.let_stand_in(seat=seat, stand_in=helper)):
        return back(request, seat.session)
    seat.refresh_from_db()
    if seat.stand_in_asked:
        messages.info(request, _("%(name)s is here and is asked first.") % {"name": seat.name})
        return back(request, seat.session)
    table = seat.session.tables.filter(ended_at=None, table_seats__seat=seat).first()
    if table and helper.person == request.person:
        return redirect(f"{table.get_absolute_url()}?as={seat.pk}")
    return back(request, seat.session)


@require_POST
def lend(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept the stand-in that the GM proposed for one's own seat. ``take_back`` declines."""
    seat = access.seat_kept(request.person, pk)
    helper = read_number(request.POST.get("by", ""))
    done(request, lambda: stand_ins.agree(seat=seat, stand_in_pk=helper))
    return back(request, seat.session)


@require_POST
def take_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Run the session as a deputy while the GM is gone."""
    deputy = access.seat_kept(request.person, pk)
    done(request, lambda: stand_ins.take_over(deputy=deputy))
    return redirect(deputy.session)


@require_POST
def take_back(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """End a stand-in, as the seat's owner, the stand-in, or the GM."""
    own = access.seat_kept(request.person, pk)
    seat = get_object_or_404(own.session.seats, pk=seat_pk)
    if own.pk == seat.pk:
        stand_ins.come_back(seat=seat)
        return back(request, own.session)
    if own.pk != seat.stand_in_id:
        access.seat_gm(request.person, pk)
    stand_ins.take_back(seat=seat)
    return back(request, own.session)


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
@slow
def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Claim, by the session's code, a seat that is on another phone, and wait for the GM's answer."""
    session = open_to(request, code)
    if session is None:
        return opens_nothing(request, code)
    if request.person and session.seats.filter(person=request.person).exists():
        return redirect(session)
    key = nights.join_key(session.code)
    here = f"{reverse('play:claim', args=[session.code])}?key={key}"
    if request.method == "POST":
        CLAIMS.demand(f"{client_address(request)} {session.pk}")
        seat = get_object_or_404(session.seats, pk=read_number(request.POST.get("seat", "")))
        done(request, lambda: devices.claim(seat=seat, person=ensure_person(request)))
        return redirect(here)
    context = {"session": session, "key": key, "silent": devices.silent_seats(session)}
    if request.person:
        context["claimed"] = SeatClaim.objects.filter(seat__session=session, person=request.person).first()
    return render(request, "sessions/claim.html", context)


@require_safe
@slow
def claim_state(request: HttpRequest, code: str) -> HttpResponse:
    """Respond 204 while the GM has not answered the claim, 200 when the page should reload."""
    session = open_to(request, code)
    person = request.person
    waits = session and person and SeatClaim.objects.filter(seat__session=session, person=person).exists()
    return HttpResponse(status=204 if waits else 200)


@require_POST
def answer_claim(request: HttpRequest, pk: int, claim_pk: int) -> HttpResponse:
    """Accept or refuse a claim, as the GM or the host."""
    keeper = access.seat_keeping(request.person, pk)
    claims = SeatClaim.objects.select_related("seat", "person")
    found = get_object_or_404(claims, pk=claim_pk, seat__session=keeper.session)
    allow, by = request.POST.get("allow") == "1", access.seat_of(request.person, pk)
    done(request, lambda: devices.answer_claim(claim=found, allow=allow, by=by))
    return back(request, keeper.session)


@require_http_methods(["GET", "HEAD", "POST"])
def whose(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Let the GM say to which person a seat's new device belongs. Only the GM may, not a deputy."""
    seat, gm = other_seat(request, pk, seat_pk), _gm(request, pk)
    people = [] if seat.person.user_id else devices.guest_seats(seat)
    chosen = read_number(request.POST.get("who", ""))
    other = next((one for one in people if one.person_id == chosen), None)
    if request.method == "POST" and other:
        person = other.person
        if done(request, lambda: _vouch(request, gm, person, seat.person)):
            return redirect(seat.session)
    here = {one.person_id for one in people if person_links.is_here(one.person)}
    context = {"seat": seat, "session": seat.session, "people": people, "here": here}
    return render(request, "sessions/whose.html", context)


@require_POST
def answer_device(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or refuse another device that asks to continue as this person."""
    seat, allow = access.seat_kept(request.person, pk), request.POST.get("allow") == "1"
    try:
        person_links.answer(seat.person, allow=allow)
    except person_links.LinkRefused as refused:
        messages.error(request, REFUSALS[refused.code])
        return back(request, seat.session)
    return redirect("companion:device") if allow else back(request, seat.session)


@require_POST
def word(request: HttpRequest, pk: int, link_pk: int) -> HttpResponse:
    """Vouch again for a device if the old one was silent, or withdraw within a day. GM only, no deputy."""
    gm = _gm(request, pk)
    link = get_object_or_404(devices.vouched_moves(gm.session), pk=link_pk)
    if request.POST.get("back") == "1":
        done(request, lambda: devices.undo_vouched_move(link=link))
    elif link.asked_by and not link.taken_at:
        device = link.asked_by
        done(request, lambda: _vouch(request, gm, link.person, device))
    return back(request, gm.session)


def _vouch(request: HttpRequest, gm: Seat, person: Person, device: Person) -> None:
    link = devices.vouch(seat=gm, person=person, device=device)
    names = {"name": devices.name_of(link)}
    if link.taken_at:
        messages.success(request, _("%(name)s goes on on the new device.") % names)
    else:
        messages.info(request, _("The device of before is here and is asked first: %(name)s.") % names)


def _gm(request: HttpRequest, pk: int) -> Seat:
    seat = access.seat_kept(request.person, pk)
    if seat.role != Role.GM:
        raise Http404
    return seat


def _own_or_others(request: HttpRequest, pk: int, seat_pk: int) -> Seat:
    own = access.seat_kept(request.person, pk)
    return own if own.pk == seat_pk else other_seat(request, pk, seat_pk)
