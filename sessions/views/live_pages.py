"""Pages for everybody: joining by code, the session, the table, the table face.

A code is looked up only within limits: beyond them a right code gets the same response as a wrong one. Codes
that open a session do not count. With ``nights.needed_code_length`` the limit of the whole server keeps a
guesser out for years. A link or a QR code has the key of its code, and works despite the limits.

A person who is seated at a device in use (``add_guest``) gets a seat and a hand of their own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from characters.access import get_own_character
from companion.identity import people
from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, create_guest, set_new_person, shown_name
from companion.identity.shared_device import show_curtain
from companion.models import Person
from companion.pages.reach import origin_of
from companion.requests import read_number, throttle
from companion.requests.throttle import TooManyRequests, Windows, client_address
from sessions import access
from sessions.evening import nights
from sessions.evening.refusals import Refused
from sessions.forms.session import JoinForm
from sessions.live.page_base import PageGone, RenderedPage
from sessions.live.pages import FacePage, LobbyPage, TablePage
from sessions.live.regions import game_boxes, plain_values, render_entries, render_log, seat_names
from sessions.models import Role, Seat, Session, Trial
from sessions.report import audience
from sessions.table.log import read_page
from sessions.table.replay import is_secret_published, table_proof
from sessions.views.report import thinned_page
from sessions.views.responses import View, action, no_store, refusals_as_messages, to_session

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
_MISSES = ((20, MINUTE), (60, HOUR), (100, DAY))
#: Wrong codes from one IP address: those typed into our form, and those in a URL. The limits are separate, as
#: any site can make a visitor's browser open URLs; the form then still works for that visitor.
TYPED = Windows("code-typed", _MISSES, of_an_address=True)
IN_ADDRESSES = Windows("code", _MISSES, of_an_address=True)
WHOLE_SERVER = Windows("codes", ((60, MINUTE), (120, HOUR), (nights.MISSES_A_DAY, DAY)))


class CodeThrottled(TooManyRequests):
    """A code that was not looked up, because too many wrong ones came before it."""


class FromElsewhere(Exception):
    """A code without its key in a link of another site. It is looked up after the visitor confirms it."""


def session_for_code(request: HttpRequest, typed: str) -> Session | None:
    """Return the session that a code opens.

    :raises CodeThrottled: too many wrong codes came from this address, or from all addresses together.
    :raises FromElsewhere: the request comes from a link of another site.
    """
    if constant_time_compare(request.GET.get("key", ""), nights.join_key(typed)):
        return nights.session_by_code(typed)
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        raise FromElsewhere
    here, address = TYPED if "code" in request.POST else IN_ADDRESSES, client_address(request)
    if not (here.count(address) and WHOLE_SERVER.count()):
        raise CodeThrottled(max(here.wait(address), WHOLE_SERVER.wait()))
    session = nights.session_by_code(typed)
    if session:
        here.forgive(address)
        WHOLE_SERVER.forgive()
    return session


def session_with_own_seat(request: HttpRequest, code: str) -> Session | None:
    """Return the session of a code, also a locked or expired one, in which the person has a seat."""
    if request.person is None:
        return None
    kept = {"seats__person": request.person, "seats__removed_at": None}
    return Session.objects.filter(code=code, ended_at=None, **kept).first()


def unknown_code_page(request: HttpRequest, typed: str) -> HttpResponse:
    """Respond to a code that opens no session now. A stranger learns no more than that."""
    return render(request, "sessions/enter_code.html", {"typed": typed}, status=404)


def catch_code_errors(view: View) -> View:
    """Decorate a view of a code so that it responds to too many wrong codes, and to links of other sites."""

    @wraps(view)
    def inner(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, code)
        except CodeThrottled as often:
            context = {"typed": code, "often": throttle.retry_sentence(often.seconds)}
            response = render(request, "sessions/enter_code.html", context, status=429)
            return throttle.set_retry_after(response, often.seconds)
        except FromElsewhere:
            return render(request, "sessions/enter_code.html", {"written": code})

    return inner


@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code; a valid one leads to the join page."""
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")
    return _look_up_code(request, typed) if typed else render(request, "sessions/enter_code.html")


