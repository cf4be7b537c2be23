"""The history of a sheet: its changes in the reader's words, their authors, and restoring a revision."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from characters import access, rules
from characters.forms import ReviseForm
from characters.models import Character, Item, Revision
from characters.services import sheets
from characters.views.responses import run_service
from companion.identity.people import HttpRequest
from companion.models import Person
from companion.templatetags.cards import suit_name

CHANGES_A_PAGE = 50
#: A sheet as ``sheets.snapshot`` returns it.
Sheet = dict[str, Any]


@dataclass(frozen=True)
class SheetHistory:
    """A character, and the addresses of its history. The owner's pages and the GM's share their templates."""

    character: Character
    back: str  #: of the sheet
    base: str  #: of the history; ``<number>/`` and ``<number>/restore/`` are below it


@dataclass(frozen=True)
class SheetChange:
    revision: Revision
    who: str
    what: list[str]


def changes(character: Character, page: int) -> list[SheetChange]:
    """Return a page of the history, newest first, each revision with what it changed."""
    start = (page - 1) * CHANGES_A_PAGE
    revisions = list(character.revisions.select_related("made_by")[start : start + CHANGES_A_PAGE + 1])
    earlier: list[Revision | None] = [*revisions[1:], None]
    found = [
        SheetChange(
            revision,
            _author(character, revision.made_by),
            differences(previous.sheet, revision.sheet) if previous else [],
        )
        for revision, previous in zip(revisions, earlier, strict=False)
    ]
    return found[:CHANGES_A_PAGE]


def _author(character: Character, person: Person | None) -> str:
    if person is None:
        return ""
    if person.pk == character.owner_id:
        return person.name or _("Player")
    return _("%(name)s (GM)") % {"name": person.name} if person.name else _("GM")


def concurrent_changes(character: Character, form: ReviseForm) -> dict[str, Any]:
    """Return the changes since a form was opened, and the sheet as it is now.

    Fields that the sender left unchanged then show the newer version; the others keep the sent values.
    """
    if form.revision in (None, form.newest):
        return {}
    opened = character.revisions.filter(number=form.revision).first()
    if opened is None:
        return {"now": form.kept}
    form.catch_up(opened.sheet)
    return {"meanwhile": differences(opened.sheet, form.kept), "now": form.kept}


def render_history(request: HttpRequest, place: SheetHistory) -> HttpResponse:
    page = Paginator(place.character.revisions.all(), CHANGES_A_PAGE).get_page(request.GET.get("page"))
    found = changes(place.character, page.number)
    context = {"character": place.character, "changes": found, "place": place, "page": page}
    return render(request, "characters/history.html", context)


def render_revision(request: HttpRequest, place: SheetHistory, number: int) -> HttpResponse:
    """Show the sheet of one revision, and the changes that restoring it would make."""
    character = place.character
    revision = get_object_or_404(character.revisions.select_related("made_by"), number=number)
    _number, now = sheets.read_current_sheet(character)
    context = {
        "character": character,
        "revision": revision,
        "who": _author(character, revision.made_by),
        "would_change": differences(now, revision.sheet),
        "place": place,
    }
    return render(request, "characters/revision.html", context)


def restore_revision(request: HttpRequest, place: SheetHistory, number: int) -> HttpResponse:
    if not run_service(
        request, lambda: sheets.restore(character=place.character, number=number, by=request.person)
    ):
        messages.success(request, _("Restored. What was there before stays in the history."))
    return redirect(place.base)


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    return render_history(request, _own_history(request, pk))


@require_safe
def revision(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    return render_revision(request, _own_history(request, pk), number)


@require_POST
def restore(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    return restore_revision(request, _own_history(request, pk), number)


def _own_history(request: HttpRequest, pk: int) -> SheetHistory:
    character = access.get_own_character(request, pk)
    base = reverse("characters:history", args=[pk])
    return SheetHistory(character, character.get_absolute_url(), base)


def differences(before: Sheet, after: Sheet) -> list[str]:
    """Return one short line for each difference."""
    changed = []
    for field, label in [("name", _("Name")), ("concept", _("In one line")), ("hp_max", _("Maximum HP"))]:
        if before[field] != after[field]:
            changed.append(f"{label} {_display_text(before[field])} → {_display_text(after[field])}")
    if before["background"] != after["background"]:
        changed.append(_("Background rewritten"))
    changed += _added_and_removed(
        _("Favoured suit"), map(suit_name, before["suits"]), map(suit_name, after["suits"])
    )
    skills = _added_and_removed(_("Skill"), before["skills"], after["skills"])
    if not skills and before["skills"] != after["skills"]:
        skills = [_("Skills in another order")]
    items = _added_and_removed(_("Item"), map(item_line, before["items"]), map(item_line, after["items"]))
    return changed + skills + items


def item_line(item: dict[str, Any]) -> str:
    """Return the name, kind and value of an item in a snapshot."""
    value = rules.item_value(item["kind"], item["table_value"], item["quality"], item["special"])
    what = f"{Item.ItemKind(item['kind']).label} {value}"
    if item["special"]:
        what += " · " + _("special")
    return f"{item['name']} ({what})"


def _display_text(value: object) -> str:
    return str(value) if value != "" else _("(nothing)")


def _added_and_removed(label: str, before: Any, after: Any) -> list[str]:
    had, has = Counter(before), Counter(after)
    come, gone = (has - had).elements(), (had - has).elements()
    return [f"{label} +{name}" for name in come] + [f"{label} −{name}" for name in gone]
