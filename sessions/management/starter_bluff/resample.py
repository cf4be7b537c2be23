"""Make a state that some seats cannot tell from the true one: undo and tests for leaks compare the two."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the cards that none of ``seats`` has seen, and deal them again.

    These are in the box, in other hands, and face down before other players.
    """
    others = [player for seat, player in state.players.items() if seat not in seats]
    hidden = [state.box, *(cards for player in others for cards in (player.hand, player.down))]
    unseen = fate.shuffle("unseen", [card for cards in hidden for card in cards])
    for cards in hidden:
        cards[:] = [unseen.pop() for _ in cards]
