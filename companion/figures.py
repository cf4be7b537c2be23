"""Template helpers for the screens of tables. They know no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.drawing.scene import of_scene
from companion.npc_names import npc_name


def gaps(count: int) -> int:
    """Return the number of columns of a hand minus one: up to seven cards in one row, more in two rows."""
    return max(0, (count if count <= 7 else (count + 1) // 2) - 1)


@of_scene("figures", "names")
def figure(called: Mapping[str, str], names: Mapping[str, str], *figures: str | None) -> str:
    """Return the name of the first figure that is not empty: its name in the game, else its person's."""
    known = next((one for one in figures if one), "")
    if known in called:
        own = str(called[known])
        return own if known in names else npc_name(own)
    if known == "gm":
        return "GM"
    return str(names[known]) if known in names else known


@of_scene("figures", "names")
def initial(called: Mapping[str, str], names: Mapping[str, str], seat: str) -> str:
    """Return the first letter of a figure's name, plus its last letter if another name begins alike."""
    name = figure(called, names, seat)
    alike = sum(other[:1] == name[:1] for other in (names[key] for key in names)) > 1
    return name[:1] + name[-1] if alike and len(name) > 1 else name[:1]


def turn_mark(order: Sequence[str], turn: str | None, place: int) -> str:
    """Return whether a position in the turn order is "gone", "now" or "next"; "" if it is no seat's turn."""
    if turn not in order:
        return ""
    now = order.index(turn)
    return "gone" if place < now else "now" if place == now else "next"
