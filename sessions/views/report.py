"""The lasting pages of a session: report, log, files, replays, and the proof of its random draws."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from companion.identity.people import HttpRequest
from companion.pages.defaults import file_response
from companion.pages.reach import origin_of, qr_svg
from companion.requests import read_number
from companion.requests.queue import heavy
from sessions import access
from sessions.board_games.games import board_games
from sessions.card_table import checklists
from sessions.engine.registry import registry
from sessions.game import IllegalMove
from sessions.live.regions import game_box
from sessions.models import Seat, Session, Table
from sessions.report import audience, campaign_book, head_to_head, logs, proofs, replay_pages
from sessions.report.result_card import days_context, result_card
from sessions.report.session_report import report
from sessions.table import replay
from sessions.table.replay import check_part, count_parts, is_secret_published
from sessions.views.responses import View, action, no_store


def with_seat(view: View) -> View:
    """Decorate a view to receive the reader's seat in the session ``pk``; a removed person gets a 403.

    Responses are not cached, as the GM opens and closes the secrets.
    """

    @wraps(view)
    def inner(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
        seat = access.seat_even_if_removed(request.person, pk)
        if seat.removed_at:
            return render(request, "sessions/removed.html", status=403)
        return no_store(view(request, seat, **kwargs))

    return inner


def at_table(view: View) -> View:
    """Decorate a page to receive an ended table and the reader's seat in its session; 404 before the end.

    Such pages are heavy, as they replay the table. If its moves are not kept any more, the page says so.
    Responses are not cached, as above.
    """

    @heavy("GET")
    @require_safe
    @wraps(view)
    def inner(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
        table, seat = access.table_and_seat(request.person, pk)
        if seat.removed_at:
            return render(request, "sessions/removed.html", status=403)
        if table.ended_at is None:
            raise Http404
        if table.is_thinned:
            return no_store(thinned_page(request, table))
        return no_store(view(request, table, seat, **kwargs))

    return inner


def thinned_page(request: HttpRequest, table: Table) -> HttpResponse:
    return render(request, "report/thinned.html", {"session": table.session}, status=410)


@heavy("GET")
@require_safe
def result(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the card of a game's result, to be shared."""
    table, seat = access.table_and_seat(request.person, pk)
    if seat.removed_at or table.ended_at is None or table.module not in board_games():
        raise Http404
    card = result_card(table)
    if card is None:
        raise Http404
    url = origin_of(request) + reverse("play:free-game", args=[table.module])
    context = {
        "table": table,
        "card": card,
        "url": url,
        "qr": qr_svg(url),
        "box": game_box(registry()[table.module]),
        "alone": sum(sits.seat_id is not None for sits in table.sitters) < 2,
    }
    if table.daily and table.sitter(seat):
        context |= days_context(seat.person, table.module, table.daily, url)
    return no_store(render(request, "report/result.html", context))


