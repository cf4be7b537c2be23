"""First games come to an end after any moves of the newcomer, and have words for every step on the way."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from django.utils import translation

from sessions.engine.step import encode
from sessions.game import AnyModule
from sessions.game_tests.fixtures import NEWCOMER, anybody, first_of, play
from sessions.game_tests.screens import opened
from sessions.live.regions import Screen
from sessions.live.screen_view import ScreenExtras, ScreenView
from sessions.models import Trial


@pytest.fixture(autouse=True)
def brings_one(module: AnyModule) -> None:
    if module.first_game is None:
        pytest.skip("it brings no first game")


def test_a_first_game_ends_whatever_the_newcomer_does(module: AnyModule) -> None:
    for seed in range(60):
        *_, last = play(module, anybody(seed))
        assert module.outcome(last.state) is not None or first_of(module).ends(last.state)


def test_every_step_of_a_first_game_shows_a_lesson(module: AnyModule) -> None:
    with translation.override("ja"):
        for played in chain.from_iterable(play(module, anybody(seed)) for seed in range(4)):
            cached = opened(module, encode(played.state))
            cached.table.session.trial = Trial.FIRST_GAME
            sight = ScreenView(cached, Screen("phone", NEWCOMER), ScreenExtras())
            told = re.search(r'id="first-lesson">\s*[^<\s]', sight.render_region("prompt"))
            assert bool(told) is bool(sight.first_game), sight.first_game
