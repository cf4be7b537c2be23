"""The moves."""

from __future__ import annotations

from sessions.game import Move


class Choose(Move, frozen=True, tag="choose"):
    """Lay a card of the hand face down."""

    card: int


AnyMove = Choose
