"""The first game: one incident, one die, one challenge won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from sessions.game_tests.fixtures import Played, anybody, play
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.first_game import NEWCOMER, RIVAL, ends
from sessions.modules.twentyfour.moves import AnyMove, Challenge, Decline, Place
from sessions.modules.twentyfour.state import Dice
from sessions.modules.twentyfour.view import View

FIRST = Place(("4", "0", "1", "3", "6"))


def as_told(dice: AnyMove) -> Sequence[Played]:
    """Play as it is told, and challenge with these dice."""

    def newcomer(view: View, told: str, legal: Sequence[AnyMove]) -> AnyMove:
        if told.startswith("place2"):
            return Place(("2", "0", "3", "5", "hero"))
        return FIRST if told == "place1" else dice

    return list(play(module, newcomer))


def test_a_newcomer_who_follows_the_lesson_wins_the_first_incident_by_a_die() -> None:
    played = as_told(Challenge("red"))
    assert [one.told for one in played if one.seat == NEWCOMER] == ["place1", "place2", "challenge"]
    before, last = played[-2].state, played[-1].state
    assert before.judgement.powers[RIVAL] - before.judgement.powers[NEWCOMER] == 1
    assert ends(last) == "first"
    assert [(one.number, one.main_to) for one in last.solved] == [(1, NEWCOMER)]


@pytest.mark.parametrize("dice", get_args(Dice))
def test_no_die_fails_at_the_first_incident(dice: Dice) -> None:
    last = as_told(Challenge(dice))[-1].state
    assert ends(last)
    assert last.dice.damage == 0


def test_a_newcomer_who_declines_is_asked_to_challenge_until_the_day_ends() -> None:
    played = as_told(Decline())
    assert [one.told for one in played].count("challenge") > 1
    assert ends(played[-1].state) == "day"


def test_every_newcomer_is_asked_to_challenge_at_least_once() -> None:
    """However a newcomer lays: at some incident they are not the highest."""
    for seed in range(40):
        played = play(module, anybody(seed))
        assert any(one.told == "challenge" and one.seat == NEWCOMER for one in played), seed
