"""Layout and investigation. [TF-3, TF-4]"""

from __future__ import annotations

from tests.rules import rule

from .table import Table

LAID = ["0", "1", "2", "3", "hero"]


@rule("TF-3.2", "TF-4.2")
def test_the_fifth_column_lies_face_down_until_the_first_cards_are_shown() -> None:
    for season in (1, 2):
        table = Table("scotch wolf hibachi dokaben", season=season)
        assert table.view("p1")["layout"][4] == {"number": 5, "main": "?", "sub": "?"}
        assert "?" not in str(table.view("p1")["layout"][:4])
        table.place()
        assert table.view()["layout"][4] == {"number": 5, "main": "purple-2", "sub": "white-2"}
        assert table.player("p1")["first"] == ["0", "0", "1", "2", "3"]


@rule("TF-3.3")
def test_in_season_three_the_main_row_lies_face_down() -> None:
    table = Table()
    table.finish_season()
    table.finish_season()
    before = table.state
    assert before.season == 3
    assert [column["main"] for column in table.view()["layout"]] == ["?"] * 5
    assert all(column["sub"] not in ("?", None) for column in table.view()["layout"])
    assert table.view()["discards"] == []
    held = [card for player in before.players.values() for card in player.stand + player.coop]
    assert table.view()["pile_count"] == 30 - len(held) - 10
    table.place()
    assert "?" not in str(table.view()["layout"])


@rule("TF-3.3")
def test_the_discards_of_two_seasons_come_back_in_season_three() -> None:
    table = Table()
    with table as state:
        state.season, state.phase = 2, "style"
        state.pile, state.discards = ["red-6", *state.pile[:4]], ["white-6", *state.pile[4:8]]
        for player in state.players.values():
            player.gained = []
        state.players["p1"].gained = ["green-4"]
    table.move("p1", "set_style", stand=[])
    seen = {column.main for column in table.state.layout} | {column.sub for column in table.state.layout}
    assert {"red-6", "white-6"} <= seen


@rule("TF-4.1")
def test_the_first_placement_is_five_of_the_ten_cards() -> None:
    table = Table()
    assert table.waiting == set(table.seats)
    assert table.refusal("p1", "place", cards=["0", "0", "0", "1", "2"]) == "not_in_hand"
    assert table.refusal("p1", "place", cards=LAID[:4]) == "malformed_move"
    assert table.refusal("p1", "place", cards=[*LAID[:4], "7"]) == "malformed_move"
    table.move("p1", "place", cards=LAID)
    assert table.waiting == {"p2", "p3", "p4"}
    assert table.view("p1")["me"]["first"] == LAID
    assert table.view("p1")["me"]["hand"] == ["0", "3", "4", "5", "6"]


@rule("TF-4.1")
def test_legal_placements_are_the_rotations_of_the_sorted_cards() -> None:
    table = Table()
    assert [move["cards"] for move in table.legal("p1")] == [
        list(cards)
        for cards in (
            "00123",
            "01233",
            "12334",
            "23345",
            "33456",
            ["3", "4", "5", "6", "hero"],
            ["4", "5", "6", "hero", "0"],
            ["5", "6", "hero", "0", "0"],
            ["6", "hero", "0", "0", "1"],
            ["hero", "0", "0", "1", "2"],
        )
    ]
    table.move("p1", "place", cards=LAID)
    assert len(table.legal("p1")) == 10


@rule("TF-4.3")
def test_the_second_placement_is_the_other_five() -> None:
    table = Table()
    table.place(p1=" ".join(LAID))
    assert table.view()["phase"] == "place2"
    assert table.refusal("p1", "place", cards=LAID) == "not_in_hand"
    assert len(table.legal("p1")) == 5
    table.move("p1", "place", cards=["6", "5", "4", "3", "0"])
    assert table.player("p1")["second"] == ["?"] * 5
    assert table.player("p2")["second"] is None
    table.place()
    assert table.player("p1")["second"] == ["6", "?", "?", "?", "?"]


@rule("TF-4.4")
def test_a_placement_is_public_but_not_its_cards() -> None:
    table = Table()
    table.move("p1", "place", cards=LAID)
    assert table.player("p1")["placed"]
    assert not table.player("p2")["placed"]
    assert table.player("p1")["first"] == ["?"] * 5
    assert table.player("p1")["hand_count"] == 5
    assert table.view("p1")["players"] == table.view("p2")["players"] == table.view()["players"]
    assert "hero" not in str([event.data for event in table.events])


@rule("TF-4.5")
def test_a_placement_may_be_changed_until_all_have_placed() -> None:
    table = Table()
    table.move("p1", "place", cards=LAID)
    table.move("p1", "place", cards=["6", "0", "0", "hero", "1"])
    assert table.view("p1")["me"]["first"] == ["6", "0", "0", "hero", "1"]
    assert table.view("p1")["me"]["hand"] == ["2", "3", "3", "4", "5"]
    assert table.events[0].to == ("p1",)
    assert table.waiting == {"p2", "p3", "p4"}
    table.place()
    assert table.refusal("p1", "place", cards=LAID) == "not_in_hand"
