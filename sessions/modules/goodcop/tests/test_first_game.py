"""The first game: look at a card, arm, aim, shoot."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game_tests.fixtures import anybody, play
from sessions.modules.goodcop import module
from sessions.modules.goodcop.first_game import NEWCOMER, RIVAL, ends
from sessions.modules.goodcop.moves import AnyMove, Arm, Investigate, Keep, Pass, Shoot
from sessions.modules.goodcop.view import View

TOLD: dict[str, AnyMove] = {
    "look": Investigate(RIVAL, 1),
    "window": Pass(),
    "arm": Arm(0, RIVAL),
    "aim": Keep(),
    "shoot": Shoot(),
}


def as_told(view: View, told: str, legal: Sequence[AnyMove]) -> AnyMove:
    return TOLD[told]


def test_a_newcomer_who_follows_the_lesson_shoots_the_kingpin() -> None:
    played = list(play(module, as_told))
    told = [one.told for one in played if one.seat == NEWCOMER]
    assert list(dict.fromkeys(step for step in told if step != "window")) == ["look", "arm", "aim", "shoot"]
    assert told.count("window") <= 1, "the table passes for whoever was robbed"
    assert ends(played[-1].state) == "kingpin"


def test_owl_arms_against_an_armed_newcomer_and_never_shoots() -> None:
    played = list(play(module, as_told))
    assert any(one.state.players[RIVAL].aim == NEWCOMER for one in played)
    for seed in range(20):
        shots = [one.seat for one in play(module, anybody(seed)) if isinstance(one.move, Shoot)]
        assert set(shots) <= {NEWCOMER}
