"""A sheet as plain data, the common form of all import and export formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters import rules

KINDS = ("tool", "weapon", "armour", "shield")


@dataclass(frozen=True)
class PlainItem:
    kind: str
    name: str
    table_value: int = 0
    quality: int = 0
    special: bool = False

    @property
    def value(self) -> int:
        """The number that the item adds to a check. [UC-7.2]"""
        return rules.item_value(self.kind, self.table_value, self.quality, self.special)


@dataclass(frozen=True)
class PlainFace:
    """A labelled picture for chat lines, encoded by ``companion.files.pictures``."""

    label: str
    picture: bytes


@dataclass(frozen=True)
class PlainSheet:
    """Everything on a sheet. Suits are letters in the order of the deck."""

    name: str
    hp: int = 1
    hp_max: int = 1
    suits: str = ""
    skills: tuple[str, ...] = ()
    items: tuple[PlainItem, ...] = ()
    concept: str = ""
    background: str = ""
    emblem: str = ""
    portrait: bytes = b""  #: encoded by ``companion.files.pictures``; empty without one
    faces: tuple[PlainFace, ...] = ()

    @property
    def figures(self) -> rules.Allowance:
        """The figures that the rules of creation limit."""
        specials = sum(item.special for item in self.items)
        return rules.Allowance(self.hp_max, len(self.skills), len(self.suits), specials)

    @property
    def ca(self) -> int:
        """Character ability. [UC-1.6]"""
        return self.figures.ca

    @property
    def hand_limit(self) -> int:
        return max(self.hp, 0)

    def values(self, kind: str) -> list[int]:
        """Values of all items of a kind, in the order of the sheet."""
        return [item.value for item in self.items if item.kind == kind]

    @property
    def table_options(self) -> dict[str, Any]:
        """The sheet as the plain option with which a ``uroboros`` table is opened."""
        weapons, tools = (
            [{"name": item.name, "value": item.value} for item in self.items if item.kind == kind]
            for kind in ("weapon", "tool")
        )
        return {
            "name": self.name,
            "ca": self.ca,
            "hp_max": self.hp_max,
            "hp": self.hp,
            "suits": list(self.suits),
            "skills": list(self.skills),
            "weapons": weapons,
            "armour": max(self.values("armour"), default=None),
            "shield": max(self.values("shield"), default=None),
            "tools": tools,
        }


def item_with_value(kind: str, name: str, value: int, *, special: bool) -> PlainItem | None:
    """Return an item that adds ``value`` to a check, or None if that is impossible."""
    plain = value - (special and kind != "tool")
    table_value = min(plain, rules.TABLE_VALUES[-1])
    item = PlainItem(kind, name, table_value, plain - table_value, special)
    try:
        return item if item.value == value else None
    except rules.SheetRefused:
        return None


@dataclass(frozen=True, kw_only=True)
class PlainNpc:
    """An NPC as exported to other tools."""

    name: str
    hp_max: int
    rank: int
    suits: str = ""
    skills: Sequence[str] = ()
    weapon: int = 0
    armour: int = 0
    secret: bool = False  #: its stats are hidden on boards
