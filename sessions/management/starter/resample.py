"""Another state that some seats cannot tell from this one."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal the cards anew that none of ``seats`` sees: those in the box and in the other hands."""
    hidden = [player.hand for seat, player in state.players.items() if seat not in seats]
    unseen = fate.shuffle("unseen", [*state.box, *(card for hand in hidden for card in hand)])
    for cards in (state.box, *hidden):
        cards[:] = [unseen.pop() for _ in cards]
