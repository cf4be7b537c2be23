"""Make a state that some seats cannot tell from the true one: undo and tests for leaks compare the two."""

from __future__ import annotations

from collections.abc import Collection

from sessions.game import Fate, Seat

from .state import State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the cards that none of ``seats`` sees, and deal them again.

    These are in the box, in the hands of other seats, and those that other seats have chosen.
    """
    others = [player for seat, player in state.players.items() if seat not in seats]
    cards = [*state.box]
    for player in others:
        cards += player.hand
        if player.chosen is not None:
            cards.append(player.chosen)
    unseen = fate.shuffle("unseen", cards)
    state.box[:] = [unseen.pop() for _ in state.box]
    for player in others:
        player.hand[:] = [unseen.pop() for _ in player.hand]
        if player.chosen is not None:
            player.chosen = unseen.pop()
