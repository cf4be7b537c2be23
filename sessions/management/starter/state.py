"""The whole state of a game, including hidden cards. Only ``view.py`` decides which parts a seat sees."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sessions.game import Seat

CARDS = range(1, 41)
HAND = 4


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=40, le=100)] = 60


class Player(Struct):
    hand: list[int]
    laid: list[int] = []
    stays: bool = False

    @property
    def total(self) -> int:
        return sum(self.laid)


class State(Struct):
    seats: list[Seat]
    options: Options
    box: list[int]  # the cards that were not dealt
    players: dict[Seat, Player]
    turn: Seat
    # [gm]
    stopped: bool = False
    # [/gm]
