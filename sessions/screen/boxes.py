"""The board games as boxes: each with its cover picture and the facts that are printed on a box."""

from __future__ import annotations

from dataclasses import dataclass

from sessions.board_games.games import board_games
from sessions.game import AnyModule
from sessions.screen.regions import has_template


@dataclass(frozen=True)
class GameBox:
    """A board game as a box; ``about`` is True if the game has a template with a sentence about itself."""

    game: AnyModule
    about: bool

    @property
    def least(self) -> int:
        return self.game.seats.start

    @property
    def most(self) -> int:
        return self.game.seats.stop - 1

    @property
    def picture(self) -> str:
        """Return the static file name of the cover picture."""
        return f"tables/{self.game.key}/cover.svg"


def box_of(game: AnyModule) -> GameBox:
    return GameBox(game, has_template(f"tables/{game.key}/_about.jinja"))


def boxes() -> list[GameBox]:
    return [box_of(game) for game in board_games().values()]
