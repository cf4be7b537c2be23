"""The wishes of a part of the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

#: Moves in the logs that are read.
READ = (20, 200, 2_000)


@dataclass(frozen=True)
class Wanted:
    """Tables of one kind."""

    module: str = "uroboros"
    tables: int = 1
    pages: int = 6
    #: The GM, the players, and watchers. Further pages are faces and second devices.
    people: int = 6
    #: Moves that were played before anybody looks.
    log: int = 0
    #: True if the evening has ended, so that the chance of its tables is told.
    ended: bool = False
    #: The kind of bot that plays whole games; without, the usual moves of a TRPG are played, over and over.
    games: str = ""
