"""The whole state of a game, including hidden cards. Only ``view.py`` decides which parts a seat sees."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sessions.game import Seat

CARDS = range(1, 61)
HAND = 6


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=2, le=6)] = 4


class Player(Struct):
    hand: list[int]
    chosen: int | None = None  # face down until all have chosen
    shown: int | None = None  # the card of the previous round
    points: int = 0


class State(Struct):
    seats: list[Seat]
    options: Options
    box: list[int]  # the cards that were not dealt
    players: dict[Seat, Player]
    round: int = 1
    past: list[int] = []  # the cards that were turned up
