"""The score. [JO-5]"""

from __future__ import annotations

import pytest

from sessions.modules.journey import module
from sessions.modules.journey.state import SUITS

from .table import Journey

rule = pytest.mark.rule


def home(
    days: dict[int, str], items: str = "", deck: str = "white-1", letters: int = 1, **options: object
) -> Journey:
    journey = Journey(items=items, **options)
    journey.put(days, pawns="7 7 7", phase="end", letters=letters, solved=list(SUITS), deck=deck)
    journey.do("end_turn")
    return journey


@rule("JO-5.1")
@pytest.mark.parametrize(("items", "parts"), [("", (3, 4)), ("camera", (6, 2))])
def test_cards_in_the_deck_and_letters_score(items: str, parts: tuple[int, int]) -> None:
    score = home({}, items, deck="red-1 red-2 red-3", letters=2).view.score
    assert score
    assert (score.deck, score.letters) == parts


@rule("JO-5.2")
@pytest.mark.parametrize(
    ("items", "options", "keys"),
    [("", {}, 5), ("camera", {}, 7), ("", {"single_key": "full"}, 8), ("camera", {"single_key": "full"}, 12)],
)
def test_equal_key_icons_on_a_day_score(items: str, options: dict[str, str], keys: int) -> None:
    """Two moons on day 1, a moon and a star on day 2, one event on day 3, none elsewhere."""
    score = home({1: "red-3 red-6", 2: "red-3 red-1", 3: "blue-5"}, items, **options).view.score
    assert score
    assert score.keys == keys


@rule("JO-5.2")
def test_with_the_lantern_all_key_icons_of_a_day_must_be_equal() -> None:
    assert home({1: "red-3 red-6 red-1"}, "lantern").view.so_far.keys == 0
    assert home({1: "red-3 red-6 blue-1"}, "lantern").view.so_far.keys == 4


@rule("JO-5.3")
def test_items_cost_and_the_total_may_be_negative() -> None:
    journey = home({}, "lantern map radio camera rucksack tent")
    score = journey.view.score
    assert score
    assert (score.items, score.total) == (-22, -19)
    outcome = module.outcome(journey.state)
    assert outcome
    assert outcome.score == -19


@rule("JO-5.3")
def test_a_lost_journey_has_no_score() -> None:
    journey = Journey()
    journey.do("concede")
    assert journey.view.score is None
    outcome = module.outcome(journey.state)
    assert outcome
    assert outcome.score is None
