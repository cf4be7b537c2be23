"""Small helpers for the screens of tables. They read views and know no rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jinja2 import pass_context


def who(view: Any, figure: str | None) -> str:
    """Return the name of a seat's character or of an NPC; "GM" for the GM."""
    if figure in (view.characters or {}):
        return str(view.characters[figure].name)
    for npc in getattr(view, "npcs", ()):
        if npc.id == figure:
            return str(npc.name)
    return "GM" if figure == "gm" else str(figure or "")


def fit(fits: Iterable[Any], card: str) -> Any:
    """Return the view's entry about playing ``card`` now, None if it has none."""
    return next((entry for entry in fits if entry.card == card), None)


def fitting(fits: Iterable[Any]) -> int:
    """Return the number of cards that would succeed."""
    return sum(1 for entry in fits if entry.success)


def gaps(count: int) -> int:
    """Return the columns of a hand but the last: one row up to seven cards, two rows from eight."""
    return max(0, (count if count <= 7 else (count + 1) // 2) - 1)


def turn_order(view: Any) -> list[tuple[str, str]]:
    """Return the order of turns, each entry with "gone", "now" or "next", or "" while nobody has a turn."""
    order = [*view.seating, "gm"]
    if view.turn not in order:
        return [(seat, "") for seat in order]
    place = order.index(view.turn)
    return [(seat, "gone" if n < place else "now" if n == place else "next") for n, seat in enumerate(order)]


@pass_context
def figure(context: Any, *figures: str | None) -> str:
    """Return the name of the first figure given: its character or NPC as the view has it, else its person."""
    known = next((one for one in figures if one), "")
    view, names = context.get("view"), context.get("names") or {}
    if hasattr(view, "characters"):
        name = who(view, known)
        if name != known:
            return name
    if known == "gm":
        return "GM"
    return str(names[known]) if known in names else known


@pass_context
def initial(context: Any, seat: str) -> str:
    """Return the mark of a person where there is room for a letter only: two where others begin alike."""
    names = context.get("names") or {}
    name = figure(context, seat)
    alike = sum(other[:1] == name[:1] for other in (names[key] for key in names)) > 1
    return name[:1] + name[-1] if alike and len(name) > 1 else name[:1]
