"""Small helpers for the screens of tables. They know no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.drawing.scene import of_scene
from companion.npc_names import npc_name


def gaps(count: int) -> int:
    """Return the columns of a hand but the last: one row up to seven cards, two rows from eight."""
    return max(0, (count if count <= 7 else (count + 1) // 2) - 1)


@of_scene("figures", "names")
def figure(called: Mapping[str, str], names: Mapping[str, str], *figures: str | None) -> str:
    """Return the name of the first figure given: as its game calls it, else its person's."""
    known = next((one for one in figures if one), "")
    if known in called:
        own = str(called[known])
        return own if known in names else npc_name(own)
    if known == "gm":
        return "GM"
    return str(names[known]) if known in names else known


@of_scene("figures", "names")
def initial(called: Mapping[str, str], names: Mapping[str, str], seat: str) -> str:
    """Return the mark of a person where there is room for a letter only: two where others begin alike."""
    name = figure(called, names, seat)
    alike = sum(other[:1] == name[:1] for other in (names[key] for key in names)) > 1
    return name[:1] + name[-1] if alike and len(name) > 1 else name[:1]


def turn_mark(order: Sequence[str], turn: str | None, place: int) -> str:
    """Return the state of a place in the order of turns: "gone", "now" or "next"; "" if nobody has a turn."""
    if turn not in order:
        return ""
    now = order.index(turn)
    return "gone" if place < now else "now" if place == now else "next"
