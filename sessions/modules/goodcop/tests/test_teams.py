"""Teams: chapter 3."""

from __future__ import annotations

import pytest

from sessions.modules.goodcop.tests.table import UNDEAD, Game, at

rule = pytest.mark.rule


@rule("GC-3.1")
def test_a_leader_card_decides_then_the_majority() -> None:
    game = Game("A C C | K H H | H H C | C C H")
    seats = ("p1", "p2", "p3", "p4")
    assert [game.team(seat) for seat in seats] == [
        "honest",
        "crooked",
        "honest",
        "crooked",
    ]
    assert [game.view(seat)["me"]["leader"] for seat in seats] == [
        True,
        True,
        False,
        False,
    ]


@rule("GC-3.2")
def test_a_players_team_changes_with_their_cards() -> None:
    game = Game("A H H | K C C | H H C | C C H", {"p1": "blackmail"})
    game.play("p1", "blackmail", a=at("p3", 0), b=at("p4", 0))
    assert (game.team("p3"), game.team("p4")) == ("crooked", "honest")
    assert game.outcome() is None


@rule("GC-3.2")
def test_planted_evidence_turns_a_majority_around_but_no_leader() -> None:
    game = Game("A H H | K C C | H H C | C C H", {"p1": "planted_evidence"})
    game.play("p1", "planted_evidence", seat="p3")
    assert game.team("p3") == "crooked"
    game = Game("A H H | K C C | H H C | C C H", {"p1": "planted_evidence"})
    game.play("p1", "planted_evidence", seat="p1")
    assert game.team("p1") == "honest"


@rule("GC-3.2")
def test_eliminated_players_change_sides_too() -> None:
    game = Game("A H H | K C C | H+ H+ C+ | C C H", {"p1": "evidence_bag"})
    game.set("p3", alive=False, active=["planted_evidence"])
    assert game.team("p3") == "crooked"
    game.play("p1", "evidence_bag", active="planted_evidence", to="p4")
    assert game.team("p3") == "honest"


@rule("GC-3.3")
def test_a_player_who_holds_both_leaders_wins_alone_at_once() -> None:
    game = Game("A H H | K C C | H H C | C C H", {"p3": "blackmail"})
    game.change(turn="p3")
    game.play("p3", "blackmail", a=at("p1", 1), b=at("p2", 0))
    assert game.outcome() == {"winners": ["p1"], "reason": "alone"}
    assert game.view()["winners"] == ["p1"]
    assert game.waiting == []


@rule("GC-3.3", "GC-8.12")
def test_a_player_with_the_infector_and_a_leader_wins_alone_too() -> None:
    game = Game(UNDEAD, {"p4": "blackmail"}, zombies=True)
    game.change(turn="p4")
    game.play("p4", "blackmail", a=at("p3", 0), b=at("p2", 1))
    assert game.outcome() == {"winners": ["p2"], "reason": "alone"}
    game = Game(UNDEAD, {"p4": "blackmail"}, zombies=True)
    game.change(turn="p4")
    game.play("p4", "blackmail", a=at("p3", 1), b=at("p1", 0))
    assert game.outcome() == {"winners": ["p3"], "reason": "alone"}


@rule("GC-3.3")
def test_nothing_else_happens_once_a_player_has_won_alone() -> None:
    game = Game("A H H | K C C | Z+ H+ C+ | C C H", {"p4": "blackmail"}, zombies=True)
    game.undead("p3")
    game.change(turn="p4")
    game.play("p4", "blackmail", a=at("p3", 0), b=at("p2", 1))
    assert game.outcome() == {"winners": ["p2"], "reason": "alone"}
    assert game.player("p2")["zombie"] is False
    assert game.up("p2") == [False, True, False]
    assert game.view()["reveal"]["p2"]["team"] == "zombie"
