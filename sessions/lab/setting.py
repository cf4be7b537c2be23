"""The game, seats and options of a lab. Pure Python."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.fate import Fate
from sessions.engine.step import start
from sessions.game import AnyModule, Seat


class RunConfig(Struct, frozen=True):
    """A run: a number of games with these bots and options. Seed and number determine a game's chance."""

    key: str
    players: int
    bots: tuple[str, ...]  # they go round the seats from game to game
    games: int
    seed: str
    options: dict[str, Any] = {}
    openings: bool = True  # True: the moves that a game calls openings are random

    def secret(self, number: int) -> str:
        """Return the secret that determines a game's chance."""
        return f"{self.seed}/{number}"

    def bot(self, number: int, place: int) -> str:
        """Return the kind of bot at a place of the table, counted from 0, in a game."""
        return self.bots[(place + number) % len(self.bots)]

    def with_options(self, options: dict[str, Any]) -> RunConfig:
        """Return the same run with other options of the table."""
        return replace(self, options=self.options | options)


def open_lab_game(module: AnyModule, setting: RunConfig, number: int) -> tuple[list[Seat], bytes]:
    """Return the seats and the first snapshot of a game.

    :raises BadTable: the number of players or the options do not fit the game.
    """
    seats = module.seat_list(setting.players)
    return seats, start(module, seats, setting.options, Fate(setting.secret(number), 0))
