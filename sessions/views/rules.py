"""Pages of rules: of a game, of a campaign with its house rules, of a table with its options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from characters import reference
from companion.http import HttpRequest
from sessions import access
from sessions.card_table import house_rules
from sessions.engine.rulebook import RuleBook, book
from sessions.engine.shelf import registry
from sessions.evening.codes import read_number
from sessions.models import Campaign


@require_safe
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of a game; with ``?campaign=1`` with the values of that campaign, for its players."""
    module = registry().get(key)
    if module is None:
        raise Http404
    wanted = request.GET.get("campaign", "")
    campaign = access.campaign_known(request.person, read_number(wanted)) if wanted else None
    shown = _book(key, house_rules.table_options(campaign, module), campaign)
    return _answer(request, shown, {"campaign": campaign, "key": key})


@require_safe
def table_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rules of a table. The rules sheet of its screens requests the book alone."""
    table, seat = access.table_seat(request.person, pk)
    if seat.removed_at:
        return render(request, "sessions/removed.html", status=403)
    options = house_rules.read_options(table.options, registry()[table.module])
    shown = _book(table.module, options, table.session.campaign)
    return _answer(request, shown, {"table": table})


def _book(key: str, options: Any, campaign: Campaign | None) -> RuleBook:
    """Return the rule book of a game in the reader's language, with values of the options and campaign."""
    return book(key, get_language() or "").fill_in(rule_values(key, options, campaign))


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


def _answer(request: HttpRequest, shown: RuleBook, context: dict[str, Any]) -> HttpResponse:
    alone = bool(request.headers.get("HX-Request"))
    template = "rules/_book.html" if alone else "rules/book.html"
    books = [] if "table" in context else list(registry())
    response = render(request, template, {**context, "book": shown, "books": books})
    patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
    return response
