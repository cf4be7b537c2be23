"""The worth of everything. [TF-10]"""

from __future__ import annotations

import pytest

from sessions.modules.twentyfour.seasons import score
from sessions.modules.twentyfour.state import Player
from tests.rules import rule

from .table import Table


@rule("TF-10.1")
def test_cards_and_assists_count_wherever_they_lie() -> None:
    assert score(Player(stand=["red-6", "red-2"], coop=["blue-3a"], assists=1)).cards == 12


@rule("TF-10.2")
@pytest.mark.parametrize(
    ("coop", "assists", "bonus"),
    [
        ("red-2 red-3a red-3b", 0, 3),
        ("red-2 red-3a", 0, 0),
        ("red-2 red-3a", 1, 3),
        ("red-2", 2, 3),
        ("", 4, 0),
        ("red-2 red-3a blue-2 blue-4 green-2", 1, 5),
        ("red-2 blue-4 green-2", 2, 5),
        ("red-2 red-3a red-3b blue-2", 0, 3),
    ],
)
def test_sets_in_coop_score_with_assists_as_wild_cards(coop: str, assists: int, bonus: int) -> None:
    assert score(Player(coop=coop.split(), assists=assists)).sets == bonus


@rule("TF-10.2")
def test_stand_makes_no_sets() -> None:
    assert score(Player(stand=["red-2", "red-3a", "red-3b"])).sets == 0


@rule("TF-10.3")
def test_most_vp_wins_equal_is_a_draw_and_the_npc_is_not_scored() -> None:
    table = Table("scotch wolf lloyd", season=3)
    with table as state:
        state.phase = "style"
        state.players["p1"].coop, state.players["p1"].duty_vp = ["red-2"], 7
        state.players["p2"].coop = ["blue-6", "red-3a"]
        state.players["p3"].gained = ["green-2"]
        state.players["npc"].coop = ["white-6", "white-4", "white-2"]
    table.move("p3", "set_style", stand=[])
    assert table.outcome == {"winners": ["p1", "p2"], "reason": "vp", "vp": {"p1": 9, "p2": 9, "p3": 2}}
    assert table.player("p1")["score_parts"] == {"cards": 2, "sets": 0, "duty": 7, "wolf": 0}
    assert table.player("npc")["vp"] is None
    assert table.player("npc")["score_parts"] is None
