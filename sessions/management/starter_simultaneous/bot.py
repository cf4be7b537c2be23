"""A bot that always chooses its highest card."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove
from .view import View


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a legal move, chosen from the seat's own view."""
    return max(legal, key=lambda move: move.card)
