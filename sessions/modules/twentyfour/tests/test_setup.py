"""The box, and the roles. [TF-1, TF-2]"""

from __future__ import annotations

from collections import Counter

from sessions.engine.step import start
from sessions.modules.twentyfour import module, state
from tests.rules import rule

from .table import FixedFate, Table


def choosing(players: int) -> Table:
    table = Table(" ".join(state.DETECTIVES[:players]))
    table.fate = FixedFate({}, {})
    table.snapshot = start(module, module.seat_list(players), {}, table.fate)
    return table


@rule("TF-1.1")
def test_thirty_events_of_six_suits() -> None:
    assert len(set(state.EVENTS)) == 30
    assert Counter(map(state.suit, state.EVENTS)) == dict.fromkeys(state.SUITS, 5)
    assert sorted(state.value(card) for card in state.EVENTS if state.suit(card) == "red") == [2, 3, 3, 4, 6]
    assert [card for card in state.EVENTS if state.is_mastermind(card)] == [f"{s}-6" for s in state.SUITS]


@rule("TF-1.2")
def test_registration_numbers_are_in_the_order_of_the_source() -> None:
    assert [state.registration(one) for one in ("scotch", "wolf", "hibachi", "lloyd", "dokaben")] == [
        1,
        2,
        3,
        4,
        5,
    ]


@rule("TF-1.3", "TF-2.4")
def test_ten_action_cards_hold_a_day_and_come_back_each_season() -> None:
    table = Table()
    hand = table.view("p1")["me"]["hand"]
    assert hand == ["0", "0", "1", "2", "3", "3", "4", "5", "6", "hero"]
    assert sum(int(card) for card in hand if card != "hero") == 24
    table.finish_season()
    assert table.view("p1")["me"]["hand"] == hand


@rule("TF-1.4")
def test_assists_never_run_out() -> None:
    table = Table()
    with table as state:
        for player in state.players.values():
            player.assists = 5
    table.at(1, p1="5 6", p2="5 6", p3="0 1", p4="2 0")
    table.move("p3", "decline")
    table.move("p4", "decline")
    assert table.player("p1")["assists"] == 6


@rule("TF-1.5", "TF-5.6")
def test_dice_are_green_and_red_with_eight_sides() -> None:
    table = Table()
    table.at(1, p1="5 6", p2="1 0", p3="2 0", p4="3 0")
    table.rolls(green="2", red="8")
    table.move("p2", "challenge", dice="both")
    assert table.view()["dice"] == {"seat": "p2", "green": 2, "red": 8}
    assert table.refusal("p3", "challenge", dice="blue") == "malformed_move"


@rule("TF-2.1")
def test_players_choose_in_seat_order_until_all_have() -> None:
    table = choosing(5)
    view = table.view()
    assert view["layout"] == [{"number": n, "main": None, "sub": None} for n in range(1, 6)]
    assert view["pile_count"] == 30
    assert view["phase"] == "detectives"
    assert table.waiting == {"p1"}
    assert table.refusal("p2", "choose_detective", detective="wolf") == "not_asked"
    table.move("p1", "choose_detective", detective="lloyd")
    assert table.view()["chosen"] == {"p1": "lloyd"}
    player = table.player("p1")
    assert (player["detective"], player["number"], player["hand_count"]) == (None, None, 0)
    assert table.refusal("p2", "choose_detective", detective="lloyd") == "detective_taken"
    for seat, detective in zip(("p2", "p3", "p4"), ("wolf", "scotch", "dokaben"), strict=True):
        table.move(seat, "choose_detective", detective=detective)
    assert table.legal("p5") == [{"type": "choose_detective", "detective": "hibachi"}]
    table.move("p5", "choose_detective", detective="hibachi")
    player = table.player("p1")
    assert (player["detective"], player["number"], player["hand_count"]) == ("lloyd", 4, 10)
    assert table.refusal("p1", "choose_detective", detective="wolf") == "not_now"


@rule("TF-2.1")
def test_detectives_may_be_left_to_chance() -> None:
    table = Table("dokaben lloyd wolf scotch")
    assert [table.player(seat)["detective"] for seat in table.seats] == ["dokaben", "lloyd", "wolf", "scotch"]
    assert table.view()["phase"] == "place1"


@rule("TF-2.2")
def test_three_players_get_an_npc_that_lays_its_cards_by_itself() -> None:
    table = choosing(3)
    assert "npc" not in table.view()["players"]
    table.fate.orders = {
        "npc_detective": ["lloyd"],
        "npc_actions": ["6", "5", "hero", "3", "3"],
    }
    for seat, detective in zip(table.seats, ("wolf", "scotch", "dokaben"), strict=True):
        table.move(seat, "choose_detective", detective=detective)
    npc = table.player("npc")
    assert npc["detective"] == "lloyd"
    assert npc["first"] == ["?"] * 5
    assert npc["second"] is None
    assert npc["placed"]
    assert npc["hand_count"] == 5
    table.place()
    assert table.player("npc")["first"] == ["6", "5", "hero", "3", "3"]
    assert table.player("npc")["second"] == ["?"] * 5
    assert "npc" not in Table("wolf scotch lloyd hibachi").view()["players"]


@rule("TF-2.3", "TF-3.1")
def test_events_are_shuffled_and_dealt_column_by_column() -> None:
    table = Table(events="red-2 red-4 blue-2 blue-4 green-2 green-4 white-2 white-4 purple-2 purple-4")
    view = table.view()
    assert view["layout"][0] == {"number": 1, "main": "red-2", "sub": "red-4"}
    assert view["layout"][3] == {"number": 4, "main": "white-2", "sub": "white-4"}
    assert view["pile_count"] == 20


@rule("TF-2.2")
def test_the_npc_is_the_only_figure_with_a_name_of_its_own() -> None:
    three, four = Table("scotch wolf hibachi"), Table("scotch wolf hibachi lloyd")
    assert module.telling.names(module.view(three.state, None)) == {"npc": "NPC"}
    assert module.telling.names(module.view(four.state, None)) == {}