@catch_code_errors
def _look_up_code(request: HttpRequest, code: str) -> HttpResponse:
    session = session_for_code(request, code)
    if session is None:
        return unknown_code_page(request, code)
    there = reverse("play:join", args=[session.code])
    # The key lets the next page skip the limits for a code that the form has just found.
    return redirect(f"{there}?key={nights.join_key(session.code)}" if request.method == "POST" else there)


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
@catch_code_errors
def join_session(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for a name and take a seat. A device that has a seat here goes straight back to it."""
    if seated := session_with_own_seat(request, code):
        return redirect(seated)
    session = session_for_code(request, code)
    if session is None:
        return unknown_code_page(request, code)
    if request.person and session.seats.filter(person=request.person).exists():
        return redirect(session)
    if request.method != "POST" and "stay" not in request.GET and (app := people.in_app_browser(request)):
        return _ask_for_browser(request, session, app)
    form = JoinForm(request.POST or None, initial={"name": shown_name(request.person)[:12]})
    if request.method == "POST" and form.is_valid() and _take_seat(request, session, form):
        return redirect(session)
    status = 422 if form.errors else 200
    context = {
        "session": session,
        "form": form,
        "key": nights.join_key(session.code),
        "join_url": nights.join_url(session, ""),
        "company": session.seats.filter(removed_at=None),
        "again": nights.last_joined_as(request.person, session.campaign),
    }
    return render(request, "sessions/join.html", context, status=status)


def _ask_for_browser(request: HttpRequest, session: Session, app: str) -> HttpResponse:
    """Ask to open the real browser: an app's own browser loses its cookies when it closes."""
    url = nights.join_url(session, origin_of(request))
    context = {"session": session, "app": app, "url": url, "key": nights.join_key(session.code)}
    context["android"] = "Android" in request.headers.get("User-Agent", "")
    context["intent"] = f"intent://{nights.address_to_type(url)}#Intent;scheme={url.partition(':')[0]};end"
    return render(request, "sessions/open_browser.html", context)


def _take_seat(request: HttpRequest, session: Session, form: JoinForm) -> bool:
    """Take the seat that a filled-in form asks for; on a refusal the form gets the reason and a free name.

    A new guest is saved only together with a seat. So the seats of a session limit how many guests its code
    lets in, from all addresses.
    """
    wish = form.cleaned_data
    chosen = read_number(request.POST.get("character", ""))
    character = get_own_character(request, chosen) if chosen else None
    try:
        with transaction.atomic():
            person = request.person or create_guest(request)
            seat = nights.take_seat(
                session=session, person=person, name=wish["name"], role=Role(wish["role"])
            )
            if character and seat.character is None:
                nights.bring_character(seat=seat, character=character)
    except Refused as refusal:
        form.refuse(refusal)
        return False
    set_new_person(request, person)
    return True


@require_http_methods(["GET", "HEAD", "POST"])
def session(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the session's own page, before, between and beside its tables. POST brings a new character."""
    if request.method == "POST":
        if made := read_number(request.GET.get("character", "")):
            return _bring(request, access.own_seat(request.person, pk), made)
        raise Http404
    page = LobbyPage(request.person, pk, origin_of(request))
    try:
        rendered = page.render_page()
    except PageGone:
        return render(request, "sessions/removed.html", status=403)
    shown = rendered.context["session"]
    if shown.trial == Trial.PRACTICE:
        return redirect(shown.tables.latest("pk"))
    if shown.trial == Trial.FIRST_GAME:
        return redirect("play:free-game", shown.tables.latest("pk").module)
    if shown.trial == Trial.REHEARSAL:
        return redirect("play:campaign", shown.campaign_id)
    more: dict[str, Any] = {}
    if shown.is_free:
        boxes, chosen = game_boxes(), request.GET.get("game", "")
        more = {"boxes": boxes, "chosen_game": next((box for box in boxes if box.game.key == chosen), None)}
    return _render_live(request, rendered, f"/ws/sessions/{pk}/", **more)


@action(access.own_seat, to=to_session)
def bring_character(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _bring(request, seat, read_number(request.POST.get("character", "")))


def _bring(request: HttpRequest, seat: Seat, chosen: int) -> HttpResponse:
    character = get_own_character(request, chosen) if chosen else None
    with refusals_as_messages(request):
        nights.bring_character(seat=seat, character=character)
    return redirect(seat.session)


@action(access.own_seat, to=to_session)
def play_along(request: HttpRequest, seat: Seat) -> None:
    nights.become_player(seat=seat)


@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a live table: as the GM's desk, a player's hand, or a spectator's view."""
    acting = read_number(request.GET.get("as", ""))
    try:
        rendered = TablePage(request.person, pk, origin_of(request), acting).render_page()
    except PageGone:
        if acting:
            return redirect("play:table", pk)
        return render(request, "sessions/removed.html", status=403)
    marks = {person.pk: mark for mark, person in request.company.others}
    beside = (
        rendered.context["table"].table_seats.filter(seat__person__in=marks, bot="").select_related("seat")
    )
    others = [(at.seat.name, marks[at.seat.person_id]) for at in beside] if marks else []
    return _render_live(request, rendered, f"/ws/tables/{pk}/", acting_pk=acting, beside=others)


@require_safe
@vary_on_headers("HX-Request")
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the log of a table, as far as the reader's seat may know it, page by page.

    A running table's log opens at its newest moves, an ended table's at its first. ``?from=12`` begins with
    move 12, ``?before=12`` ends before it. htmx gets the page's entries alone.
    """
    found, seat = access.table_and_seat(request.person, pk)
    if seat.removed_at:
        return render(request, "sessions/removed.html", status=403)
    if found.is_thinned:
        return thinned_page(request, found)
    sits = found.sitter(seat)
    key = sits.key if sits else None
    context = plain_values(found, key, seat_names(found))
    wanted, before = request.GET.get("from"), request.GET.get("before")
    backwards = before is not None or (wanted is None and found.ended_at is None)
    page = (
        read_page(found, key, before=read_number(before or "") or None)
        if backwards
        else read_page(found, key, first=read_number(wanted or ""))
    )
    rewinds = access.runs_session(seat) and found.session.ended_at is None
    moves = render_log(found, page.lines, context)
    entries = render_entries(found, moves, rewinds=rewinds, is_last=page.later is None)
    context |= {"entries": entries, "earlier": page.earlier, "later": page.later, "rewinds": rewinds}
    if request.headers.get("HX-Request"):
        context |= {"part": True, "later" if backwards else "earlier": None}
        return render(request, "tables/_log_page.html", context)
    proven = table_proof(found)
    if not audience.may_know_everything(found.session, seat):
        proven = replace(proven, secret=None)
    context |= {"proof": proven, "is_told": is_secret_published(found)}
    return render(request, "tables/log.html", context)


@require_safe
def face(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the table face 卓面: for a tablet or TV, without secrets and without controls."""
    chosen = read_number(request.GET.get("table", ""))
    rendered = FacePage(str(key), origin_of(request), chosen_table_pk=chosen).render_page()
    return _render_live(request, rendered, f"/ws/faces/{key}/", chosen=chosen)


@require_safe
def join_card(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the join card full-screen: QR code, join code, the people here and those missing."""
    rendered = FacePage(str(key), origin_of(request), join_only=True).render_page()
    shown = rendered.context["session"]
    runs = request.person == (shown.campaign.gm if shown.campaign else shown.host)
    return _render_live(request, rendered, f"/ws/faces/{key}/join/", layout="sessions/face.html", back=runs)


def _render_live(request: HttpRequest, rendered: RenderedPage, socket: str, **more: Any) -> HttpResponse:
    context = {**rendered.context, "regions": rendered.regions, "socket": socket, **more}
    # The browser's Back button must show the table as it is now, not a cached page.
    return no_store(render(request, context["layout"], context))


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def add_guest(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a name, seat a new guest under it, and draw the curtain before the device is handed over."""
    seat = access.own_seat(request.person, pk)
    session, company = seat.session, request.company
    why = _obstacle(request, session)
    form = JoinForm(request.POST if request.method == "POST" and not why else None)
    table = session.tables.filter(pk=read_number(request.GET.get("table", ""))).first()
    back = (table or session).get_absolute_url()
    if form.is_valid() and (guest := _seat_guest(request, seat, form)):
        return show_curtain([*(company.people or [seat.person]), guest], guest, back)
    context = {"session": session, "seat": seat, "form": form, "why": why, "back": back}
    return render(request, "sessions/beside.html", context, status=422 if form.errors else 200)


def _obstacle(request: HttpRequest, session: Session) -> str:
    if request.user.is_authenticated:
        return "account"
    if request.company.is_full:
        return "full"
    return "" if session.admits else "closed"


def _seat_guest(request: HttpRequest, seat: Seat, form: JoinForm) -> Person | None:
    """Seat a new guest by a filled-in form; on a refusal the form gets the reason and a free name."""
    wish = form.cleaned_data
    try:
        with transaction.atomic():
            if not seat.person.name:  # the device asks for its people by their names
                seat.person.name = seat.name
                seat.person.save(update_fields=["name"])
            guest = Person.objects.create()
            nights.take_seat(session=seat.session, person=guest, name=wish["name"], role=Role(wish["role"]))
    except Refused as refusal:
        form.refuse(refusal)
        return None
    return guest
