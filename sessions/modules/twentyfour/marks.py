"""The record that the statistics of many games keep of a game of 24."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Mark

from .state import NPC
from .view import View


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return how close the end was: the VP between the first and the second. [TF-10.3]"""
    if not view.winners:
        return []
    scores = [(player.vp or 0, who) for who, player in view.players.items() if who != NPC]
    (vp, who), (second, _) = sorted(scores, key=lambda score: -score[0])[:2]
    told = {"seat": who, "vp": vp, "second": second}
    return [Mark(Event("closest", told), rank=second - vp)]
