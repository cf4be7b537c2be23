"""Judgement. [TF-5]"""

from __future__ import annotations

import pytest

from tests.rules import rule

from .table import Table


@rule("TF-5.1")
def test_power_is_the_sum_of_both_cards() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="0 1", p3="3 4", p4="2 6")
    assert {seat: table.player(seat)["power"] for seat in table.seats} == {
        "p1": 11,
        "p2": 1,
        "p3": 7,
        "p4": 8,
    }
    assert table.player("p1")["second"] == ["6", "?", "?", "?", "?"]


@rule("TF-5.2", "TF-6.2")
def test_a_lone_hero_is_first_with_a_number_of_0() -> None:
    table = Table()
    table.at(1, p1="1 hero", p2="5 6", p3="3 4", p4="2 6")
    assert table.player("p1")["power"] == 1
    assert table.view()["judgement"]["highest"] == ["p1"]
    table.reach(2)
    assert table.player("p1")["gained"] == ["red-3a"]
    assert table.player("p2")["gained"] == ["blue-2"]


@rule("TF-5.2")
def test_heroes_that_clash_count_nothing() -> None:
    table = Table()
    table.at(1, p1="1 hero", p2="5 6", p3="3 hero", p4="2 6")
    assert table.view()["judgement"]["clash"] == ["p1", "p3"]
    assert table.player("p3")["power"] == 3
    assert table.view()["judgement"]["highest"] == ["p2"]


@rule("TF-5.2")
def test_the_npcs_hero_clashes_too_and_counts_alone() -> None:
    table = Table("scotch wolf lloyd", npc="hero 0 1 2 3 0 3 4 5 6")
    table.at(1, p1="5 hero", p2="5 6", p3="3 4")
    assert table.view()["judgement"]["clash"] == ["p1", "npc"]
    alone = Table("scotch wolf lloyd", npc="hero 0 1 2 3 0 3 4 5 6")
    alone.at(1, p1="5 4", p2="5 6", p3="3 4")
    assert alone.view()["judgement"]["highest"] == ["npc"]
    assert alone.view()["judgement"]["order"] == ["p3", "p1", "p2"]


@rule("TF-5.3")
def test_the_weakest_decides_first_and_the_smaller_number_breaks_ties() -> None:
    table = Table("lloyd wolf hibachi scotch dokaben")
    table.at(1, p1="2 1", p2="5 6", p3="0 0", p4="3 0", p5="4 5")
    assert table.view()["judgement"]["order"] == ["p3", "p4", "p1", "p5"], "3 power: number 1 before number 4"
    assert table.waiting == {"p3"}
    assert table.view()["deciding"] == "p3"
    assert table.refusal("p4", "decline") == "not_asked"
    table.rolls(red="8")
    table.move("p3", "challenge", dice="red")
    assert table.view()["deciding"] == "p4"
    assert table.refusal("p3", "decline") == "has_decided"


@rule("TF-5.3")
def test_the_order_does_not_change_by_a_challenge() -> None:
    table = Table()
    table.at(1, p1="0 0", p2="0 1", p3="0 2", p4="5 6")
    table.rolls(red="8")
    table.move("p1", "challenge", dice="red")
    assert table.player("p1")["power"] == 3
    assert table.view()["judgement"]["order"] == ["p2", "p3"]


@rule("TF-5.4")
def test_a_player_with_the_highest_power_may_not_challenge() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="6 5", p3="0 1", p4="0 2")
    assert table.view()["judgement"]["order"] == ["p3", "p4"]
    assert table.refusal("p1", "challenge", dice="green") == "highest"
    assert table.legal("p1") == []
    hero = Table()
    hero.at(1, p1="0 hero", p2="6 5", p3="0 1", p4="0 2")
    assert hero.view()["judgement"]["order"] == ["p3", "p4", "p2"], "under a lone hero all others may"


