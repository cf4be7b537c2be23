"""The names of NPCs and of other figures of a table, in the reader's language, and helpers for table screens.

A table stores names such as "熟練者A" and "特技1" in its GM's language. They are translated when rendered.
The helpers know no rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.translation import override, pgettext, pgettext_lazy

from companion.rendering.engine import takes_context

#: The names of the ranks that an NPC may have, lowest first, as in the rows of ``NpcRank``.
RANKS = (
    pgettext_lazy("NPC rank", "Small fry"),
    pgettext_lazy("NPC rank", "Ordinary person"),
    pgettext_lazy("NPC rank", "Skilled"),
    pgettext_lazy("NPC rank", "Professional"),
    pgettext_lazy("NPC rank", "Master"),
    pgettext_lazy("NPC rank", "Superhuman"),
)
_LETTERED = re.compile(r"(.+?) ?([A-Z]{1,2})?")
_OF_A_KIND = re.compile(r"(.*[^A-Z ]) ?([A-Z]{1,2})")
_NUMBERED = re.compile(r"特技(\d+)")


def npc_name(name: str) -> str:
    """Translate a name that is made of a rank and a letter."""
    parts = _LETTERED.fullmatch(name)
    rank = _ranks().get(parts[1]) if parts else None
    if parts is None or rank is None:
        return name
    if parts[2] is None:
        return str(RANKS[rank])
    return pgettext("NPC name", "%(rank)s %(letter)s") % {"rank": RANKS[rank], "letter": parts[2]}


def npc_kind(name: str) -> str:
    """Return the name of an NPC without the letter of its kind; "" for a kind that is only a rank."""
    kind, _letter = _split_letter(name)
    return "" if kind in _ranks() else kind


def npc_kinds(npcs: Iterable[Any]) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Group NPCs by kind: the kind's name in the reader's language, and its NPCs with their letters.

    NPCs whose names differ only in the letter are of one kind. An NPC alone in its kind keeps its whole name.
    """
    kinds: dict[str, list[tuple[str, Any]]] = {}
    for npc in npcs:
        kind, letter = _split_letter(npc.name)
        kinds.setdefault(kind, []).append((letter, npc))
    return [
        (npc_name(kind if len(members) > 1 else members[0][1].name), members)
        for kind, members in kinds.items()
    ]


def _split_letter(name: str) -> tuple[str, str]:
    """Return the kind of an NPC, and its letter among those of its kind, "" without one."""
    parts = _OF_A_KIND.fullmatch(name)
    return (parts[1], parts[2]) if parts else (name, "")


def skill_name(skill: str) -> str:
    """Translate a generated name such as "特技1"."""
    number = _NUMBERED.fullmatch(skill)
    return pgettext("NPC skill", "Skill %(n)s") % {"n": number[1]} if number else skill


@cache
def _ranks() -> dict[str, int]:
    """Return the index of each rank by its name in every language."""
    places: dict[str, int] = {}
    for language, _ in settings.LANGUAGES:
        with override(language):
            places |= {str(rank): place for place, rank in enumerate(RANKS)}
    return places


def gaps(count: int) -> int:
    """Return the number of columns of a hand minus one: up to seven cards in one row, more in two rows."""
    return max(0, (count if count <= 7 else (count + 1) // 2) - 1)


@takes_context("figures", "names")
def figure(called: Mapping[str, str], names: Mapping[str, str], *figures: str | None) -> str:
    """Return the name of the first figure that is not empty: its name in the game, else its person's."""
    known = next((one for one in figures if one), "")
    if known in called:
        own = str(called[known])
        return own if known in names else npc_name(own)
    if known == "gm":
        return "GM"
    return str(names[known]) if known in names else known


@takes_context("figures", "names")
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
