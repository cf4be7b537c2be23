"""Another state that some seats cannot tell from this one: only the deck's order is hidden."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the part of the deck that is not known. Before packing the order has no meaning yet."""
    top, end = state.known_top, len(state.deck) - state.known_bottom
    state.deck[top:end] = fate.shuffle("unseen", state.deck[top:end])
