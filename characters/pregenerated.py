"""Pregenerated characters, for players who join late. Each is a possible result of the creation. [UC-1]"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from characters.exchange.plain import PlainItem, PlainSheet


class Pregenerated(NamedTuple):
    """A pregenerated character, with lazily translated texts."""

    name: Promise
    concept: Promise
    hp: int
    suit: str
    skills: tuple[Promise, ...]
    treasure: tuple[str, Promise, int]
    emblem: str

    @property
    def sheet(self) -> PlainSheet:
        """The sheet in the reader's language."""
        kind, name, value = self.treasure
        return PlainSheet(
            name=str(self.name),
            concept=str(self.concept),
            hp=self.hp,
            hp_max=self.hp,
            suits=self.suit,
            skills=tuple(str(skill) for skill in self.skills),
            items=(PlainItem(kind, str(name), value, special=True),),
            emblem=self.emblem,
        )

    @property
    def table_options(self) -> dict[str, Any]:
        """The sheet as the plain option with which a ``uroboros`` table is opened."""
        sheet = self.sheet
        things = {
            kind: [{"name": item.name, "value": item.value} for item in sheet.items if item.kind == kind]
            for kind in ("weapon", "tool")
        }
        return {
            "name": sheet.name,
            "ca": sheet.ca,
            "hp_max": sheet.hp_max,
            "suits": list(sheet.suits),
            "skills": list(sheet.skills),
            "weapons": things["weapon"],
            "armour": max(sheet.values("armour"), default=None),
            "shield": max(sheet.values("shield"), default=None),
            "tools": things["tool"],
        }


PEOPLE: dict[str, Pregenerated] = {
    "akari": Pregenerated(
        name=_("Akari"),
        concept=_("A lamplighter who knows every alley"),
        hp=3,
        suit="h",
        skills=(_("First aid"), _("Hidden paths"), _("Listening closely")),
        treasure=("tool", _("A lamp that never goes out"), 1),
        emblem="lamp",
    ),
    "tetsu": Pregenerated(
        name=_("Tetsu"),
        concept=_("A smith with an arm to lean on"),
        hp=4,
        suit="c",
        skills=(_("Feats of strength"), _("Smithing")),
        treasure=("weapon", _("The old master's hammer"), 2),
        emblem="hammer",
    ),
    "saya": Pregenerated(
        name=_("Saya"),
        concept=_("An actress with a borrowed name"),
        hp=2,
        suit="d",
        skills=(_("Bluffing"), _("Disguise"), _("Acrobatics"), _("Lock picking")),
        treasure=("tool", _("A mask without a face"), 1),
        emblem="mask",
    ),
    "nagi": Pregenerated(
        name=_("Nagi"),
        concept=_("A sailor whose ship did not come back"),
        hp=4,
        suit="s",
        skills=(_("Swordplay"), _("Reading the weather")),
        treasure=("weapon", _("A short sword with a sea-green hilt"), 2),
        emblem="anchor",
    ),
    "fumi": Pregenerated(
        name=_("Fumi"),
        concept=_("A keeper of books nobody may read"),
        hp=2,
        suit="s",
        skills=(_("Old books"), _("Negotiation"), _("Observation"), _("Medicine")),
        treasure=("tool", _("A magnifying glass of rock crystal"), 1),
        emblem="book",
    ),
    "tsubame": Pregenerated(
        name=_("Tsubame"),
        concept=_("A courier who is always first"),
        hp=3,
        suit="d",
        skills=(_("Fast feet"), _("Marksmanship"), _("Driving")),
        treasure=("armour", _("A coat of many pockets"), 1),
        emblem="bird",
    ),
}
