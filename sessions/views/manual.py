"""The help: pages for GMs and players, questions, and a cheat sheet of each game."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from companion.http import HttpRequest
from sessions import access
from sessions.card_table import house_rules
from sessions.card_table.game import card_game
from sessions.engine import leaflet
from sessions.engine.leaflet import Leaflet
from sessions.engine.shelf import registry
from sessions.evening.codes import read_number
from sessions.views.rules import rule_values

TEXTS: Path = settings.BASE_DIR / "sessions" / "help"
#: The pages of the help, in the order in which they are offered.
PAGES = ("gm", "player", "questions")


@require_safe
def help_contents(request: HttpRequest) -> HttpResponse:
    """List the pages of the help and the cheat sheets."""
    sheets = [key for key in registry() if leaflet.cheat_sheet(key, "")]
    return render(
        request, "help/contents.html", {"pages": [(name, _read_page(name)) for name in PAGES], "sheets": sheets}
    )


@require_safe
def help_page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in PAGES:
        raise Http404
    shown = _read_page(name)
    text = shown.fill_in(
        value=str, picture=partial(_picture, shown.language), rule=partial(_rule, card_game().key, "")
    )
    others = [(other, _read_page(other)) for other in PAGES]
    return render(request, "help/page.html", {"text": text, "name": name, "pages": others})


@require_safe
def cheat_sheet(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game's cheat sheet; with ``?campaign=1`` with that campaign's values, for its players."""
    module = registry().get(key)
    shown = leaflet.cheat_sheet(key, get_language() or "") if module else None
    if module is None or shown is None:
        raise Http404
    wanted = request.GET.get("campaign", "")
    campaign = access.campaign_known(request.person, read_number(wanted)) if wanted else None
    text = shown.fill_in(
        value=rule_values(key, house_rules.table_options(campaign, module), campaign),
        picture=partial(_picture, shown.language),
        rule=partial(_rule, key, f"?campaign={campaign.pk}" if campaign else ""),
    )
    context = {"text": text, "key": key, "campaign": campaign, "is_dense": shown.has_figures}
    return render(request, "help/cheat_sheet.html", context)


def _read_page(name: str) -> Leaflet:
    return leaflet.leaflet(TEXTS / name, get_language() or "")


def _picture(language: str, name: str, words: str) -> str:
    """Return a picture that ``make pictures`` took; its name begins with the kind of its screen."""
    context = {"file": f"help/{language}/{name}.webp", "kind": name.partition("-")[0], "words": words}
    return render_to_string("help/_picture.html", context)


def _rule(key: str, query: str, rule: str) -> str:
    return format_html(
        '<a class="rule-id" href="{}{}#{}">{}</a>', reverse("play:rules", args=[key]), query, rule, rule
    )
