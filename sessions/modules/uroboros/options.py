"""The options of a table: the ladder 難易度表, the jokers, and the characters as plain values."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.cards import Suit
from sessions.game import Seat

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\A[^\x00]*\Z")]
Value = Annotated[int, Meta(ge=0, le=8)]
Suits = Annotated[tuple[Suit, ...], Meta(max_length=3)]
Skills = Annotated[tuple[Name, ...], Meta(max_length=20)]
PlayerSeat = Annotated[str, Meta(pattern=r"\Ap[1-8]\Z")]

HP_LOWEST = -99


class Rung(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the ladder: when a card succeeds at this level. [UC-4.2]"""

    flip: bool  # the top card of the deck is first turned onto the field
    link: Literal["any", "colour", "suit", "near"]
    near: Annotated[int, Meta(ge=0, le=12)]


STANDARD_LADDER = (
    Rung(False, "any", 0),
    Rung(False, "colour", 0),
    Rung(False, "suit", 0),
    Rung(True, "near", 5),
    Rung(True, "near", 2),
    Rung(True, "near", 0),
)


class GearItem(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon or a tool with its value 性能値."""

    name: Name
    value: Value


Items = Annotated[tuple[GearItem, ...], Meta(max_length=20)]


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A character as it comes to the table; fields that are left out have default values."""

    name: Name | UnsetType = UNSET
    ca: Annotated[int, Meta(ge=0, le=99)] = 8
    hp_max: Annotated[int, Meta(ge=1, le=20)] = 3
    hp: Annotated[int, Meta(ge=HP_LOWEST, le=20)] | None = None
    suits: Suits = ()
    skills: Skills = ()
    weapons: Items = ()
    armour: Value | None = None
    shield: Value | None = None
    tools: Items = ()

    def __post_init__(self) -> None:
        """Refuse HP above the maximum, and a favoured suit that is named twice."""
        if self.hp is not None and self.hp > self.hp_max:
            raise ValueError("hp is above hp_max")
        if len(set(self.suits)) < len(self.suits):
            raise ValueError("a favoured suit is named twice")


class Practice(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts that the script of a practice session uses. [UC-12.2]"""

    check: Name  # the newcomer's attempt
    foe: Name
    bite: Name  # the foe's skill
    help: Name  # the companion's words when giving a card away


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    jokers: Literal[1, 2] = 2
    ladder: Annotated[tuple[Rung, ...], Meta(min_length=6, max_length=6)] = STANDARD_LADDER
    characters: dict[PlayerSeat, Sheet] = {}
    practice: Practice | None = None  # a practice session: the script in bot.py plays the GM and p2 [UC-12.2]
    rehearsal: bool = False  # a GM's rehearsal: the GM may stack the deck [UC-12.1]


def check_seats(options: Options, seats: list[Seat]) -> None:
    """Refuse a character for a seat that the table does not have.

    :raises msgspec.ValidationError:
    """
    for seat in options.characters:
        if seat not in seats:
            raise msgspec.ValidationError(f"a character for {seat}, who is not at the table")
