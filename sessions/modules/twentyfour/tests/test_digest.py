"""A night report's words about a game: from made-up events, and of a whole game."""

from __future__ import annotations

from typing import Any

from sessions.game import Event
from sessions.modules.twentyfour.state import Options
from sessions.modules.twentyfour.telling import digest

from .test_random_games import lively_game


def challenged(seat: str, incident: int, bonus: int, **data: Any) -> Event:
    told = {"green": None, "red": 8, "damage": 0, "prevented": 0, "dice": "red"}
    return Event("challenged", {"seat": seat, "incident": incident, "bonus": bonus, **told, **data})


def told(*events: Event) -> list[tuple[str, dict[str, Any]]]:
    return [(one.kind, one.data) for one in digest(events, Options()).highlights]


def test_the_digests_best_throw_is_the_one_that_gave_most_power() -> None:
    events = [
        challenged("p1", 2, 2),
        challenged("p2", 4, 5, green=8),
        challenged("p1", 3, 5),
        challenged("p1", 5, 0),
    ]
    best = {"seat": "p2", "incident": 4, "green": 8, "red": 8, "bonus": 5}
    assert told(*events) == [("best_throw", best)]
    assert told(challenged("p1", 5, 0)) == [], "a failure is no throw to tell of"


def test_the_digest_tells_arrests_and_deaths_of_players_but_not_of_the_npc() -> None:
    events = [
        Event("arrested", {"seat": "p2", "card": "red-6"}),
        Event("arrested", {"seat": "npc", "card": "blue-6"}),
        Event("honoured", {"seat": "p1", "vp": 7, "card": "red-4", "incident": 3}),
    ]
    assert told(*events) == [
        ("masterminds", {"seat": "p2", "count": 1}),
        ("fell", {"seat": "p1", "incident": 3, "vp": 7}),
    ]


def test_the_digest_counts_vp_and_taken_cards_of_each_player() -> None:
    events = [event for _, _, happened in lively_game(3, 1) for event in happened if event.to is None]
    counts = digest(events, Options()).counts
    assert set(counts) == {"p1", "p2", "p3"}, "the NPC has no row"
    assert [counts[seat]["vp"] for seat in sorted(counts)] == list(events[-1].data["vp"].values())
    taken = sum(event.kind == "took" and event.data["seat"] != "npc" for event in events)
    assert sum(mine["taken"] for mine in counts.values()) == taken > 0
    unfinished = digest(events[:-1], Options()).counts
    assert all("vp" not in mine for mine in unfinished.values())
