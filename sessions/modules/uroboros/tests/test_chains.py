"""Chains 連続判定. [UC-5]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds


def chain(table: Table, seat: str, difficulty: int, **fields: object) -> None:
    table.call(seat, difficulty, chain=True, **fields)


@rule("UC-5.1", "UC-5.2")
def test_a_chain_goes_from_card_to_card_until_one_fails() -> None:
    table = Table({"p1": "h01 h02 s05 h03"}, deck="d01 d02 d03")
    chain(table, "p1", 2)
    task = table.view()["task"]
    assert (task["kind"], task["stage"], task["count"], task["need"]) == ("chain", "play", 0, None)
    assert kinds(table.do("p1", "play", card="h01")) == ["played"]
    assert table.view()["task"]["count"] == 1
    assert len(table.hand("p1")) == 3, "no refill between"
    table.do("p1", "play", card="h02")
    assert [fit["success"] for fit in table.view("p1")["me"]["fits"]] == [False, True]
    events = table.do("p1", "play", card="s05")
    assert kinds(events) == ["played", "decided", "drawn", "received"]
    assert data(events, "drawn")["count"] == 3
    assert table.result() == {
        "kind": "chain",
        "seat": "p1",
        "npc": None,
        "difficulty": 2,
        "card": "h01",
        "success": True,
        "count": 2,
        "damage": None,
        "target": None,
    }


@rule("UC-5.1")
@pytest.mark.parametrize(("difficulty", "missing"), [(3, False), (2, True)])
def test_the_turning_happens_once_when_the_chain_is_announced(difficulty: int, missing: bool) -> None:
    table = Table({"p1": "c05 c06 c07"}, deck="c04 d09")
    chain(table, "p1", difficulty, tool_missing=missing)
    assert table.view()["field"]["card"] == "c04"
    table.do("p1", "play", card="c05")
    table.do("p1", "play", card="c06")
    assert table.view()["field"]["card"] == "c06"
    assert table.view()["task"]["count"] == 2


@rule("UC-5.2")
def test_a_chain_ends_when_no_card_is_left() -> None:
    table = Table({"p1": "h01 h02"}, deck="d01 d02")
    chain(table, "p1", 1)
    table.do("p1", "play", card="h01")
    events = table.do("p1", "play", card="h02")
    assert data(events, "decided")["count"] == 2
    assert len(table.hand("p1")) == 2


@rule("UC-5.2")
def test_a_chain_on_an_empty_hand_ends_at_once_after_the_turning() -> None:
    table = Table({"p1": "h01"}, deck="d09 d02")
    table.change(hands={**table.state.hands, "p1": type(table.state.hands["p1"])()})
    events = table.call("p1", 3, chain=True)
    assert kinds(events) == ["called", "turned", "decided", "drawn", "received"]
    result = data(events, "decided")
    assert (result["success"], result["count"], result["card"]) == (False, 0, None)
    assert table.hand("p1") == ["d02"]
    assert table.view()["phase"] == "idle"


@rule("UC-5.2")
def test_one_may_stop_after_the_first_card_and_give_up_only_before() -> None:
    table = Table({"p1": "h01 h02 h03"})
    chain(table, "p1", 1)
    assert table.refusal("p1", "stop") == "no_card_played"
    assert [move["type"] for move in table.legal("p1")] == ["play"] * 3 + ["give_up", "declare"]
    table.do("p1", "play", card="h01")
    assert table.refusal("p1", "give_up") == "card_played"
    assert [move["type"] for move in table.legal("p1")] == ["play"] * 2 + ["stop", "declare"]
    events = table.do("p1", "stop")
    assert data(events, "stopped") == {"seat": "p1", "npc": None, "count": 1}
    assert (table.result()["success"], table.result()["count"]) == (True, 1)


@rule("UC-5.2", "UC-4.7")
def test_a_chain_given_up_fails_and_leaves_the_field() -> None:
    table = Table({"p1": "h01"})
    chain(table, "p1", 1)
    table.do("p1", "give_up")
    assert (table.result()["success"], table.result()["count"], table.result()["card"]) == (False, 0, None)
    assert table.view()["field"]["card"] == "h07"


@rule("UC-5.2")
def test_a_chain_whose_first_card_fails_is_none() -> None:
    table = Table({"p1": "s01 h02"})
    chain(table, "p1", 2)
    table.do("p1", "play", card="s01")
    assert (table.result()["success"], table.result()["count"], table.result()["card"]) == (False, 0, "s01")


@rule("UC-5.2", "UC-4.6")
def test_no_card_is_drawn_from_the_deck_in_a_chain() -> None:
    table = Table({"p1": "h01"}, deck="h02")
    chain(table, "p1", 1)
    assert table.view()["task"]["allow_draw"] is False
    assert table.refusal("p1", "draw") == "no_draw"
    table.do("gm", "cancel")
    table.call("p1", 1)
    assert table.refusal("p1", "stop") == "not_now"


@rule("UC-5.3")
def test_skill_and_favoured_suit_apply_to_each_card_of_the_chain() -> None:
    table = Table({"p1": "d01 s05 h02"}, characters={"p1": {"suits": ["d"]}})
    chain(table, "p1", 2, skill=True)
    table.do("p1", "play", card="d01")
    assert [fit["success"] for fit in table.view("p1")["me"]["fits"]] == [True, True]
    assert table.view("p1")["me"]["fits"][0]["why"] == "UC-4.3"
    table.do("p1", "play", card="h02")
    assert table.view("p1")["me"]["fits"] == [{"card": "s05", "success": False, "why": "UC-4.2"}]


@rule("UC-5.3", "UC-4.4")
def test_a_jokers_named_suit_is_the_next_target() -> None:
    table = Table({"p1": "x01 c09 s02"})
    chain(table, "p1", 2)
    table.do("p1", "play", card="x01", suit="c")
    assert [fit["success"] for fit in table.view("p1")["me"]["fits"]] == [True, False]
    table.do("p1", "play", card="c09")
    assert table.view()["task"]["count"] == 2


@rule("UC-4.1")
def test_a_card_meant_for_one_field_card_is_not_played_on_the_next() -> None:
    """The chain asks for a card again and again, each time against another field card."""
    table = Table({"p1": "h01 h02"}, deck="d01")
    chain(table, "p1", 2)
    first = table.asked("p1")
    table.do("p1", "play", card="h01")
    assert table.asked("p1") != first
