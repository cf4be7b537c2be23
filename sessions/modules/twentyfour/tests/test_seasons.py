"""The end of a season, and of the game. [TF-8]"""

from __future__ import annotations

from tests.rules import rule

from .table import Table


def before_style(season: int = 1, detectives: str = "dokaben wolf hibachi lloyd", **gained: str) -> Table:
    """The last incident is over but for p1's decision; each player's gains are given."""
    table = Table(detectives, season=season)
    with table as state:
        for seat, cards in gained.items():
            state.players[seat].gained = cards.split()
    return table


def end_incidents(table: Table) -> None:
    """Play on without gains: all tie at every incident."""
    table.place(**dict.fromkeys(sorted(table.waiting), "0 1 2 3 hero"))
    table.place(**dict.fromkeys(sorted(table.waiting), "6 5 4 3 0"))
    while table.view()["incident"]:
        table.go_on()


@rule("TF-8.1")
def test_in_season_one_every_mastermind_escapes() -> None:
    table = before_style(p1="red-6 blue-2")
    with table as state:
        state.players["p1"].stand = ["red-2"]
    end_incidents(table)
    assert table.player("p1")["gained"] == ["blue-2"]
    assert table.player("p1")["assists"] == 1 + 5
    assert "red-6" in table.view()["discards"]


@rule("TF-8.1")
def test_after_season_one_a_stand_of_its_suit_keeps_a_mastermind() -> None:
    table = before_style(season=2, p1="red-6 blue-6 blue-2", p2="green-6 green-2")
    with table as state:
        state.players["p1"].stand = ["red-2"]
        state.players["p2"].coop = ["green-4"]
    end_incidents(table)
    assert table.player("p1")["gained"] == ["blue-2", "red-6"]
    assert table.player("p1")["assists"] == 1 + 5
    assert table.player("p2")["gained"] == ["green-2"]
    assert "red-6" not in table.view()["discards"]


@rule("TF-8.1", "TF-8.2")
def test_the_npc_loses_masterminds_and_sets_everything_to_coop() -> None:
    table = before_style(detectives="scotch wolf lloyd", npc="red-6 red-4", p1="blue-2")
    table.at(1)
    while table.state.phase != "style":
        table.go_on()
    assert table.player("npc")["assists"] >= 1
    table.finish_season()
    assert "red-4" in table.player("npc")["coop"]
    assert table.player("npc")["stand"] == []


@rule("TF-8.2")
def test_styles_are_secret_until_all_have_set() -> None:
    table = before_style(p1="red-2 red-4 blue-2", p2="green-2")
    end_incidents(table)
    assert table.waiting == {"p1", "p2"}
    assert table.refusal("p3", "set_style", stand=[]) == "nothing_gained"
    assert table.refusal("p1", "set_style", stand=["red-2", "red-2"]) == "card_twice"
    assert table.refusal("p1", "set_style", stand=["green-2"]) == "not_gained"
    table.move("p1", "set_style", stand=["red-4"])
    assert table.view("p1")["me"]["style"] == ["red-4"]
    assert table.view("p2")["players"]["p1"]["stand"] == []
    assert "red-4" not in str(table.events)
    table.move("p1", "set_style", stand=["red-4", "blue-2"])
    assert table.waiting == {"p2"}
    table.move("p2", "set_style", stand=[])
    assert table.player("p1")["stand"] == ["blue-2", "red-4"]
    assert table.player("p1")["coop"] == ["red-2"]
    assert table.player("p2")["coop"] == ["green-2"]
    assert table.player("p1")["gained"] == []
    assert table.view("p1")["me"]["style"] is None


@rule("TF-8.2")
def test_every_way_to_set_styles_is_legal_and_previewed() -> None:
    table = before_style(p1="red-2 red-4 blue-2")
    end_incidents(table)
    assert [move["stand"] for move in table.legal("p1")][:4] == [[], ["blue-2"], ["red-2"], ["red-4"]]
    assert len(table.legal("p1")) == 8
    previews = {tuple(way["stand"]): way for way in table.view("p1")["me"]["previews"]}
    # 8 for the cards and 5 assists; all in Coop: 3 more for each of three events and five assists.
    assert previews[()] == {"stand": [], "vp": 8 + 5 + 8, "sets": 8}
    assert previews[("blue-2", "red-2", "red-4")]["vp"] == 8 + 5


@rule("TF-8.2")
def test_a_season_without_gained_cards_ends_at_once() -> None:
    table = before_style()
    end_incidents(table)
    assert (table.state.season, table.state.phase) == (2, "place1")


@rule("TF-8.3")
def test_a_new_season_clears_damage_but_not_being_hurt_or_dead() -> None:
    table = before_style(p1="red-2")
    with table as state:
        state.players["p2"].damage = 1
        state.players["p3"].hurt, state.players["p3"].damage, state.players["p3"].out = True, 2, True
        state.players["p4"].dead = state.players["p4"].out = True
    end_incidents(table)
    table.finish_season()
    assert table.player("p2")["damage"] == table.player("p3")["damage"] == 0
    assert table.player("p3")["hurt"]
    assert not table.player("p3")["out"]
    assert table.player("p4")["out"]
    assert table.waiting == {"p1", "p2", "p3"}


@rule("TF-8.4")
def test_the_game_ends_after_the_third_season() -> None:
    table = Table()
    table.finish()
    assert table.state.season == 3
    assert table.view()["phase"] == "over"
    assert table.outcome["reason"] == "vp"
    assert all(player["damage"] == 0 for player in table.view()["players"].values())
    assert table.player("p1")["vp"] == table.outcome["vp"]["p1"]
