"""The list of pages that a device may cache for its person, to be read offline."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from characters.models import Character
from companion.http import HttpRequest
from companion.pages import home_screen
from sessions.engine import leaflet
from sessions.engine.rulebook import languages
from sessions.engine.shelf import registry
from sessions.models import Role, TableSeat
from sessions.views import manual

SHEETS_AT_MOST = 20
TABLES_AT_MOST = 5


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
    return JsonResponse(
        {"mark": home_screen.mark(person), "pages": pages, "books": _books() if person else {}}
    )


def _books() -> dict[str, str]:
    """Return the URLs of help, cheat sheets and rules, with the version of their texts."""
    version = f"{home_screen.build()} {get_language()}"
    helps = [reverse("play:help-page", args=[name]) for name in manual.PAGES]
    sheets = [reverse("play:cheat-sheet", args=[key]) for key in registry() if leaflet.cheat_sheet(key, "")]
    rules = [reverse("play:rules", args=[key]) for key in registry() if languages(key)]
    return dict.fromkeys([reverse("play:help"), *helps, *sheets, *rules], version)
