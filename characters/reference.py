"""The texts of the reference tables: the standard ones, which a campaign can override. [UC-7.1, UC-11.1]"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

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


def words_of(character: Character) -> OwnWords:
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
