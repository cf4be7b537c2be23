"""How to play: the help for GMs and players, cheat sheets, the rules, and trial sessions.

Rules are shown of a game, of a campaign with its house rules, and of a table with its options. Trial
sessions are a newcomer's practice session from the home page, and a GM's rehearsal. The list of the pages
that a device may cache for its person has the rules and the help as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import reference
from characters.models import Character
from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, ensure_person
from companion.pages import home_screen
from companion.requests import read_number
from companion.requests.throttle import client_address
from sessions import access
from sessions.card_table import house_rules, trials
from sessions.engine import rulebook
from sessions.engine.registry import registry
from sessions.evening import free_sessions
from sessions.models import Campaign, Role, TableSeat
from sessions.scenarios import staging

TEXTS: Path = settings.BASE_DIR / "sessions" / "help"
#: The pages of the help, in the order in which they are offered.
PAGES = ("gm", "player", "questions")


@require_safe
def help_contents(request: HttpRequest) -> HttpResponse:
    return render(request, "help/contents.html", {"pages": _read_pages(), "sheets": _cheat_sheets()})


@require_safe
def help_page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in PAGES:
        raise Http404
    pages = _read_pages()
    shown = dict(pages)[name]
    text = shown.fill_in(
        value=str,
        picture=partial(_render_picture, shown.language),
        rule=partial(_rule_link, house_rules.card_game().key, ""),
    )
    return render(request, "help/page.html", {"text": text, "name": name, "pages": pages})


@require_safe
def cheat_sheet(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game's cheat sheet; with ``?campaign=1`` with that campaign's values, for its players."""
    module = registry().get(key)
    shown = rulebook.cheat_sheet(key, get_language() or "") if module else None
    if module is None or shown is None:
        raise Http404
    campaign = _campaign(request)
    text = shown.fill_in(
        value=rule_values(key, house_rules.table_options(campaign, module), campaign),
        picture=partial(_render_picture, shown.language),
        rule=partial(_rule_link, key, f"?campaign={campaign.pk}" if campaign else ""),
    )
    context = {"text": text, "key": key, "campaign": campaign, "is_dense": shown.has_figures}
    return render(request, "help/cheat_sheet.html", context)


def _read_pages() -> list[tuple[str, rulebook.Leaflet]]:
    return [(name, rulebook.leaflet(TEXTS / name, get_language() or "")) for name in PAGES]


def _cheat_sheets() -> list[str]:
    return [key for key in registry() if rulebook.cheat_sheet(key, "")]


def _campaign(request: HttpRequest) -> Campaign | None:
    wanted = request.GET.get("campaign", "")
    return access.known_campaign(request.person, read_number(wanted)) if wanted else None


def _render_picture(language: str, name: str, words: str) -> str:
    """Return a picture that ``make pictures`` took; its name begins with the kind of its screen."""
    context = {"file": f"help/{language}/{name}.webp", "kind": name.partition("-")[0], "words": words}
    return render_to_string("help/_picture.html", context)


def _rule_link(key: str, query: str, rule: str) -> str:
    return format_html(
        '<a class="rule-id" href="{}{}#{}">{}</a>', reverse("play:rules", args=[key]), query, rule, rule
    )


@require_safe
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of a game; with ``?campaign=1`` with the values of that campaign, for its players."""
    module = registry().get(key)
    if module is None:
        raise Http404
    campaign = _campaign(request)
    shown = _rule_book(key, house_rules.table_options(campaign, module), campaign)
    return _render_rules(request, shown, {"campaign": campaign, "key": key})


@require_safe
def table_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rules of a table. The rules sheet of its screens requests the book alone."""
    table, seat = access.table_and_seat(request.person, pk)
    if seat.removed_at:
        return render(request, "sessions/removed.html", status=403)
    options = house_rules.read_options(table.options, registry()[table.module])
    shown = _rule_book(table.module, options, table.session.campaign)
    return _render_rules(request, shown, {"table": table})


