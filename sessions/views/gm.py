"""Pages and actions of the GM: campaigns, sessions, tables and seats, and the experience at the end.

A sheet's history is here as the GM sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from characters.forms import ReviseForm
from characters.rules import HP_USUAL, SheetRefused
from characters.services import sheets
from characters.views import history
from characters.views.experience import experience_context as experience_of
from characters.views.responses import status, submit_form
from companion.backups import retention
from companion.identity.people import HttpRequest
from companion.models import Person
from companion.pages.reach import origin_of
from companion.requests import read_number
from companion.requests.queue import heavy
from sessions import access
from sessions.archive import campaign_export
from sessions.board_games import games
from sessions.card_table import checklists, gm_moves, house_rules, trials
from sessions.evening import announcements, nights, shares
from sessions.evening.refusals import Refused
from sessions.forms.session import CampaignForm, RewindForm, SessionForm
from sessions.game import IllegalMove
from sessions.live.pages import LobbyPage
from sessions.live.regions import plain_values, render_log, render_region, seat_names
from sessions.models import Campaign, Scenario, Seat, Session, Table
from sessions.report import campaign_book
from sessions.scenarios import shipped
from sessions.table import log, moves, opening
from sessions.views.responses import action, no_store, refusals_as_messages, refused_move, to_session

#: The newest scene notes on a campaign's page; all of them are on the page of prepared things.
NOTES_SHOWN = 10


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show the GM's desk: campaigns, running sessions, and a new session in one tap."""
    return _render_desk(request, CampaignForm(initial={"name": _("Our campaign"), "jokers": 2}))


def _render_desk(request: HttpRequest, form: CampaignForm, status: int = 200) -> HttpResponse:
    sessions = Session.objects.filter(trial="")  # without rehearsals
    newest = Prefetch("sessions", sessions[:3], to_attr="newest")
    sample = nights.find_sample(request.person)
    others = Campaign.objects.filter(gm=request.person).exclude(pk__in=[sample.pk] if sample else [])
    campaigns = others.prefetch_related(newest)
    running = sessions.filter(campaign__in=campaigns, ended_at=None)
    context: dict[str, Any] = {
        "campaigns": campaigns,
        "open_sessions": running.select_related("campaign"),
        "form": form,
        "title": _today_title(),
        "sample": sample and sample.evenings.get(),
    }
    if request.user.is_superuser:  # the host of the server, the only one who can act on it
        backup = retention.newest_backup()
        context |= {
            "backup": backup,
            "backup_is_old": retention.is_old(backup),
            "by_itself": retention.makes_backups(),
        }
    if not Scenario.objects.filter(owner=request.person).exists():
        context["offered"] = shipped.shipped_scenarios(get_language())
    return render(request, "sessions/gm_home.html", context, status=status)


def _today_title() -> str:
    return formats.date_format(timezone.localdate(), "MONTH_DAY_FORMAT")


@require_POST
@login_required
def open_campaign(request: HttpRequest) -> HttpResponse:
    """Create a campaign, and open its first session at once."""
    form = CampaignForm(request.POST)
    if not form.is_valid():
        return _render_desk(request, form, status=422)
    form.instance.gm = request.person
    with transaction.atomic():
        campaign = form.save()
        session = nights.open_session(campaign=campaign, title=_today_title())
    return redirect(session)


@require_POST
@login_required
def delete_sample(request: HttpRequest) -> HttpResponse:
    if sample := nights.find_sample(request.person):
        nights.delete_sample(sample)
    return redirect("play:gm-home")


