"""What a book of many games remembers of a journey."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Mark

from .components import SUITS
from .state import TRAVELLER
from .view import View

#: A journey that never came home is worse than any that did.
LOST = 1_000


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return how badly it went: the fewer points or, where the days ran out, stories, the worse. [JO-5]"""
    if view.reason == "home" and view.score:
        points = view.score.total
        return [Mark(Event("worst", {"seat": TRAVELLER, "points": points}), rank=-points)]
    if view.reason == "deck":
        told = sum(view.stories.values())
        return [Mark(Event("worst", {"seat": TRAVELLER, "stories": told}), rank=LOST + len(SUITS) - told)]
    return []
