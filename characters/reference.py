"""The reference tables and the pregenerated characters. [UC-1, UC-7.1, UC-11.1]

A campaign can override the standard texts of the tables. The characters are for players who join late; each
is a possible result of the creation.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Meta, Struct

from characters.exchange.plain import PlainItem, PlainSheet
from characters.models import Character, ExperienceLine, ItemPower

Words = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\A[^\x00]*\Z")]
PowerKey = Annotated[str, Meta(pattern=r"\A(?:tool|weapon|armour)-[0-4]\Z")]
LineKey = Annotated[str, Meta(pattern=r"\A[-a-z0-9_]{1,50}\Z")]


class OwnWords(Struct, frozen=True, omit_defaults=True):
    """A campaign's own texts by row key. They replace the standard text in every language."""

    powers: dict[PowerKey, Words] = {}
    lines: dict[LineKey, Words] = {}


STANDARD = OwnWords()


def item_powers(words: OwnWords = STANDARD) -> list[ItemPower]:
    """Return the rows of the three power tables. [UC-7.1]"""
    return [row.with_text(words.powers.get(row.key)) for row in ItemPower.objects.all()]


def experience_lines(words: OwnWords = STANDARD) -> list[ExperienceLine]:
    """Return the lines of the checklist. [UC-11.1]"""
    return [row.with_text(words.lines.get(row.key)) for row in ExperienceLine.objects.all()]


def campaign_words(character: Character) -> OwnWords:
    """Return the texts of the campaign that a character joined last."""
    newest = character.seats.select_related("session__campaign").order_by("-joined_at", "-pk").first()
    campaign = newest.session.campaign if newest else None
    return read_words(campaign.house_values) if campaign else STANDARD


def read_words(values: object) -> OwnWords:
    """Return the texts in a campaign's house rules; the standard ones if they are invalid."""
    try:
        return msgspec.convert(values, OwnWords)
    except msgspec.ValidationError:
        return STANDARD


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