@heavy("GET")
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@login_required
def campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a campaign: a page of its sessions, its book and its settings. htmx gets the sessions alone."""
    found = access.own_campaign(request.person, pk)
    wanted, before = request.GET.get("from"), request.GET.get("before")
    page = (
        nights.session_page(found, before=read_number(before or "") or None)
        if wanted is None
        else nights.session_page(found, first=read_number(wanted))
    )
    shown = {"sessions": page.sessions, "earlier": page.earlier, "later": page.later}
    if request.headers.get("HX-Request"):
        shown |= {"part": True, "later" if wanted is None else "earlier": None}
        return render(request, "sessions/_session_rows.html", shown)
    form = CampaignForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("play:campaign", pk)
    changed = set(house_rules.changed_parts(found)) - {"jokers"}
    context = shown | {"campaign": found, "form": form, "title": _today_title(), "changed": changed}
    context["unconfirmed"] = checklists.unconfirmed_sessions(found)
    context["rehearsal"] = trials.rehearsal_going_on(found)
    context["running"] = campaign_export.running_sessions(found).count()
    context["book"] = campaign_book.campaign_book(found, found.gm)
    context["notes"] = found.scene_notes.order_by("-pk")[:NOTES_SHOWN]
    return render(request, "sessions/campaign.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def open_session(request: HttpRequest, pk: int) -> HttpResponse:
    found = access.own_campaign(request.person, pk)
    form = SessionForm(request.POST)
    title = form.cleaned_data["title"] if form.is_valid() else _today_title()
    return redirect(nights.open_session(campaign=found, title=title))


@action(access.gm_seat, to=to_session)
def open_table(request: HttpRequest, gm: Seat) -> HttpResponse:
    chosen = [read_number(value) for value in request.POST.getlist("seat")]
    table = opening.open_table(
        session=gm.session,
        module_key=request.POST.get("module", ""),
        players=list(gm.session.seats.filter(pk__in=chosen, removed_at=None).exclude(pk=gm.pk)),
        chance=shares.gather_shares(gm.session),
    )
    return redirect(table)


@action(access.keeper_seat, to=to_session)
def rotate_code(request: HttpRequest, keeper: Seat) -> None:
    nights.rotate_code(session=keeper.session)


@action(access.keeper_seat, to=to_session)
def set_joining(request: HttpRequest, keeper: Seat) -> None:
    nights.set_joining(session=keeper.session, is_open=request.POST.get("open") == "1")


@action(access.keeper_seat, to=to_session)
def allow_emotes(request: HttpRequest, keeper: Seat) -> None:
    announcements.allow_emotes(session=keeper.session, allowed=request.POST.get("allowed") == "1")


@action(access.keeper_seat, to=to_session)
def end_session(request: HttpRequest, keeper: Seat) -> None:
    nights.close_session(session=keeper.session)
    if not keeper.session.is_free:
        checklists.open_checklists(session=keeper.session)


@action(access.seat_as_gm, "pk", "seat_pk", to=to_session)
def approve_character(request: HttpRequest, seat: Seat) -> None:
    """Approve the character that a seat brings, or withdraw the approval."""
    nights.set_approved(seat=seat, approved=request.POST.get("approved") == "1")


@action(access.seat_as_gm, "pk", "seat_pk", to=to_session)
def set_usual_hp(request: HttpRequest, seat: Seat) -> None:
    """Give the character that a seat brings the HP that six cards give most often."""
    if brought := seat.character:
        sheets.set_hp_max(character=brought, hp_max=HP_USUAL, by=request.person)
        announcements.broadcast(seat.session_id)


@action(access.seat_as_gm, "pk", "seat_pk", to=to_session)
def ask_to_draw(request: HttpRequest, seat: Seat) -> None:
    nights.ask_to_draw(seat=seat)


@require_http_methods(["GET", "HEAD", "POST"])
def character(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    """Look at the character that a seat brings, and edit it as the GM."""
    seat = access.seat_as_gm(request.person, pk, seat_pk)
    brought = seat.character
    if brought is None:
        return redirect(seat.session)
    form = ReviseForm(request.POST or None, character=brought)
    if request.method == "POST" and submit_form(
        form, lambda: sheets.revise(character=brought, by=request.person, **form.sheet)
    ):
        announcements.broadcast(pk)
        return redirect(seat.session)
    context = {"seat": seat, "character": brought, "form": form, "session": seat.session}
    context |= history.concurrent_changes(brought, form) | experience_of(brought)
    return render(request, "sessions/seat_character.html", context, status=status(form))


def _table_and_latecomer(person: Person | None, pk: int, seat_pk: int, table_pk: int) -> tuple[Table, Seat]:
    seat = access.seat_as_gm(person, pk, seat_pk)
    return get_object_or_404(seat.session.tables, pk=table_pk), seat


@action(_table_and_latecomer, "pk", "seat_pk", "table_pk")
def admit_to_table(request: HttpRequest, table: Table, latecomer: Seat) -> None:
    gm_moves.admit(table_pk=table.pk, newcomer=latecomer)


@action(access.seat_as_keeper, "pk", "seat_pk", to=to_session)
def remove_seat(request: HttpRequest, seat: Seat) -> None:
    nights.remove_seat(seat=seat)
    if seat.session.is_free:
        games.let_bots_play_on(seat=seat)


@action(access.seat_as_keeper, "pk", "seat_pk", to=to_session)
def restore_seat(request: HttpRequest, seat: Seat) -> None:
    nights.restore_seat(seat=seat)


@require_http_methods(["GET", "HEAD", "POST"])
def rewind_table(request: HttpRequest, pk: int, to: int) -> HttpResponse:
    """Take back every move after number ``to``. GET asks first, in a sheet over the table or on a page."""
    table = access.table_gm(request.person, pk)
    gm, own = (
        seat(request.person, table.session_id) for seat in (access.gm_seat, access.seat_even_if_removed)
    )
    stand_in = own.name if own != gm else ""
    form = RewindForm(request.POST or None, initial={"version": table.version})
    if request.method == "POST" and form.is_valid():
        with refusals_as_messages(request, table):
            moves.rewind(table_pk=pk, to=to, stand_in=stand_in, **form.cleaned_data)
        return redirect(f"{table.get_absolute_url()}?as={gm.pk}" if stand_in else table)
    sits = table.sitter(gm)
    key = sits.key if sits else None
    context = plain_values(table, key, seat_names(table))
    page = log.read_page(table, key)
    lines = [line for line in page.lines if line.number > to]
    going = [move for move in render_log(table, lines, context) if not (move.taken_back or move.takes_back)]
    sheet = bool(request.headers.get("HX-Request"))
    count = moves.count_taken_back(table, to)
    context |= {"to": to, "form": form, "moves": going, "count": count, "sheet": sheet}
    context["more"] = page.earlier is not None and page.earlier > to + 1
    template = "tables/_rewind.html" if sheet else "tables/rewind.html"
    return render(request, template, context, status=status(form))


@require_POST
def peek_at_hand(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the GM a player's hand once: the response is not cached, and the player is notified."""
    table, key = access.table_own_gm(request.person, pk), request.POST.get("hand", "")
    try:
        hand = gm_moves.peek(table_pk=pk, key=key)
    except IllegalMove as refused:
        return refused_move(table, refused)
    values = {"view": hand.view, "figures": hand.figures, "names": seat_names(table), "seat": key}
    return no_store(HttpResponse(render_region(table.module, "peeked", values)))


