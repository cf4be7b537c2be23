"""First games come to an end whatever the newcomer does, and have words for every step on the way."""

from __future__ import annotations

import pytest
from django.utils import translation

from sessions.engine.step import encode
from sessions.game import AnyModule
from sessions.game_tests.first_games import NEWCOMER, anybody, first_of, play
from sessions.game_tests.screens import opened
from sessions.game_tests.seeds import seeds
from sessions.models import Trial
from sessions.screen.regions import Screen
from sessions.screen.sights import Extra, Sight


@pytest.fixture(autouse=True)
def brings_one(module: AnyModule) -> None:
    if module.first_game is None:
        pytest.skip("it brings no first game")


@pytest.mark.parametrize("seed", range(40))
def test_a_first_game_ends_whatever_the_newcomer_does(module: AnyModule, seed: int) -> None:
    *_, last = play(module, anybody(seed))
    assert module.outcome(last.state) is not None or first_of(module).ends(last.events)


@pytest.mark.parametrize("seed", seeds(3, of=12))
def test_every_step_has_its_words(module: AnyModule, seed: int) -> None:
    with translation.override("ja"):
        for played in play(module, anybody(seed)):
            held = opened(module, encode(played.state))
            held.table.session.trial = Trial.FIRST_GAME
            sight = Sight(held, Screen("phone", NEWCOMER), Extra())
            assert bool(sight.first_game) is ('id="first-game"' in sight.draw("prompt")), sight.first_game
