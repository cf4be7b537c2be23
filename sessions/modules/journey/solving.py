"""The stories that can be solved where the pawns stand, and the events that others lack. [JO-3.12]"""

from __future__ import annotations

from .components import SUITS, Suit, suit_of
from .state import State


def solvable(state: State) -> list[Suit]:
    """Return the unsolved suits that have enough events on every day with pawns."""
    if not all(state.days[day - 1] for day in state.pawns.values()):
        return []
    return [suit for suit in SUITS if suit not in state.solved and not lacking(state, suit)]


def lacking(state: State, suit: Suit) -> dict[int, int]:
    """Return the number of missing events of a suit by day; days that have enough are left out."""
    pawns = list(state.pawns.values())
    short = {day: pawns.count(day) - events_of(state, day, suit) for day in pawns}
    return {day: count for day, count in short.items() if count > 0}


def events_of(state: State, day: int, suit: Suit) -> int:
    """Return the number of events of a suit on a day."""
    return [suit_of(card) for card in state.days[day - 1]].count(suit)
