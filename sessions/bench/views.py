"""The pages of a bench, and the middleware for the pages in its frames."""

from __future__ import annotations

import json
import time
from typing import Any

import msgspec
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_POST, require_safe

from companion.identity.people import HttpRequest
from companion.pages.defaults import Middleware
from companion.requests import read_number
from sessions.bench import tables, watch
from sessions.bench.tables import SeatMove
from sessions.bench.watch import setting
from sessions.engine.registry import registry
from sessions.game import AnyModule, GameFailed
from sessions.live import regions
from sessions.models import Bot, Table
from sessions.table import seat_view, table_cache
from sessions.table.table_cache import CachedTable

FACE = "face"
#: The number of characters that fit on one line of JSON.
WIDE = 46
#: The start of this process: pages of an earlier one were rendered from older files.
BEGUN = time.time_ns()
#: Pages of tables, which no longer exist when another table has been opened.
LEFT = ("/t/", "/face/")


@require_safe
def bench(request: HttpRequest) -> HttpResponse:
    """Show all seats side by side."""
    module = registry().get(setting().game)
    seats = [f"p{number}" for number in range(1, setting().players + 1)]
    context = {
        "title": _title(module),
        "has_game": module is not None,
        "frames": [*["gm"] * (module is not None and module.gm), *seats, FACE],
        "bots": [(kind, Bot(kind).label) for kind in tables.kinds(module)] if module else [],
    }
    return render(request, "bench/bench.html", context)


@require_safe
def now(request: HttpRequest) -> JsonResponse:
    """Return the current table as JSON, with the view of each seat: only the author uses a bench."""
    state = tables.read_state()
    kept, table = state.kept, state.table
    # A refusal is shown until a move is made after it.
    refused = kept.refused if table and table.version == kept.begun else None
    told: dict[str, Any] = {
        "mark": f"{BEGUN}-{watch.redrawn}-{kept.table}",
        "secret": kept.secret,
        "version": table.version if table else 0,
        "moves": [_label(played) for played in state.line],
        "refused": msgspec.to_builtins(refused),
        "seats": _seats(table) if table and table.has_its_game else {},
    }
    return JsonResponse(told | {"complaints": list(watch.newest)})


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    tables.begin(request.POST.get("secret", "").strip()[:64])
    return HttpResponse(status=204)


@require_POST
def go(request: HttpRequest) -> HttpResponse:
    tables.go(read_number(request.POST.get("version", "")))
    return HttpResponse(status=204)


@require_POST
def bot(request: HttpRequest) -> HttpResponse:
    tables.give_to_bot(request.POST.get("seat", ""), request.POST.get("kind", ""))
    return HttpResponse(status=204)


@require_safe
def sit(request: HttpRequest) -> HttpResponse:
    """Make a frame the device of the seat that its host is named for, and redirect it to the table."""
    key = request.get_host().partition(".")[0]
    table = tables.read_state().table
    if table is None:
        raise Http404
    if key == FACE:
        return redirect("play:face", table.session.face_key)
    sits = table.table_seats.select_related("seat__person").filter(key=key).first()
    if sits is None or sits.seat is None:
        raise Http404
    request.new_person = sits.seat.person
    return redirect(table)


def _title(module: AnyModule | None) -> str:
    if module:
        try:
            return regions.render_region(module.key, "title", {})
        except GameFailed as problem:
            watch.note(watch.complaint_about(problem))
    return setting().game


def _label(played: SeatMove) -> str:
    move = msgspec.json.decode(played.move)
    fields = [
        f"{name} {msgspec.json.encode(value).decode()}" for name, value in move.items() if name != "type"
    ]
    return f"{played.seat} {move['type']} {', '.join(fields)}".strip()


def _seats(table: Table) -> dict[str, Any]:
    now = table_cache.get_current_table(table.pk)
    module = registry()[table.module]
    waited = seat_view.awaited_seats(now.table, now.state)
    seats = {
        sits.key: {"waits": sits.key in waited, "bot": sits.bot, "data": _data(module, now, sits.key)}
        for sits in now.table.sitters
    }
    return seats | {FACE: {"waits": False, "bot": "", "data": _data(module, now, None)}}


def _data(module: AnyModule, now: CachedTable, seat: str | None) -> str:
    """Return the current view, question and legal moves of a seat as JSON, or the error of the game."""
    try:
        known: dict[str, Any] = {"view": module.view(now.visible_state, seat)}
        if seat:
            known["asked"] = module.asked(now.visible_state, seat)
            known["legal_moves"] = list(module.legal_moves(now.visible_state, seat))
    except GameFailed as problem:
        return "\n".join(watch.complaint_about(problem))
    return pretty(msgspec.json.decode(msgspec.json.encode(known)))


def pretty(value: Any, indent: str = "") -> str:
    """Return JSON for reading, with short values on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(indent) <= WIDE or not isinstance(value, dict | list):
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        lines = [pretty(each, deeper) for each in value]
    else:
        lines = [
            f"{json.dumps(name, ensure_ascii=False)}: {pretty(each, deeper)}" for name, each in value.items()
        ]
    first, last = "[]" if isinstance(value, list) else "{}"
    return f"{first}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{indent}{last}"


class FrameMiddleware(Middleware):
    """Add a script to every page; it reports the page's JavaScript errors to the bench."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 404 and request.path.startswith(LEFT):
            return redirect("bench:sit")
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            script = f'<script src="{static("bench/frame.js")}"></script>'
            response.content = response.content.replace(b"<head>", b"<head>" + script.encode(), 1)
        return response
