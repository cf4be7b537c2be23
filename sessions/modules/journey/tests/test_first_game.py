"""The first game: two days of the journey, and a train caught on the second."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game_tests.fixtures import anybody, play
from sessions.modules.journey import module
from sessions.modules.journey.first_game import RED, TRAIN, ends
from sessions.modules.journey.moves import AnyMove, Green, Pack, Play
from sessions.modules.journey.view import View

TOLD: dict[str, AnyMove] = {
    "pack": Pack(()),
    "first": Play(RED, "a"),
    "train": Play(TRAIN, "b"),
    "green": Green(RED),
}


def as_told(view: View, told: str, legal: Sequence[AnyMove]) -> AnyMove:
    return TOLD[told] if told in TOLD else legal[0]


def test_a_traveller_who_follows_the_lesson_goes_two_days_to_the_train() -> None:
    played = list(play(module, as_told))
    assert [one.told for one in played] == ["pack", "first", "red", "train", "green", "red"]
    assert ends(played[-1].state) == "train"
    assert played[-1].state.turn == 3


def test_a_first_game_ends_within_a_few_days_for_any_moves() -> None:
    for seed in range(40):
        *_, last = play(module, anybody(seed))
        assert last.state.turn <= 5
