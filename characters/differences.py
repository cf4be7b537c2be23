"""The changes between two states of a sheet, in the reader's words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _

from characters import rules
from characters.models import Item
from companion.templatetags.cards import suit_name

#: A sheet as ``services.snapshot`` returns it.
Sheet = dict[str, Any]


def differences(before: Sheet, after: Sheet) -> list[str]:
    """Return one short line for each difference."""
    changed = []
    for field, label in [("name", _("Name")), ("concept", _("In one line")), ("hp_max", _("Maximum HP"))]:
        if before[field] != after[field]:
            changed.append(f"{label} {_display_text(before[field])} → {_display_text(after[field])}")
    if before["background"] != after["background"]:
        changed.append(_("Background rewritten"))
    changed += _come_and_gone(
        _("Favoured suit"), map(suit_name, before["suits"]), map(suit_name, after["suits"])
    )
    skills = _come_and_gone(_("Skill"), before["skills"], after["skills"])
    if not skills and before["skills"] != after["skills"]:
        skills = [_("Skills in another order")]
    items = _come_and_gone(_("Item"), map(item_line, before["items"]), map(item_line, after["items"]))
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


def _come_and_gone(label: str, before: Any, after: Any) -> list[str]:
    had, has = Counter(before), Counter(after)
    come, gone = (has - had).elements(), (had - has).elements()
    return [f"{label} +{name}" for name in come] + [f"{label} −{name}" for name in gone]
