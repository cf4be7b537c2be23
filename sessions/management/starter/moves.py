"""The moves."""

from __future__ import annotations

from sessions.game import Move


class Lay(Move, frozen=True, tag="lay"):
    """Lay a card of the hand."""

    card: int


class Stay(Move, frozen=True, tag="stay"):
    """Lay no more cards in this game."""


# [gm]
class Stop(Move, frozen=True, tag="stop"):
    """Count the game as it stands."""


# [/gm]
AnyMove = (
    Lay
    | Stay
    # [gm]
    | Stop
    # [/gm]
)
