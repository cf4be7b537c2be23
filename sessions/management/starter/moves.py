"""The moves that players can make."""

from __future__ import annotations

from sessions.game import Move


class Lay(Move, frozen=True, tag="lay"):
    """Lay a card from the hand."""

    card: int


class Stay(Move, frozen=True, tag="stay"):
    """Lay no more cards in this game."""


# [gm]
class Stop(Move, frozen=True, tag="stop"):
    """End the game, and count it as it stands."""


# [/gm]
AnyMove = (
    Lay
    | Stay
    # [gm]
    | Stop
    # [/gm]
)
