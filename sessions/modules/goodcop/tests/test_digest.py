"""The night report's words."""

from __future__ import annotations

from sessions.game import Event
from sessions.modules.goodcop.state import Options
from sessions.modules.goodcop.telling import digest
from sessions.modules.goodcop.tests.table import Game


def told(events: list[Event], options: Options | None = None) -> list[tuple[str, object]]:
    return [(one.kind, one.data) for one in digest(events, options or Options()).highlights]


def test_the_digest_names_the_last_shot_and_counts_investigations() -> None:
    game = Game("A H H | K! C+ C+ | H H C | C C H")
    game.arm("p2", "p1")
    events = game.do("p1", "investigate", seat="p4", position=0)
    events += game.do("p2", "investigate", seat="p4", position=0)
    events += game.do("p2", "keep")
    game.arm("p3", "p2")
    events += game.do("p3", "shoot")
    assert game.outcome()["reason"] == "honest"
    assert told(events) == [("last_shot", {"seat": "p3", "target": "p2", "card": None})]
    counts = digest(events, Options()).counts
    assert counts["p1"] == {"investigations": 1, "shots": 0, "equipment": 0}
    assert counts["p3"] == {"investigations": 0, "shots": 1, "equipment": 0}
    assert ("sharpest", {"seat": "p1", "count": 1}) in told(events[:5])


def test_the_digest_names_an_outbreak_and_a_leader_felled_by_a_card() -> None:
    game = Game("A H H | K! C+ C+ | Z H C | C C H", {"p1": "chainsaw"}, zombies=True)
    events = game.play("p1", "chainsaw", seat="p3", position=1)
    assert told(events, Options(zombies=True)) == [("outbreak", {"count": 1})]
    game = Game("A H H | K! C+ C | Z H C | C C H", {"p1": "chainsaw"}, zombies=True)
    events = game.play("p1", "chainsaw", seat="p2", position=2)
    assert told(events) == [("last_shot", {"seat": "p1", "target": "p2", "card": "chainsaw"})]
    assert digest(events, Options(zombies=True)).counts["p1"]["bites"] == 0


def test_the_digest_of_a_game_just_begun_is_empty() -> None:
    assert told([]) == []
