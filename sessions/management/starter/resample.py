"""Make a state that some seats cannot tell from the true one: undo and tests for leaks compare the two."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the cards that none of ``seats`` sees, in the box and in other hands, and deal them again."""
    hidden = [player.hand for seat, player in state.players.items() if seat not in seats]
    unseen = fate.shuffle("unseen", [*state.box, *(card for hand in hidden for card in hand)])
    for cards in (state.box, *hidden):
        cards[:] = [unseen.pop() for _ in cards]
