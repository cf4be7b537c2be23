"""What a book remembers of a journey: how badly it went."""

from __future__ import annotations

import pytest

from sessions.game import Event, Mark
from sessions.modules.journey import module
from sessions.modules.journey.state import SUITS, Reason
from sessions.modules.journey.telling import marks

from .table import Journey


def remembered(reason: Reason | None, *solved: str) -> list[Mark]:
    journey = Journey().put(reason=reason, phase="over", solved=list(solved))
    return marks(module.view(journey.state, None), [])


def test_a_lost_journey_ranks_worse_than_one_with_few_points() -> None:
    [home], [some], [none] = remembered("home", *SUITS), remembered("deck", "red"), remembered("deck")
    assert home.event.data["points"] == -home.rank
    assert some.event == Event("worst", {"seat": "p1", "stories": 1})
    assert home.rank < some.rank < none.rank


@pytest.mark.parametrize("reason", ["concede", None])
def test_a_journey_that_was_given_up_or_goes_on_is_not_remembered(reason: Reason | None) -> None:
    assert remembered(reason) == []
