"""The memorable end of one game, for the statistics over many games."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Mark

from .view import View


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a mark for a close end: the winners' leader was wounded, one shot short of their defeat.

    Its rank is the number of winners who were eliminated. [GC-5.2, GC-5.4]
    """
    winners = view.winners or ()
    leaders = [seat for seat in winners if any(card.wounded for card in view.players[seat].cards)]
    if view.reason not in ("honest", "crooked") or not leaders:
        return []
    fallen = sum(not view.players[seat].alive for seat in winners)
    return [Mark(Event("closest", {"seat": leaders[0], "fallen": fallen}), rank=fallen)]
