"""The traveller that plays by itself."""

from __future__ import annotations

import pytest

from sessions.engine.step import encode, start
from sessions.game import Fate
from sessions.modules.journey import module
from sessions.modules.journey.bot import apply_to_copy, bot, imagine_state, plan, strong_bot, worth
from sessions.modules.journey.moves import Pack, Solve
from sessions.modules.journey.state import SUITS

from .table import Journey
from .test_random_games import journey


@pytest.mark.parametrize("seed", range(3))
def test_an_imagined_state_gives_the_same_view_as_the_real_one(seed: int) -> None:
    """The imagined state differs from the real one in the unseen order of the deck alone."""
    for state, _ in journey(seed):
        if state.turn:
            other = imagine_state(module.view(state, "p1"), Fate("guess", 1))
            assert encode(module.view(other, "p1")) == encode(module.view(state, "p1"))
            assert module.legal_moves(other, "p1") == module.legal_moves(state, "p1")


def test_a_bot_takes_the_last_step_home() -> None:
    state = Journey().put(pawns="7 7 5", phase="end", letters=2, solved=list(SUITS)).state
    path = plan(imagine_state(module.view(state, "p1"), Fate("guess", 1)))
    for move in path:
        state = apply_to_copy(state, move)
    assert state.reason == "home"


def test_a_bot_solves_a_story_when_it_can() -> None:
    state = (
        Journey()
        .put({2: "blue-1 white-6", 5: "blue-5 white-4", 4: "blue-2 white-3"}, "2 5 4", phase="solve")
        .state
    )
    view, legal = module.view(state, "p1"), module.legal_moves(state, "p1")
    assert isinstance(bot(view, legal, Fate("any", 1)), Solve)


def test_a_journey_home_is_worth_more_than_any_other_and_a_lost_one_less() -> None:
    going = Journey().put(solved=list(SUITS[:4]), letters=4).state
    home = Journey().put(phase="over", reason="home", solved=list(SUITS), pawns="7 7 7").state
    lost = Journey().put(phase="over", reason="deck").state
    assert worth(home) > worth(going) > worth(lost)


def test_the_strong_bot_packs_a_tent_and_then_plays_like_the_plain_one() -> None:
    state = module.load(start(module, ["p1"], {}, Fate("any", 0)))
    view, legal = module.view(state, "p1"), module.legal_moves(state, "p1")
    assert strong_bot(view, legal, Fate("any", 1)) == Pack(("lantern", "map", "rucksack", "tent"))
    assert bot(view, legal, Fate("any", 1)) == Pack(("lantern", "map", "rucksack"))
    state = Journey().put(pawns="1 5 6", hand="red-2 blue-4").state
    view, legal = module.view(state, "p1"), module.legal_moves(state, "p1")
    assert strong_bot(view, legal, Fate("any", 1)) == bot(view, legal, Fate("any", 1))