@require_POST
def begin_checklists(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the players to tick their checklists, even before the session has ended."""
    gm = access.gm_seat(request.person, pk)
    return _change_lists(request, gm, lambda: checklists.open_checklists(session=gm.session))


@require_POST
def tick_checklist(request: HttpRequest, pk: int, key: str, ticked: int) -> HttpResponse:
    """Tick a line of one's own checklist, or take the tick back."""
    seat = access.own_seat(request.person, pk)
    return _change_lists(request, seat, lambda: checklists.tick_line(seat=seat, key=key, ticked=bool(ticked)))


@require_POST
def tick_checklist_for(request: HttpRequest, pk: int, seat_pk: int, key: str, ticked: int) -> HttpResponse:
    """Tick a line for a player, or take the tick back."""
    gm, seat = access.gm_seat(request.person, pk), access.seat_as_gm(request.person, pk, seat_pk)
    return _change_lists(request, gm, lambda: checklists.tick_line(seat=seat, key=key, ticked=bool(ticked)))


@require_POST
def confirm_checklist(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    gm, seat = access.gm_seat(request.person, pk), access.seat_as_gm(request.person, pk, seat_pk)
    return _change_lists(request, gm, lambda: checklists.confirm(seat=seat, by=request.person))


@require_POST
def confirm_all_checklists(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm every checklist that has a tick."""
    gm = access.gm_seat(request.person, pk)
    return _change_lists(request, gm, lambda: checklists.confirm_all(session=gm.session, by=request.person))


def _change_lists(request: HttpRequest, seat: Seat, verb: Callable[[], None]) -> HttpResponse:
    """Run an action; respond with the changed region to htmx, with a redirect to a plain form."""
    live = bool(request.headers.get("HX-Request"))
    with suppress(Refused, SheetRefused) if live else refusals_as_messages(request):
        verb()
    region = "experience_gm" if seat.is_gm else "experience"
    if not live:
        return redirect(f"{seat.session.get_absolute_url()}#{region}")
    page = LobbyPage(request.person, seat.session_id, origin_of(request))
    return HttpResponse(page.render_parts([region]).regions.get(region, ""))


# A sheet's history, for the GM of a session that it was brought to


@require_safe
def seat_history(request: HttpRequest, pk: int, seat_pk: int) -> HttpResponse:
    return history.render_history(request, _history_for_gm(request, pk, seat_pk))


@require_safe
def seat_revision(request: HttpRequest, pk: int, seat_pk: int, number: int) -> HttpResponse:
    return history.render_revision(request, _history_for_gm(request, pk, seat_pk), number)


@require_POST
def seat_restore(request: HttpRequest, pk: int, seat_pk: int, number: int) -> HttpResponse:
    response = history.restore_revision(request, _history_for_gm(request, pk, seat_pk), number)
    announcements.broadcast(pk)
    return response


def _history_for_gm(request: HttpRequest, pk: int, seat_pk: int) -> history.SheetHistory:
    back, base = (reverse(f"play:seat-{page}", args=[pk, seat_pk]) for page in ("character", "history"))
    return history.SheetHistory(access.character_for_gm(request.person, pk, seat_pk), back, base)
