"""A night report's words about a journey."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.journey.state import SUITS, Options
from sessions.modules.journey.telling import digest


def told(*turns: int) -> list[Event]:
    """Stories told in these turns, in the order of the suits."""
    events = []
    for suit, turn in zip(SUITS, turns, strict=False):
        events += [Event("turn_begun", {"turn": turn}), Event("solved", {"suit": suit, "letters": 1})]
    return events


def test_the_digest_names_the_told_stories_and_counts_the_turns() -> None:
    events = [*told(2, 9), Event("turn_begun", {"turn": 12}), Event("ended", {"reason": "deck"})]
    [stories] = digest(events, Options()).highlights
    assert stories == Event("told", {"suits": ["red", "green"], "all": False, "turns": 12})


def test_the_digest_names_five_told_stories_and_the_longest_run() -> None:
    stories, row = digest(told(2, 4, 5, 6, 8), Options()).highlights
    assert stories.data["all"]
    assert row == Event("in_a_row", {"count": 3})


def test_the_digest_counts_loops() -> None:
    loops = [Event("looped", {"card": None}), Event("looped", {"card": "red-1"})]
    found = digest([Event("turn_begun", {"turn": 1}), *loops], Options())
    assert found.highlights == (Event("loops", {"count": 2}),)
    assert found.counts == {"p1": {"turns": 1, "stories": 0, "loops": 2}}


def test_the_digest_of_a_journey_given_up_at_once_is_empty() -> None:
    assert digest([Event("ended", {"reason": "concede"})], Options()).highlights == ()
