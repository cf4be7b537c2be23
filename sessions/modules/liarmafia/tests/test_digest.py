"""The night report's words."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.liarmafia.state import Options
from sessions.modules.liarmafia.telling import digest
from sessions.modules.liarmafia.tests.table import Game


def told(events: list[Event]) -> list[tuple[str, object]]:
    return [(one.kind, one.data) for one in digest(events, Options()).highlights]


def played(game: Game, *moves: str) -> list[Event]:
    return [event for move in moves for event in game.play(move)]


def test_a_lie_that_was_caught_decides_and_counts() -> None:
    game = Game("pv bv", "h^ pv")
    events = played(game, "p1 declare action=smuggle", "p2 doubt", "p1 remove slot=1")
    blow = {"seat": "p2", "reason": "boss", "how": "caught", "other": "p1", "claim": "smuggle"}
    assert told(events) == [("last_blow", blow), ("nose", {"seat": "p2", "count": 1})]
    assert digest(events, Options()).counts == {
        "p1": {"claims": 1, "doubts": 0, "found": 0},
        "p2": {"claims": 0, "doubts": 1, "found": 1},
    }


def test_a_doubt_of_the_truth_decides() -> None:
    game = Game("pv b^", "b^ pv")
    events = played(game, "p1 declare action=smuggle", "p2 doubt", "p2 remove slot=0")
    blow = {"seat": "p1", "reason": "boss", "how": "shown", "other": "p2", "claim": "smuggle"}
    assert told(events) == [("last_blow", blow)]


def test_a_block_that_was_a_lie_is_told_by_its_own_name() -> None:
    game = Game("pv b^", "b^ pv")
    events = played(game, "p1 declare action=smuggle", "p2 block", "p1 doubt", "p2 remove slot=0")
    (blow, *_) = digest(events, Options()).highlights
    assert (blow.data["how"], blow.data["claim"]) == ("caught", "fix")


def test_a_block_that_no_card_allows_is_told_by_the_action() -> None:
    """Only the first edition lets players try one. [LM-3.2]"""
    game = Game("pv b^", "b^ pv", chips={"p1": [2, 2]})
    events = played(game, "p1 declare action=allout", "p2 block", "p1 doubt", "p2 remove slot=0")
    (blow, *_) = digest(events, Options()).highlights
    assert (blow.data["how"], blow.data["claim"]) == ("caught", "allout")


def test_a_hit_is_told_by_its_action_though_a_block_came_between() -> None:
    game = Game("h^ b^", "b^ p^", chips={"p1": [1]})
    events = played(
        game,
        "p1 declare action=murder",
        "p2 block",
        "p1 doubt",
        "p2 remove slot=1",
        "p2 replace facing=up",
        "p1 hit slot=0",
    )
    (blow, *_) = digest(events, Options()).highlights
    assert (blow.data["how"], blow.data["claim"], blow.data["seat"]) == ("paid", "murder", "p1")


def test_the_digest_names_a_concession_and_nothing_of_an_unfinished_game() -> None:
    assert told([]) == []
    game = Game("pv b^", "b^ pv")
    assert told(played(game, "p1 concede")) == [
        ("last_blow", {"seat": "p2", "reason": "concede", "how": "concede"})
    ]
