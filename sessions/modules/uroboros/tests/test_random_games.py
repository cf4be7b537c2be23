"""What holds at every moment of any game."""

import pytest

from companion.cards import standard_deck
from sessions.engine.random_play import random_game
from sessions.modules.uroboros import module
from sessions.modules.uroboros.hands import surplus


@pytest.mark.parametrize("players", module.seats)
def test_no_card_is_ever_lost_or_doubled_and_nobody_idle_has_too_many(players: int) -> None:
    for seed in range(4):
        for moment in random_game(module, players, f"cards {seed}"):
            state = module.load(moment.snapshot)
            hands = [card for hand in state.hands.values() for card in hand.cards]
            assert sorted([*hands, *state.deck, *state.pile]) == sorted(standard_deck())
            assert state.pile, "there is always a field card"
            assert len(set(state.adjusting)) == len(state.adjusting)
            if state.adjusting:
                assert surplus(state, state.adjusting[0]) > 0
