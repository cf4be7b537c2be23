"""The whole state of a game, including hidden cards. Only ``view.py`` decides which parts a seat sees."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sessions.game import Seat

NUMBERS = range(1, 6)
COPIES = "abcdefgh"
#: ``5c`` is one of the eight cards with the number 5.
CARDS = [f"{number}{copy}" for number in NUMBERS for copy in COPIES]


def number_on(card: str) -> int:
    return int(card[0])


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[int, Meta(ge=2, le=5)] = 4


class Player(Struct):
    hand: list[str]
    down: list[str] = []  # laid face down: the cards that were believed, and last the one of an open claim
    points: int = 0


class OpenClaim(Struct, frozen=True):
    """The claim about a card: the seat that it lies before, and the number that it is said to have."""

    before: Seat
    number: int


class State(Struct):
    seats: list[Seat]
    options: Options
    box: list[str]  # the cards that were not dealt
    players: dict[Seat, Player]
    turn: Seat
    claim: OpenClaim | None = None
    shown: list[str] = []  # the cards that were turned up
