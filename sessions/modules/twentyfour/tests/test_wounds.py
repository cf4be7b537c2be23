"""Damage. [TF-7]"""

from __future__ import annotations

from collections.abc import Sequence

from tests.rules import rule

from .table import Table


def hurt_at_first(season: int = 1, gained: Sequence[str] = (), *, hurt: bool = False) -> Table:
    """p1, of power 0 and the weakest, rolls a red 1 at the first incident."""
    table = Table(season=season)
    with table as state:
        state.players["p1"].gained, state.players["p1"].hurt = list(gained), hurt
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    table.rolls(red="1")
    table.move("p1", "challenge", dice="red")
    while table.state.phase in ("challenge", "take") and table.view()["incident"] == 1:
        table.go_on()
    return table


@rule("TF-7.1")
def test_one_damage_does_nothing() -> None:
    table = Table()
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    table.rolls(green="1")
    table.move("p1", "challenge", dice="green")
    table.reach(2)
    player = table.player("p1")
    assert player["damage"] == 1
    assert not player["hurt"]
    assert not player["out"]
    assert player["power"] is not None


@rule("TF-7.2")
def test_two_damage_hurts_a_player_badly_even_without_cards_to_lose() -> None:
    player = hurt_at_first().player("p1")
    assert player["hurt"]
    assert player["out"]
    assert not player["dead"]
    assert player["assists"] == 0


@rule("TF-7.2")
def test_a_hurt_players_only_card_becomes_an_assist_by_itself() -> None:
    table = hurt_at_first(gained=["white-4"])
    assert table.player("p1")["gained"] == []
    assert table.player("p1")["assists"] == 1
    assert "white-4" in table.view()["discards"]


@rule("TF-7.2")
def test_a_hurt_player_chooses_a_card_to_lose_even_one_just_gained() -> None:
    table = Table()
    with table as state:
        state.players["p1"].gained = ["white-4"]
    table.at(1, p1="3 3", p2="3 4", p3="0 1", p4="0 2")
    table.move("p3", "decline")
    table.move("p4", "decline")
    table.rolls(green="1", red="1")
    table.move("p1", "challenge", dice="both")
    assert table.state.phase == "discard"
    assert table.waiting == {"p1"}
    assert table.player("p1")["hurt"]
    assert not table.player("p1")["out"]
    assert table.legal("p1") == [
        {"type": "discard", "card": "blue-2"},
        {"type": "discard", "card": "white-4"},
    ]
    assert table.refusal("p1", "discard", card="red-3a") == "not_gained"
    assert table.refusal("p2", "discard", card="red-3a") == "not_asked"
    table.move("p1", "discard", card="blue-2")
    assert table.player("p1")["gained"] == ["white-4"]
    assert table.player("p1")["assists"] == 1
    assert table.player("p1")["out"]


@rule("TF-7.3")
def test_a_badly_hurt_player_hurt_again_dies_and_scores_duty_points() -> None:
    table = hurt_at_first(season=2, hurt=True)
    player = table.player("p1")
    assert player["dead"]
    assert player["out"]
    assert player["duty_vp"] == 3 + 5
    table.finish_season()
    assert table.player("p1")["out"]
    assert table.player("p1")["hand_count"] == 0
    assert table.player("p1")["first"] is None
    assert table.refusal("p1", "place", cards=["0", "1", "2", "3", "4"]) == "out"


@rule("TF-7.3")
def test_a_dying_player_still_gives_up_a_card_first() -> None:
    table = hurt_at_first(season=2, hurt=True, gained=["white-4", "white-2"])
    assert table.player("p1")["dead"]
    assert table.player("p1")["duty_vp"] == 0
    table.move("p1", "discard", card="white-2")
    assert table.player("p1")["duty_vp"] == 8
    assert table.player("p1")["assists"] == 1


@rule("TF-7.4")
def test_a_player_who_is_out_has_no_power_and_shows_no_more_cards() -> None:
    table = hurt_at_first()
    table.reach(3)
    player = table.player("p1")
    assert player["power"] is None
    assert player["second"][0] != "?"
    assert player["second"][1:] == ["?"] * 4
    assert "p1" not in table.view()["judgement"]["order"]
    if table.view()["phase"] == "challenge":
        assert table.refusal("p1", "decline") == "out"


@rule("TF-7.4")
def test_the_hero_of_a_player_who_is_out_does_not_clash() -> None:
    table = Table()
    rows = {"p1": "0 hero 1 2 3", "p2": "5 0 1 2 3", "p3": "6 hero 0 1 2", "p4": "5 0 1 2 3"}
    table.place(**rows)
    table.place(p1="0 3 4 5 6", p2="6 0 3 4 hero", p3="0 3 3 4 5", p4="6 0 3 4 hero")
    assert table.waiting == {"p1"}
    table.rolls(red="1")
    table.move("p1", "challenge", dice="red")
    table.reach(2)
    assert table.view()["judgement"]["hero"] == "p3"
    assert table.view()["judgement"]["clash"] == []


@rule("TF-7.5")
def test_a_player_who_is_out_still_sets_styles() -> None:
    table = hurt_at_first(gained=["white-4", "white-2"])
    table.move("p1", "discard", card="white-2")
    while table.state.phase != "style":
        table.go_on()
    assert "p1" in table.waiting
    table.move("p1", "set_style", stand=["white-4"])
    table.finish_season()
    assert table.player("p1")["stand"] == ["white-4"]


@rule("TF-7.6")
def test_hurt_players_are_handled_one_by_one_by_number() -> None:
    table = Table("wolf scotch hibachi lloyd")
    with table as state:
        for seat in ("p1", "p2"):
            state.players[seat].gained = [
                f"white-{n}" for n in (("2", "4") if seat == "p1" else ("3a", "3b"))
            ]
    table.at(1, p1="0 0", p2="0 1", p3="0 6", p4="5 6")
    table.rolls(red="1 1")
    table.move("p1", "challenge", dice="red")
    table.move("p2", "challenge", dice="red")
    table.move("p3", "decline")
    assert table.waiting == {"p2"}, "Scotch has the smaller number"
    assert table.player("p2")["hurt"]
    assert not table.player("p1")["hurt"]
    table.move("p2", "discard", card="white-3a")
    assert table.player("p2")["out"]
    assert table.waiting == {"p1"}
    assert not table.player("p1")["out"]
    table.move("p1", "discard", card="white-2")
    assert table.view()["incident"] != 1
