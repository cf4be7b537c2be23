"""What a book of many games remembers of one."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Mark

from .view import View


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a close end: the winners' own leader was wounded, and one more shot would have felled them.

    The more of the winners were eliminated, the closer it was. [GC-5.2, GC-5.4]
    """
    winners = view.winners or ()
    leaders = [seat for seat in winners if any(card.wounded for card in view.players[seat].cards)]
    if view.reason not in ("honest", "crooked") or not leaders:
        return []
    fallen = sum(not view.players[seat].alive for seat in winners)
    return [Mark(Event("closest", {"seat": leaders[0], "fallen": fallen}), rank=fallen)]
