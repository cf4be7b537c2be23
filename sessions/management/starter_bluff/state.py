"""The state of a game. Only ``view.py`` decides what anybody sees of it."""

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
    down: list[str] = []  # laid face down: what was believed, and last what is claimed now
    points: int = 0


class Claim(Struct, frozen=True):
    """What was said of the card that lies before somebody."""

    before: Seat
    number: int


class State(Struct):
    seats: list[Seat]
    options: Options
    box: list[str]  # the cards that nobody has
    players: dict[Seat, Player]
    turn: Seat
    claim: Claim | None = None
    shown: list[str] = []  # the cards that were turned up
