"""Adjusting hands, the deck running out, and what is done by the GM's word. [UC-4.8, 4.9, 10.6]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds
from .test_checks import npc


@rule("UC-4.8")
def test_a_hand_below_hp_is_filled_up_and_only_its_owner_learns_the_cards() -> None:
    table = Table({"p1": "h01 h02", "p2": "s01"}, deck="d01")
    table.call("p1", 1)
    events = table.do("p1", "play", card="h01")
    assert data(events, "drawn") == {"seat": "p1", "count": 1}
    assert data(events, "received") == {"seat": "p1", "cards": ["d01"]}
    assert [event.to for event in events if event.kind == "received"] == [("p1",)]
    assert not any("d01" in str(event.data) for event in events if event.to is None)


@rule("UC-4.8")
def test_a_surplus_is_discarded_exactly_and_in_the_order_chosen() -> None:
    table = Table({"p1": "h01 h02 h03 h04", "p2": "s01"})
    events = table.do("gm", "set_hp", who="p1", hp=2)
    assert data(events, "hp_changed") == {"who": "p1", "hp": 2, "was": 4}
    view = table.view("p2")
    assert view["task"] == {
        "number": 1,
        "kind": "adjust",
        "seat": "p1",
        "npc": None,
        "target": None,
        "asked": "p1",
        "difficulty": None,
        "level": None,
        "label": "",
        "stage": "discard",
        "count": None,
        "need": 2,
        "allow_draw": False,
        "under": None,
        "chain": False,
        "raise_to": None,
        "text": "",
        "deed": "",
        "skill": None,
        "q": None,
    }
    assert (view["phase"], view["waiting_for"]) == ("task", ["p1"])
    assert table.refusal("p1", "discard", cards=["h01"]) == "wrong_count"
    assert table.refusal("p1", "discard", cards=["h01", "h02", "h03"]) == "wrong_count"
    assert table.refusal("p1", "discard", cards=["h01", "h01"]) == "card_twice"
    assert table.refusal("p1", "discard", cards=["h01", "s01"]) == "not_in_hand"
    assert table.refusal("p1", "discard", cards=[]) == "malformed_move"
    assert table.refusal("p1", "play", card="h01") == "not_now"
    assert table.refusal("p2", "discard", cards=["s01"]) == "not_asked"
    events = table.do("p1", "discard", cards=["h04", "h01"])
    assert data(events, "discarded") == {"seat": "p1", "cards": ["h04", "h01"]}
    assert table.state.pile == ["h07", "h04", "h01"]
    assert table.view("p1")["me"]["hand"] == ["h02", "h03"]


@rule("UC-4.8")
def test_with_hp_0_the_whole_hand_goes_and_debts_end() -> None:
    table = Table({"p1": "h01 h02"})
    state = table.state
    state.hands["p1"].owes, state.hands["p1"].extra = True, 1
    table.change(hands=state.hands)
    table.do("gm", "set_hp", who="p1", hp=-1)
    shown = table.view()["characters"]["p1"]
    assert (shown["extra"], shown["owes"], shown["limit"]) == (0, False, 0)
    assert table.view()["task"]["need"] == 2
    table.do("p1", "discard", cards=["h02", "h01"])
    assert table.hand("p1") == []


@rule("UC-4.8")
def test_the_acting_side_adjusts_before_those_whose_hp_was_set_in_that_order() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "s01 s02", "p3": "c01 c02"}, deck="d01 d02 d03")
    table.call("p1", 1)
    table.do("gm", "set_hp", who="p3", hp=1)
    table.do("gm", "set_hp", who="p2", hp=1)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("gm", "set_hp", who="p3", hp=1)
    assert table.view()["task"]["kind"] == "check"
    table.do("p1", "play", card="h01")
    for seat, cards in (("p1", ["h02"]), ("p3", ["c01"]), ("p2", ["s01"])):
        assert table.view()["waiting_for"] == [seat]
        table.do(seat, "discard", cards=cards)
    assert table.view()["phase"] == "idle"


@rule("UC-4.8")
def test_each_seat_refills_its_hand_before_the_next_seat() -> None:
    table = Table(
        {"p1": "h01 h02", "p2": "s01 s02"}, deck="d01 d02", characters={"p2": {"hp_max": 3, "hp": 2}}
    )
    table.call("p1", 1)
    table.do("gm", "set_hp", who="p2", hp=3)
    assert len(table.hand("p2")) == 2
    table.do("p1", "play", card="h01")
    assert table.hand("p1") == ["h02", "d01"]
    assert table.hand("p2") == ["s01", "s02", "d02"]


@rule("UC-4.9")
def test_an_empty_deck_is_reshuffled_from_the_pile_without_the_field_card() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "s01"}, characters={"p1": {"hp_max": 4, "hp": 3}})
    table.change(deck=["d01"], pile=["c01", "c02", "c03", "h07"])
    table.next_shuffle("c03 c01 c02")
    table.call("p1", 1)
    table.do("gm", "set_hp", who="p1", hp=4)
    events = table.do("p1", "play", card="h01")
    assert kinds(events) == ["played", "decided", "reshuffled", "drawn", "received"]
    assert table.hand("p1") == ["h02", "h03", "d01", "c03"]
    view = table.view()
    assert (view["field"]["card"], view["pile_count"], view["deck_count"]) == ("h01", 1, 3)


@rule("UC-4.9")
def test_a_draw_is_left_out_when_there_is_no_card_anywhere() -> None:
    table = Table({"p1": "h01", "p2": "s01"}, characters={"p2": {"hp_max": 5, "hp": 1}})
    table.change(deck=[], pile=["h07"])
    assert kinds(table.do("gm", "set_hp", who="p2", hp=5)) == ["hp_changed"]
    assert kinds(table.do("gm", "flip")) == []
    assert kinds(table.do("gm", "deal", seat="p1", count=2)) == ["dealt"]
    assert table.hand("p2") == ["s01"]


@rule("UC-4.9")
def test_a_joker_in_the_pile_comes_back_without_its_suit() -> None:
    table = Table({"p1": "x01 h01"})
    table.call("p1", 1)
    table.do("p1", "play", card="x01", suit="s")
    table.change(deck=[])
    table.do("gm", "flip")
    assert table.view()["field"] == {"card": "h07", "suit": None}
    table.change(deck=["x01"], pile=["h07"])
    table.do("gm", "flip")
    assert table.view()["field"] == {"card": "x01", "suit": None}


@rule("UC-10.6")
def test_hp_by_the_gms_word_has_its_range() -> None:
    table = Table({"p1": "h01 h02"})
    assert table.refusal("gm", "set_hp", who="p1", hp=3) == "above_hp_max"
    assert table.refusal("gm", "set_hp", who="p1", hp=-100) == "malformed_move"
    assert table.refusal("gm", "set_hp", who="p2", hp=1) == "unknown_seat"
    assert table.refusal("gm", "set_hp", who="n1", hp=1) == "unknown_npc"
    assert table.refusal("gm", "set_hp", who="gm", hp=1) == "malformed_move"
    assert table.refusal("p1", "set_hp", who="p1", hp=2) == "gm_only"
    table.do("gm", "set_hp", who="p1", hp=-99)


@rule("UC-10.6")
def test_the_same_hp_again_only_adjusts() -> None:
    table = Table({"p1": "h01"}, deck="d01 d02")
    table.do("gm", "deal", seat="p1", count=1)
    assert kinds(table.do("gm", "set_hp", who="p1", hp=1)) == []
    assert table.view()["task"]["need"] == 1


@rule("UC-10.6")
def test_healing_draws_at_once_and_a_smaller_need_may_vanish() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "s01 s02"}, deck="d01 d02")
    table.do("gm", "set_hp", who="p1", hp=1)
    assert table.view()["task"]["need"] == 2
    table.do("gm", "set_hp", who="p1", hp=2)
    assert table.view()["task"]["need"] == 1
    table.do("gm", "set_hp", who="p1", hp=3)
    assert table.view()["phase"] == "idle"
    assert len(table.hand("p1")) == 3


@rule("UC-10.6")
def test_hp_set_while_another_adjusts_joins_the_adjusting() -> None:
    table = Table({"p1": "h01 h02", "p2": "s01 s02"}, deck="d01 d02")
    table.do("gm", "set_hp", who="p1", hp=1)
    number = table.view()["task"]["number"]
    table.do("gm", "set_hp", who="p2", hp=1)
    assert table.view()["waiting_for"] == ["p1"]
    table.do("p1", "discard", cards=["h01"])
    assert table.view()["waiting_for"] == ["p2"]
    assert table.view()["task"]["number"] == number
    table.do("p2", "discard", cards=["s01"])
    assert table.view()["phase"] == "idle"


@rule("UC-10.6")
def test_an_npcs_hp_does_not_touch_the_gms_hand_and_a_hidden_one_stays_hidden() -> None:
    table = Table({"p1": "h01"})
    table.change(npcs=[npc(hp=3, hp_max=3), npc(id="n2", hp=3, hp_max=3, hidden=True)])
    assert [event.to for event in table.do("gm", "set_hp", who="n1", hp=1)] == [None]
    assert [event.to for event in table.do("gm", "set_hp", who="n2", hp=1)] == [("gm",)]
    assert [shown["hp"] for shown in table.view("p1")["npcs"]] == [1, None]
    assert [shown["hp"] for shown in table.view("gm")["npcs"]] == [1, 1]
    assert table.view("p1")["npcs"][0]["gear"] is None
    assert len(table.hand("gm")) == 2


@rule("UC-4.8")
def test_extra_cards_are_kept_until_the_next_adjusting() -> None:
    table = Table({"p1": "h01", "p2": "s01"}, deck="d01 d02 d03")
    events = table.do("gm", "deal", seat="p1", count=2)
    assert kinds(events) == ["dealt", "drawn", "received"]
    assert table.view()["phase"] == "idle"
    assert table.hand("p1") == ["h01", "d01", "d02"]
    table.call("p2", 1)
    table.do("p2", "give_up")
    assert table.view()["phase"] == "idle"
    table.call("p1", 1)
    table.do("p1", "play", card="d01")
    assert table.view()["task"]["need"] == 1
    table.do("p1", "discard", cards=["h01"])
    assert table.hand("p1") == ["d02"]


@rule("UC-4.8")
def test_cards_may_be_dealt_during_a_task_and_to_the_gm() -> None:
    table = Table({"p1": "h01"}, deck="d01 d02 d03")
    table.call("p1", 1)
    table.do("gm", "deal", seat="p1", count=1)
    assert table.view("p1")["me"]["hand"] == ["h01", "d01"]
    table.do("gm", "deal", seat="gm", count=2)
    assert table.view()["gm_hand_count"] == 4
    assert table.refusal("gm", "deal", seat="p1", count=11) == "malformed_move"
    assert table.refusal("gm", "deal", seat="p1", count=0) == "malformed_move"
    assert table.refusal("gm", "deal", seat="p2", count=1) == "unknown_seat"


@rule("UC-4.8")
@pytest.mark.parametrize("stage", ["play", "name"])
def test_a_cancelled_check_makes_no_result_and_the_asked_player_adjusts(stage: str) -> None:
    table = Table({"p1": "h01", "p2": "s01 s02"}, deck="x01 d01 d02")
    table.do("gm", "set_hp", who="p2", hp=2)
    table.call("p1", 1)
    if stage == "name":
        table.do("p1", "draw")
    table.do("gm", "set_hp", who="p2", hp=1)
    table.do("gm", "deal", seat="p1", count=1)
    events = table.do("gm", "cancel")
    assert data(events, "cancelled") == {"number": 1, "kind": "check"}
    view = table.view()
    assert view["results"] == []
    assert view["field"] == (
        {"card": "x01", "suit": None} if stage == "name" else {"card": "h07", "suit": None}
    )
    assert view["waiting_for"] == ["p1"]
    table.do("p1", "discard", cards=["h01"])
    assert table.view()["waiting_for"] == ["p2"]


@rule("UC-4.8")
def test_cancelling_the_adjusting_leaves_the_surplus_until_the_next() -> None:
    table = Table({"p1": "h01 h02", "p2": "s01 s02"})
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("gm", "set_hp", who="p2", hp=1)
    events = table.do("gm", "cancel")
    assert data(events, "cancelled")["kind"] == "adjust"
    assert table.view()["phase"] == "idle"
    assert table.view()["characters"]["p1"]["hand_count"] == 2
    assert table.refusal("gm", "cancel") == "no_task"
    table.call("p2", 1)
    table.do("p2", "give_up")
    assert table.view()["waiting_for"] == ["p2"]


@rule("UC-4.2")
def test_the_gm_may_turn_a_new_field_card() -> None:
    table = Table({"p1": "h01"}, deck="d09")
    assert kinds(table.do("gm", "flip")) == ["turned"]
    assert table.view()["field"]["card"] == "d09"


@rule("UC-4.1")
def test_the_gm_may_end_the_table_during_a_task() -> None:
    table = Table({"p1": "h01"})
    table.call("p1", 1)
    assert table.refusal("p1", "end") == "gm_only"
    assert kinds(table.do("gm", "end")) == ["ended"]
    view = table.view("p1")
    assert (view["phase"], view["task"], view["waiting_for"], view["turn"]) == ("over", None, [], None)
    assert view["me"] == {"hand": ["h01"], "fits": [], "can": []}
    assert table.asked("gm") is None
    assert table.refusal("p1", "play", card="h01") == "game_over"


@rule("UC-4.1")
def test_a_seats_question_changes_only_with_the_field_and_the_task() -> None:
    table = Table({"p1": "h01 h02", "p2": "s01"})
    idle = table.asked("gm")
    assert (table.asked("p1"), table.asked("p2")) == (None, None)
    table.do("p2", "declare", text="hm")
    assert table.asked("gm") == idle
    table.call("p1", 1)
    first, running = table.asked("p1"), table.asked("gm")
    assert running != idle
    table.do("p1", "declare", text="here")
    table.do("gm", "set_hp", who="p2", hp=0)
    assert (table.asked("p1"), table.asked("gm"), table.asked("p2")) == (first, running, None)
    table.do("gm", "cancel")
    table.do("p2", "discard", cards=["s01"])
    assert table.asked("gm") not in (idle, running)
    table.call("p1", 1)
    assert table.asked("p1") != first
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "give_up")
    discarding = table.asked("p1")
    table.do("gm", "set_hp", who="p1", hp=0)
    assert table.asked("p1") != discarding
