"""The first game: the newcomer is lied to, and catches it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from sessions.game import kind_of
from sessions.game_tests.fixtures import Played, anybody, play
from sessions.modules.liarmafia import module
from sessions.modules.liarmafia.first_game import TELLER, ends
from sessions.modules.liarmafia.moves import AnyMove, Block, Declare, Doubt, GainChip, Pass, Place, Rotate
from sessions.modules.liarmafia.state import Laid
from sessions.modules.liarmafia.view import View

TOLD: dict[str, AnyMove] = {
    "place": Place((Laid("police", "up"), Laid("hitman", "up"))),
    "truth": Pass(),
    "declare": Declare("embezzle"),
    "resolve": GainChip("take"),
    "adjust": Rotate(0),
    "lie": Doubt(),
}


def as_told(view: View, told: str, legal: Sequence[AnyMove]) -> AnyMove:
    return TOLD[told]


def claims(played: Sequence[Played]) -> list[tuple[str, bool]]:
    """Return each claim of Blue, and whether it was true."""
    return [
        (one.move.action, one.move.action in module.view(one.state, TELLER).mine.able)  # type: ignore[attr-defined]
        for one in played
        if one.seat == TELLER and isinstance(one.move, Declare)
    ]


def test_a_newcomer_who_follows_the_lesson_passes_a_truth_and_catches_a_lie() -> None:
    played = list(play(module, as_told))
    assert claims(played) == [("embezzle", True), ("murder", False)]
    assert ends(played[-1].state) == "caught"
    assert [one.told for one in played if one.seat == "p1"] == list(TOLD)


@pytest.mark.parametrize("answer", [Pass(), Block()])
def test_a_lie_that_was_believed_is_followed_by_another(answer: AnyMove) -> None:
    lies = iter([answer, Doubt()])

    def believes_once(view: View, told: str, legal: Sequence[AnyMove]) -> Any:
        if told == "lie":
            return next(lies)
        return TOLD[told] if TOLD.get(told) in legal else legal[0]

    played = list(play(module, believes_once))
    assert len(claims(played)) == 3
    assert ends(played[-1].state) == "caught"


def test_a_lesson_calls_true_claims_true_and_false_claims_lies() -> None:
    for seed in range(80):
        played = list(play(module, anybody(seed)))
        assert all(true is (number == 0) for number, (_, true) in enumerate(claims(played))), seed
        for before, after in pairwise(played):
            if kind_of(before.move) == "declare" and before.seat == TELLER:
                assert after.told == ("lie" if before.state.turns else "truth"), seed