def _rule_book(key: str, options: Any, campaign: Campaign | None) -> rulebook.RuleBook:
    """Return the rule book of a game in the reader's language, with values of the options and campaign."""
    return rulebook.book(key, get_language() or "").fill_in(rule_values(key, options, campaign))


def rule_values(key: str, options: Any, campaign: Campaign | None) -> Callable[[str], str]:
    """Return a function that renders a value of a game by name, for a table's options and a campaign."""
    context = {
        "options": options,
        "experience": house_rules.experience_rates(campaign),
        "ranks": partial(house_rules.npc_ranks, campaign),
        "powers": partial(reference.item_powers, house_rules.words(campaign)),
        "lines": partial(reference.experience_lines, house_rules.words(campaign)),
    }
    return lambda name: render_to_string(f"tables/{key}/rules/{name}.html", context).strip()


def _render_rules(request: HttpRequest, shown: rulebook.RuleBook, context: dict[str, Any]) -> HttpResponse:
    alone = bool(request.headers.get("HX-Request"))
    template = "rules/_book.html" if alone else "rules/book.html"
    books = [] if "table" in context else list(registry())
    response = render(request, template, {**context, "book": shown, "books": books})
    patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
    return response


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Explain what a practice session is, and begin one with the chosen character."""
    who = request.POST.get("who", "")
    if who in reference.PEOPLE:
        person = ensure_person(request)
        free_sessions.count_game(person, client_address(request))
        return redirect(trials.begin_practice(person, who))
    (first, proposed), *others = [(key, one.sheet) for key, one in reference.PEOPLE.items()]
    context = {"first": first, "proposed": proposed, "others": others}
    context["going_on"] = trials.practice_going_on(request.person)
    return render(request, "sessions/practice.html", context)


@require_POST
@login_required
def begin_rehearsal(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = access.own_campaign(request.person, pk)
    free_sessions.count_game(campaign.gm, client_address(request))
    return redirect(staging.begin_staged_rehearsal(campaign, get_language()))


@require_POST
def end_trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a practice session or a rehearsal, and go back to where it was begun."""
    session = access.own_seat(request.person, pk).session
    if not session.trial:
        raise Http404
    campaign = session.campaign_id
    session.delete()
    return redirect("play:campaign", campaign) if campaign else redirect("play:practice")


SHEETS_AT_MOST, TABLES_AT_MOST = 20, 5


@require_safe
def offline_list(request: HttpRequest) -> HttpResponse:
    """List the person's finished sheets and running tables as a player; no GM's desk, no other seat."""
    person = request.person
    pages = {}
    if person:
        places = TableSeat.objects.filter(
            seat__person=person,
            seat__role=Role.PLAYER,
            seat__removed_at=None,
            table__ended_at=None,
            table__session__ended_at=None,
        ).exclude(key="gm")
        for sits in places.select_related("table").order_by("-pk")[:TABLES_AT_MOST]:
            pages[sits.table.get_absolute_url()] = "live"
        sheets = Character.objects.filter(owner=person, status=Character.Status.DONE)
        for sheet in sheets.order_by("-changed_at")[:SHEETS_AT_MOST]:
            pages[sheet.get_absolute_url()] = f"{sheet.changed_at.isoformat()} {sheet.hp}"
    books = _texts_to_keep() if person else {}
    return JsonResponse({"mark": home_screen.mark(person), "pages": pages, "books": books})


def _texts_to_keep() -> dict[str, str]:
    """Return the URLs of help, cheat sheets and rules, with the version of their texts."""
    version = f"{home_screen.build()} {get_language()}"
    helps = [reverse("play:help-page", args=[name]) for name in PAGES]
    sheets = [reverse("play:cheat-sheet", args=[key]) for key in _cheat_sheets()]
    rules = [reverse("play:rules", args=[key]) for key in registry() if rulebook.languages(key)]
    return dict.fromkeys([reverse("play:help"), *helps, *sheets, *rules], version)
