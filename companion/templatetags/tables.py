"""Small helpers for the screens of tables. They read views and know no rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def item(mapping: Mapping[str, Any] | None, key: str) -> Any:
    """Return ``mapping[key]``, None if it is missing."""
    return mapping.get(key) if mapping else None


@register.filter
def at(sequence: Any, index: Any) -> Any:
    """Return the entry at ``index``, None if it is missing."""
    try:
        return sequence[int(index)]
    except (IndexError, KeyError, TypeError, ValueError):
        return None


@register.filter
def who(view: Any, figure: str | None) -> str:
    """Return the name of a seat's character or of an NPC; "GM" for the GM."""
    if figure in (view.characters or {}):
        return str(view.characters[figure].name)
    for npc in getattr(view, "npcs", ()):
        if npc.id == figure:
            return str(npc.name)
    return "GM" if figure == "gm" else str(figure or "")


@register.filter
def fit(fits: Iterable[Any], card: str) -> Any:
    """Return the view's entry about playing ``card`` now, None if it has none."""
    return next((entry for entry in fits if entry.card == card), None)


@register.filter
def fitting(fits: Iterable[Any]) -> int:
    """Return the number of cards that would succeed."""
    return sum(1 for entry in fits if entry.success)


@register.filter
def gaps(count: int) -> int:
    """Return the columns of a hand but the last: one row up to seven cards, two rows from eight."""
    return max(0, (count if count <= 7 else (count + 1) // 2) - 1)


@register.filter
def minus(number: int, other: int) -> int:
    return int(number) - int(other)


@register.filter
def turn_order(view: Any) -> list[tuple[str, str]]:
    """Return the order of turns, each entry with "gone", "now" or "next", or "" while nobody has a turn."""
    order = [*view.seating, "gm"]
    if view.turn not in order:
        return [(seat, "") for seat in order]
    place = order.index(view.turn)
    return [(seat, "gone" if n < place else "now" if n == place else "next") for n, seat in enumerate(order)]


@register.filter
def at_most(number: int, limit: int) -> int:
    """Return ``number``, at most ``limit``."""
    return min(int(number), int(limit))


@register.simple_tag(takes_context=True)
def figure(context: Any, *figures: str | None) -> str:
    """Return the name of the first figure given: its character or NPC as the view has it, else its person."""
    known = next((one for one in figures if one), "")
    view, names = context.get("view"), context.get("names") or {}
    if hasattr(view, "characters"):
        name = who(view, known)
        if name != known:
            return name
    return "GM" if known == "gm" else str(names.get(known, known))


@register.simple_tag(takes_context=True)
def initial(context: Any, seat: str) -> str:
    """Return the mark of a person where there is room for a letter only: two where others begin alike."""
    names = context.get("names") or {}
    name = figure(context, seat)
    alike = sum(other[:1] == name[:1] for other in names.values()) > 1
    return name[:1] + name[-1] if alike and len(name) > 1 else name[:1]
