"""A bot that lays the highest card within the limit, and stays if it has none."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove, Lay, Stay
from .view import View


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a legal move, chosen from the seat's own view."""
    assert view.turn
    room = view.limit - view.players[view.turn].total
    fitting = [move for move in legal if isinstance(move, Lay) and move.card <= room]
    return max(fitting, key=lambda move: move.card, default=Stay())
