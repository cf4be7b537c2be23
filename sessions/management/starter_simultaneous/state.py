"""The state of a game. Only ``view.py`` decides what anybody sees of it."""

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
    chosen: int | None = None  # face down, until everybody has chosen
    shown: int | None = None  # the card of the round before
    points: int = 0


class State(Struct):
    seats: list[Seat]
    options: Options
    box: list[int]  # the cards that nobody has
    players: dict[Seat, Player]
    round: int = 1
    past: list[int] = []  # the cards that were shown
