"""Plays a seat from its own view: the highest card of a ten that few others can have."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove
from .view import View


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return one of the legal moves."""
    return max(legal, key=lambda move: move.card)
