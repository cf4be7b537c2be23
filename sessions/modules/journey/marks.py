"""The notable facts of a journey for the overview of many games."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Mark

from .components import SUITS
from .state import TRAVELLER
from .view import View

#: The rank of a lost journey starts here, above that of any journey that came home.
LOST = 1_000


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a mark for a bad journey: few points or, if the deck ran out, few stories rank high. [JO-5]"""
    if view.reason == "home" and view.score:
        points = view.score.total
        return [Mark(Event("worst", {"seat": TRAVELLER, "points": points}), rank=-points)]
    if view.reason == "deck":
        told = sum(view.stories.values())
        return [Mark(Event("worst", {"seat": TRAVELLER, "stories": told}), rank=LOST + len(SUITS) - told)]
    return []
