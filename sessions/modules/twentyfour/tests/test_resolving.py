"""Resolution. [TF-6]"""

from __future__ import annotations

from tests.rules import rule

from .table import Table


@rule("TF-6.1")
def test_first_takes_the_main_card_and_second_the_sub_card() -> None:
    table = Table()
    table.at(1, p1="0 0", p2="5 6", p3="0 6", p4="0 5")
    table.rolls(red="1", green="8")
    table.move("p1", "challenge", dice="both")
    table.reach(2)
    assert table.player("p2")["gained"] == ["red-3a"]
    assert table.player("p3")["gained"] == ["blue-2"]
    assert table.view()["layout"][0] == {"number": 1, "main": None, "sub": None}
    assert table.view()["solved"][0]["main_to"] == "p2"


@rule("TF-6.1")
def test_a_challenge_may_make_first_and_damage_does_not_matter() -> None:
    table = Table()
    table.at(1, p1="5 3", p2="5 4", p3="0 1", p4="0 2")
    table.move("p3", "decline")
    table.move("p4", "decline")
    table.rolls(red="2", green="1")
    table.move("p1", "challenge", dice="both")
    assert table.player("p1")["gained"] == ["red-3a"]
    assert table.player("p1")["damage"] == 1


@rule("TF-6.2")
def test_a_lone_hero_stays_first_whatever_is_rolled() -> None:
    table = Table()
    table.at(1, p1="0 hero", p2="5 6", p3="0 6", p4="0 5")
    table.move("p4", "decline")
    table.move("p3", "decline")
    table.rolls(red="8")
    table.move("p2", "challenge", dice="red")
    assert table.player("p1")["gained"] == ["red-3a"]
    assert table.player("p2")["gained"] == ["blue-2"]


@rule("TF-6.3")
def test_of_equal_powers_the_larger_first_card_ranks_higher() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="6 5", p3="0 1", p4="0 2")
    table.reach(2)
    assert table.player("p2")["gained"] == ["red-3a"]
    assert table.player("p1")["gained"] == ["blue-2"]


@rule("TF-6.3")
def test_a_hero_as_first_card_in_a_clash_counts_0() -> None:
    table = Table()
    table.at(1, p1="hero 6", p2="6 0", p3="0 1", p4="1 hero")
    table.reach(2)
    assert table.player("p2")["gained"] == ["red-3a"]
    assert table.player("p1")["gained"] == ["blue-2"]


@rule("TF-6.4")
def test_tied_for_first_gets_an_assist_each_and_the_next_is_second() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="5 6", p3="0 1", p4="0 2")
    table.reach(2)
    assert table.player("p1")["assists"] == table.player("p2")["assists"] == 1
    assert table.player("p4")["gained"] == ["blue-2"]
    assert table.view()["discards"] == ["red-3a"]


@rule("TF-6.4")
def test_tied_for_second_gets_assists_and_lower_ties_get_nothing() -> None:
    table = Table("scotch wolf hibachi lloyd dokaben")
    table.at(1, p1="5 6", p2="3 4", p3="3 4", p4="0 2", p5="0 2")
    table.reach(2)
    assert [table.player(seat)["assists"] for seat in table.seats] == [0, 1, 1, 0, 0]
    assert table.view()["discards"] == ["blue-2"]


@rule("TF-6.4")
def test_the_npc_ties_like_a_player() -> None:
    table = Table("scotch wolf lloyd", npc="5 0 1 2 3 6 0 3 4 hero")
    table.at(1, p1="5 6", p2="0 1", p3="3 4")
    table.reach(2)
    assert table.player("npc")["assists"] == table.player("p1")["assists"] == 1
    assert table.player("p3")["gained"] == ["blue-2"]


def last_one_leaves(detectives: str) -> Table:
    """All but p1 are dead, and p1 is hurt at the first incident of the first season."""
    table = Table(detectives)
    with table as state:
        for seat in table.seats[1:]:
            player = state.players[seat]
            player.hurt = player.dead = player.out = True
            player.hand = []
        state.players["p1"].damage = 2
    table.place()
    table.place()
    return table


@rule("TF-6.5")
def test_without_players_present_the_npc_takes_the_main_cards() -> None:
    table = last_one_leaves("scotch wolf lloyd")
    assert [(each["seat"], each["row"]) for each in table.told("took")] == [("npc", "main")] * 4
    assert table.waiting == {"p1"}
    assert {"blue-3a", "yellow-2", "yellow-3a", "white-2"} <= set(table.view()["discards"])


@rule("TF-6.5")
def test_without_players_and_npc_all_cards_are_discarded() -> None:
    table = last_one_leaves("scotch wolf lloyd hibachi")
    assert {"red-2", "green-3a", "green-2", "purple-2", "white-2"} <= set(table.view()["discards"])
    assert table.view()["season"] == 2


@rule("TF-6.5")
def test_with_all_dead_the_table_runs_on_to_the_end() -> None:
    table = Table("scotch wolf lloyd", season=2)
    with table as state:
        for seat, player in state.players.items():
            player.hurt = seat != "npc"
            player.out = player.dead = seat in ("p2", "p3")
            player.hand = [] if player.out else player.hand
    table.at(1, p1="0 0")
    table.rolls(red="1")
    table.move("p1", "challenge", dice="red")
    assert table.state.phase == "over"
    assert table.waiting == set()
    assert table.outcome["winners"] == ["p1"]
    assert table.outcome["vp"]["p1"] == 9, "3 + 5 for the duty, and an assist for the card given up"
    assert len(table.player("npc")["coop"]) > 5
    assert table.player("p1")["second"] is None
