"""The score of a journey that came home. [JO-5]"""

from __future__ import annotations

from msgspec import Struct

from .components import COST, Card, key_of
from .state import State


class JourneyScore(Struct, frozen=True):
    """The parts of a score; the costs of items are 0 or negative."""

    deck: int
    letters: int
    keys: int
    items: int
    total: int


def score(state: State) -> JourneyScore:
    """Return the score of the journey so far; it counts only if the journey is won. [JO-5.1 to 5.3]"""
    camera = "camera" in state.items
    deck = len(state.deck) * (2 if camera else 1)
    letters = state.letters * (1 if camera else 2)
    keys = sum(key_points(state, cards) for cards in state.days)
    items = -sum(COST[item] for item in state.items)
    return JourneyScore(deck, letters, keys, items, deck + letters + keys + items)


def key_points(state: State, cards: list[Card]) -> int:
    """Return the VP for the events of one location. [JO-5.2]"""
    bonus = 6 if "camera" in state.items else 4
    if not cards or len({key_of(card) for card in cards}) > 1:
        return 0
    return bonus if len(cards) > 1 or state.single_key == "full" else 1