@heavy("GET")
@require_safe
@with_seat
def show_report(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show the session report; it is unfinished while the session runs."""
    session = seat.session
    shared = session.replay_key and reverse("play:report-shared", args=[session.replay_key])
    context = {
        "session": session,
        "runs": access.runs_session(seat),
        "report": report(session),
        "earned": checklists.points_earned(session),
        "readers": audience.perspectives(session, seat),
        "in_book": head_to_head.tables_with_book(seat),
        "shared_url": shared and origin_of(request) + shared,
    }
    return render(request, "report/report.html", context)


@heavy("GET")
@require_safe
def show_campaign_book(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the book of a campaign to its GM and its people."""
    found = access.member_campaign(request.person, pk)
    assert request.person
    book = campaign_book.campaign_book(found, request.person)
    context = {"book": book, "campaign": found, "runs": found.gm == request.person}
    return no_store(render(request, "book/people.html", context))


@require_safe
@vary_on_headers("HX-Request")
@with_seat
def log(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show the log of the whole session, in the requested perspective, page by page.

    A running session's log opens at its newest lines, an ended session's at its first. htmx gets the page's
    lines alone.
    """
    session = seat.session
    reader = audience.open_perspective(session, seat, request.GET.get("view", ""))
    window = _window(request, session)
    page = logs.page(session, reader, window)
    context = {
        "session": session,
        "reader": reader,
        "tab": window.tab,
        "entries": page.entries,
        "earlier": page.earlier and _to_microseconds(page.earlier),
        "later": page.later and _to_microseconds(page.later),
        "keeps": urlencode({"view": reader.view, "tab": window.tab}) + "&",
    }
    if request.headers.get("HX-Request"):
        context |= {"part": True, "later" if window.before else "earlier": None}
        return render(request, "report/_log_page.html", context)
    tabs = logs.tabs(session, reader)
    context |= {"readers": audience.perspectives(session, seat), "tabs": tabs if len(tabs) > 1 else []}
    return render(request, "report/log.html", context)


def _window(request: HttpRequest, session: Session) -> logs.Window:
    since, before, tab = (request.GET.get(name) for name in ("from", "before", "tab"))
    if before is not None or (since is None and session.ended_at is None):
        return logs.Window(before=_from_microseconds(before or "") or logs.END, tab=tab or "")
    return logs.Window(since=_from_microseconds(since or ""), tab=tab or "")


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _to_microseconds(moment: datetime) -> int:
    """Return a time as it stands in a URL: in microseconds since 1970."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def _from_microseconds(written: str) -> datetime | None:
    number = read_number(written)
    return EPOCH + timedelta(microseconds=min(number, 10**17)) if number else None


@heavy("GET")
@require_safe
@with_seat
def download_log(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Export the log as a file. It is meant to be passed on, so the default perspective is a spectator's."""
    wanted = logs.FORMATS.get(request.GET.get("format", ""))
    if wanted is None:
        raise Http404
    session = seat.session
    reader = audience.open_perspective(session, seat, request.GET.get("view") or audience.SPECTATOR)
    written = wanted.write(session, reader.view, logs.entries(session, reader))
    return file_response(written, wanted.content_type, logs.file_name(session, wanted.ending))


def to_report(request: HttpRequest, seat: Seat) -> HttpResponse:
    return redirect("play:report", seat.session_id)


@action(access.gm_seat, to=to_report)
def open_secrets(request: HttpRequest, gm: Seat) -> None:
    """Open or close the session's secrets, as the GM."""
    is_open = request.POST.get("open") == "1"
    audience.open_secrets(session=gm.session, is_open=is_open)
    opened, closed = _("The secrets are open to everybody who was there."), _("The secrets are closed again.")
    messages.success(request, opened if is_open else closed)


@action(access.gm_seat, to=to_report)
def share_replays(request: HttpRequest, gm: Seat) -> None:
    """Create or remove the public link to the replays, as the GM."""
    is_shared = request.POST.get("open") == "1"
    audience.share_replays(session=gm.session, is_shared=is_shared)
    shared, ended = _("There is a link to the replays now."), _("The link leads nowhere any more.")
    messages.success(request, shared if is_shared else ended)


@at_table
def show_replay(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Show the replay of an ended table, step by step."""
    here = reverse("play:report-replay", args=[table.pk])
    return _render_replay(request, table, seat, here, reverse("play:report", args=[table.session_id]))


@require_safe
def shared_list(request: HttpRequest, key: UUID) -> HttpResponse:
    """List the replays of a session, for everybody with the link."""
    session = get_object_or_404(Session, replay_key=key)
    ended = session.tables.exclude(ended_at=None).filter(told__isnull=True).order_by("opened_at", "pk")
    return _no_index(render(request, "report/shared.html", {"session": session, "key": key, "tables": ended}))


@heavy("GET")
@require_safe
def shared_replay(request: HttpRequest, key: UUID, table_pk: int) -> HttpResponse:
    """Show one replay of a session, for everybody with the link."""
    session = get_object_or_404(Session, replay_key=key)
    table = get_object_or_404(session.tables.exclude(ended_at=None).filter(told__isnull=True), pk=table_pk)
    here = reverse("play:report-shared-replay", args=[key, table_pk])
    return _no_index(_render_replay(request, table, None, here, reverse("play:report-shared", args=[key])))


def _no_index(response: HttpResponse) -> HttpResponse:
    """Keep a response out of caches and search engines."""
    response["X-Robots-Tag"] = "noindex"
    return no_store(response)


def _render_replay(
    request: HttpRequest, table: Table, seat: Seat | None, here: str, back: str
) -> HttpResponse:
    reader = audience.open_perspective(table.session, seat, request.GET.get("view", ""))
    try:
        step = replay_pages.step_at(table, reader, request.GET.get("version", ""))
    except (IllegalMove, ValueError):
        # The log was edited, or the game's rules have changed since.
        return render(request, "report/unplayable.html", {"session": table.session, "back": back})
    context = {
        "session": table.session,
        "table": table,
        "step": step,
        "reader": reader,
        "readers": audience.perspectives(table.session, seat),
        "layout": replay_pages.layout_of(table),
        "query": f"version={step.version}&",
        "here": here,
        "back": back,
    }
    return render(request, "report/replay.html", context)


@heavy("GET")
@require_safe
@with_seat
def verify_session(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show all random draws of the session, to be verified by this browser."""
    tables = seat.session.tables.filter(module__in=registry(), told__isnull=True)
    ended = tables.exclude(ended_at=None).order_by("opened_at", "pk")
    return _render_verification(request, seat, list(ended), part=1)


@at_table
def verify_table(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Show all random draws of one table. A browser without scripts gets them part by part."""
    return _render_verification(request, seat, [table], part=_part_number(request, table))


def _part_number(request: HttpRequest, table: Table) -> int:
    part = read_number(request.GET.get("part", "1"))
    if part not in range(1, count_parts(table) + 1):
        raise Http404
    return part


#: The tables of a session that its proof page replays; the others are replayed on request.
PLAYED_AT_ONCE = 8


def _render_verification(request: HttpRequest, seat: Seat, tables: list[Table], *, part: int) -> HttpResponse:
    if seat.session.ended_at is None:
        raise Http404
    ended = [table for table in tables if is_secret_published(table)]
    reports = [proofs.chance_report(table, part) for table in ended[:PLAYED_AT_ONCE]]
    reports += [proofs.chance_report_without_replay(table) for table in ended[PLAYED_AT_ONCE:]]
    all_open = audience.may_know_everything(seat.session, seat)
    context = {
        "session": seat.session,
        "proven": reports if all_open else [],
        "closed": [] if all_open else reports,
        "rolls": proofs.chat_rolls(seat.session, seat),
        "kept": any(replay.is_deal_open(table) for table in tables),
    }
    return render(request, "report/verify.html", context)


@at_table
def facts(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Return the data of a part of the log that the browser compares: the secret and the random draws."""
    audience.open_perspective(table.session, seat, audience.OPEN)
    if not is_secret_published(table):
        raise Http404
    return _json_response(proofs.facts(table, _part_number(request, table)))


def _json_response(found: dict[str, Any]) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(found), content_type="application/json")


@at_table
def check_fit(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Return as JSON whether a replayed part of the log fits the table. Closed secrets allow no more."""
    if not is_secret_published(table):
        raise Http404
    return _json_response({"fits": check_part(table, _part_number(request, table)).holds})


@at_table
def playthrough(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Export the whole table as a script that ``manage.py playthrough`` replays. It contains every secret."""
    audience.open_perspective(table.session, seat, audience.OPEN)
    if not is_secret_published(table):
        raise Http404
    return file_response(
        proofs.playthrough_script(table), "application/json", f"takujo-{table.module}-{table.pk}.json"
    )
