"""Skills, from season 2 on. [TF-9]"""

from __future__ import annotations

import pytest

from tests.rules import rule

from .table import Table


@rule("TF-9.1")
@pytest.mark.parametrize(("season", "power"), [(1, 1), (2, 4), (3, 4)])
def test_scotchs_hero_counts_3_in_a_clash(season: int, power: int) -> None:
    table = Table(season=season)
    table.at(1, p1="hero 1", p2="hero 6", p3="0 5", p4="0 2")
    assert table.player("p1")["power"] == power
    assert table.player("p2")["power"] == 6


@rule("TF-9.1", "TF-6.3")
def test_scotchs_3_breaks_ties_too() -> None:
    table = Table(season=2)
    table.at(1, p1="hero 3", p2="hero 5", p3="2 4", p4="0 2")
    table.reach(2)
    assert table.player("p1")["gained"] == ["red-3a"], "6 power each, and a first card of 3 against 2"
    assert table.player("p3")["gained"] == ["blue-2"]


@rule("TF-9.1")
def test_scotchs_lone_hero_counts_0() -> None:
    table = Table(season=2)
    table.at(1, p1="hero 1", p2="5 6", p3="0 5", p4="0 2")
    assert table.player("p1")["power"] == 1


@rule("TF-9.2")
def test_wolf_may_challenge_with_the_highest_power_after_all_others() -> None:
    table = Table(season=2)
    table.at(1, p1="0 0", p2="5 6", p3="0 5", p4="0 2")
    assert table.view()["judgement"]["order"] == ["p1", "p4", "p3", "p2"]
    assert table.view()["judgement"]["late"] == "p2"
    hero = Table(season=2)
    hero.at(1, p1="0 3", p2="0 hero", p3="0 5", p4="0 2")
    assert hero.view()["judgement"]["order"] == ["p4", "p1", "p3", "p2"]
    under = Table(season=2)
    under.at(1, p1="0 hero", p2="5 6", p3="6 5", p4="0 2")
    assert under.view()["judgement"]["order"] == ["p4", "p2", "p3"]
    first = Table(season=1)
    first.at(1, p1="0 0", p2="5 6", p3="0 5", p4="0 2")
    assert first.view()["judgement"]["order"] == ["p1", "p4", "p3"]


@rule("TF-9.2", "TF-10.3")
def test_wolf_killed_on_duty_scores_his_stand() -> None:
    table = Table(season=3)
    with table as state:
        wolf = state.players["p2"]
        wolf.hurt, wolf.stand = True, ["white-2", "white-4", "purple-4"]
    table.at(1, p1="5 6", p2="0 0", p3="0 5", p4="0 3")
    table.rolls(red="1")
    table.move("p2", "challenge", dice="red")
    table.finish()
    parts = table.player("p2")["score_parts"]
    assert parts == {"cards": 10, "sets": 0, "duty": 8, "wolf": 3}
    assert table.player("p2")["vp"] == 21


@rule("TF-9.3")
def test_hibachi_chooses_when_alone_first() -> None:
    table = Table("hibachi wolf scotch lloyd", season=2)
    table.at(1, p1="5 6", p2="0 6", p3="0 1", p4="0 2")
    for seat in ("p3", "p4", "p2"):
        table.move(seat, "decline")
    assert table.view()["phase"] == "take"
    assert table.waiting == {"p1"}
    assert table.view()["layout"][0]["main"] == "red-3a"
    assert table.refusal("p2", "take", rank="main") == "not_asked"
    table.move("p1", "take", rank="sub")
    assert table.player("p1")["gained"] == ["blue-2"]
    assert table.player("p2")["gained"] == ["red-3a"]


@rule("TF-9.3")
def test_hibachis_other_card_is_discarded_without_a_sole_second_player() -> None:
    table = Table("hibachi wolf scotch lloyd", season=2)
    table.at(1, p1="5 6", p2="5 1", p3="5 1", p4="0 2")
    for seat in ("p4", "p3", "p2"):
        table.move(seat, "decline")
    table.move("p1", "take", rank="sub")
    assert table.view()["discards"] == ["red-3a"]
    assert table.player("p2")["assists"] == table.player("p3")["assists"] == 1


@rule("TF-9.3")
def test_hibachi_does_not_choose_in_season_one_nor_when_tied() -> None:
    for season, rival in ((1, "0 6"), (2, "5 6")):
        table = Table("hibachi wolf scotch lloyd", season=season)
        table.at(1, p1="5 6", p2=rival, p3="0 1", p4="0 2")
        while table.view()["incident"] == 1:
            assert table.state.phase == "challenge"
            table.go_on()


@rule("TF-9.4")
def test_lloyd_alone_sees_face_down_cards_during_the_first_placement() -> None:
    table = Table(season=2)
    peek = table.view("p4")["me"]["peek"]
    assert peek[4] == {"number": 5, "main": "purple-2", "sub": "white-2"}
    assert table.view("p4")["layout"][4]["main"] == "?"
    assert table.view("p1")["me"]["peek"] is None
    table.move("p4", "place", cards=["0", "1", "2", "3", "4"])
    assert table.view("p4")["me"]["peek"] == peek
    table.place()
    assert table.view("p4")["me"]["peek"] is None
    assert Table(season=1).view("p4")["me"]["peek"] is None
    dead = Table(season=2)
    with dead as state:
        state.players["p4"].dead = state.players["p4"].out = True
    assert dead.view("p4")["me"]["peek"] is None


@rule("TF-9.5")
@pytest.mark.parametrize(("season", "green", "hurt"), [(1, "8", True), (2, "8", False), (2, "1", True)])
def test_from_season_two_dokaben_is_hurt_only_by_three_damage(season: int, green: str, hurt: bool) -> None:
    table = Table("dokaben wolf scotch lloyd", season=season)
    table.at(1, p1="0 0", p2="5 6", p3="0 5", p4="0 4")
    table.rolls(red="1", green=green)
    table.move("p1", "challenge", dice="both")
    table.reach(2)
    assert table.player("p1")["hurt"] is hurt


@rule("TF-9.1", "TF-9.3")
def test_the_npc_has_no_skill() -> None:
    table = Table("scotch wolf lloyd", npc="6 0 1 2 3 5 0 3 4 hero", season=2)
    with table as state:
        state.players["npc"].detective = "hibachi"
    table.at(1, p1="0 0", p2="0 1", p3="0 2")
    table.reach(2)
    assert table.player("npc")["gained"] == ["red-3a"]
    assert not table.player("npc")["skill"]
