"""The moves that players can make."""

from __future__ import annotations

from sessions.game import Move


class Choose(Move, frozen=True, tag="choose"):
    """Lay a card from the hand face down."""

    card: int


AnyMove = Choose
