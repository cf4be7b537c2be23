"""Plays a seat from its own view: lays the highest card that fits, and stays when none does."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove, Lay, Stay
from .view import View


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return one of the legal moves."""
    assert view.turn
    room = view.limit - view.players[view.turn].total
    fitting = [move for move in legal if isinstance(move, Lay) and move.card <= room]
    return max(fitting, key=lambda move: move.card, default=Stay())