@rule("TF-5.4")
def test_an_incident_without_a_challenger_resolves_at_once() -> None:
    table = Table()
    table.at(1, p1="0 1", p2="1 0", p3="0 1", p4="1 0")
    assert table.told("untaken")[0]["tied"] == ["p2", "p4"]
    assert table.told("declined") == table.told("challenged") == []


@rule("TF-5.4")
def test_a_lone_player_has_the_highest_power() -> None:
    table = Table()
    with table as state:
        for seat in ("p2", "p3", "p4"):
            state.players[seat].out = state.players[seat].dead = True
            state.players[seat].hand = []
    table.place()
    table.place()
    assert table.state.phase == "style"
    assert len(table.player("p1")["gained"]) == 5


@rule("TF-5.5")
def test_the_npc_never_challenges() -> None:
    table = Table("scotch wolf lloyd", npc="0 1 2 3 3 0 4 5 6 hero")
    table.at(1, p1="5 4", p2="5 6", p3="3 4")
    assert table.view()["judgement"]["order"] == ["p3", "p1"]
    assert table.player("npc")["power"] == 0


@rule("TF-5.6", "TF-5.7")
@pytest.mark.parametrize(
    ("dice", "green", "red", "bonus", "damage"),
    [
        ("green", "3", "", 0, 1),
        ("green", "4", "", 1, 0),
        ("green", "8", "", 2, 0),
        ("red", "", "3", 0, 2),
        ("red", "", "4", 2, 0),
        ("red", "", "8", 3, 0),
        ("both", "8", "8", 5, 0),
        ("both", "4", "3", 1, 2),
        ("both", "1", "7", 2, 1),
    ],
)
def test_challenge_dice_add_power_and_cause_damage(
    dice: str, green: str, red: str, bonus: int, damage: int
) -> None:
    table = Table("scotch wolf hibachi lloyd dokaben")
    table.at(3, p1="0 0", p2="5 6", p3="0 6", p4="0 5", p5="0 4")
    table.rolls(green=green, red=red)
    table.move("p1", "challenge", dice=dice)
    assert table.player("p1")["power"] == bonus
    assert table.player("p1")["damage"] == damage


@rule("TF-5.8")
def test_a_challenge_with_both_dice_may_cost_three_damage() -> None:
    table = Table()
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    table.rolls(green="1", red="1")
    table.move("p1", "challenge", dice="both")
    assert table.player("p1")["damage"] == 3
    assert table.player("p1")["power"] == 0


@rule("TF-5.9")
def test_each_fitting_card_in_stand_prevents_one_damage_of_this_challenge() -> None:
    table = Table()
    with table as state:
        state.players["p1"].stand = ["red-2", "red-4", "white-2"]
        state.players["p1"].damage = 1
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    assert table.view()["judgement"]["guard"] == 2
    table.rolls(red="1")
    table.move("p1", "challenge", dice="red")
    assert table.view()["rolled"]["prevented"] == 2
    assert table.player("p1")["damage"] == 1, "nothing more, and earlier damage is not healed"
    assert table.player("p1")["power"] == 0, "the failure stays a failure"


@rule("TF-5.9")
def test_a_card_prevents_1_also_when_both_events_have_its_suit() -> None:
    table = Table(events="red-3a red-2 blue-2 blue-3a")
    with table as state:
        state.players["p1"].stand = ["red-4"]
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    table.rolls(red="1")
    table.move("p1", "challenge", dice="red")
    assert table.player("p1")["damage"] == 1


@rule("TF-5.10")
def test_damage_adds_up_over_a_season() -> None:
    table = Table("dokaben wolf hibachi lloyd")
    rows = {"p1": "0 0 1 2 3", "p2": "5 6 4 3 hero"}
    table.place(**rows)
    table.place()
    for number in (1, 2):
        while table.view()["deciding"] != "p1":
            table.go_on()
        table.rolls(green="1")
        table.move("p1", "challenge", dice="green")
        assert table.player("p1")["damage"] == number
