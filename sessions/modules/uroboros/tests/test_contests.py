"""Contests 対抗判定 and the raise. [UC-6]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds, party


@rule("UC-6.1")
def test_the_passive_side_checks_against_the_changed_field_and_wins_by_success() -> None:
    table = Table({"p1": "h01", "p2": "d01"}, deck="c01 c02")
    table.contest("p1", "p2", 2)
    task = table.view()["task"]
    assert (task["kind"], task["stage"], task["seat"], task["target"], task["asked"]) == (
        "contest",
        "active",
        "p1",
        "p2",
        "p1",
    )
    assert kinds(table.do("p1", "play", card="h01")) == ["played"]
    task = table.view()["task"]
    assert (task["stage"], task["asked"], task["seat"]) == ("passive", "p2", "p1")
    events = table.do("p2", "play", card="d01")
    assert kinds(events) == ["played", "decided", "drawn", "received", "drawn", "received"]
    assert [event.data["seat"] for event in events if event.kind == "drawn"] == ["p1", "p2"]
    assert table.result() == {
        "kind": "contest",
        "seat": "p1",
        "npc": None,
        "difficulty": 2,
        "card": "h01",
        "success": False,
        "count": None,
        "damage": None,
        "target": "p2",
    }


@rule("UC-6.1")
@pytest.mark.parametrize("answer", ["play", "give_up"])
def test_the_action_succeeds_when_the_passive_side_fails(answer: str) -> None:
    table = Table({"p1": "h01", "p2": "s13"})
    table.contest("p1", "p2", 2)
    table.do("p1", "play", card="h01")
    table.do("p2", answer, **({"card": "s13"} if answer == "play" else {}))
    assert table.result()["success"]


@rule("UC-6.1")
@pytest.mark.parametrize("answer", ["play", "give_up"])
def test_the_passive_side_does_nothing_when_the_active_fails(answer: str) -> None:
    table = Table({"p1": "s13", "p2": "s01"}, deck="c01 c02", characters={"p2": {"hp_max": 2}})
    table.do("gm", "deal", seat="p2", count=1)
    table.contest("p1", "p2", 2)
    table.do("p1", answer, **({"card": "s13"} if answer == "play" else {}))
    assert not table.result()["success"]
    assert table.view()["phase"] == "idle", "who was not asked does not adjust"


@rule("UC-6.1")
def test_nothing_is_turned_for_the_passive_side() -> None:
    table = Table({"p1": "c10", "p2": "c02"}, deck="c09 d01")
    table.contest("p1", "p2", 3)
    assert table.view()["field"]["card"] == "c09"
    table.do("p1", "play", card="c10")
    assert table.view()["field"]["card"] == "c10"
    assert table.view("p2")["me"]["fits"] == [{"card": "c02", "success": False, "why": "UC-4.2"}]


@rule("UC-6.1")
def test_the_sides_of_a_contest_must_differ_and_exist() -> None:
    table = Table({"p1": "h01", "p2": "h02"})
    wolf, bear = table.add_npc(), table.add_npc()

    def refused(active: object, passive: object) -> str:
        return table.refusal("gm", "contest", active=active, passive=passive, difficulty=1, label="")

    assert refused(party("p1"), party("p1")) == "same_side"
    assert refused(party(wolf), party(wolf)) == "same_side"
    assert refused(party("p1"), party("p3")) == "unknown_seat"
    assert refused(party("n9"), party("p1")) == "unknown_npc"
    assert refused(party("p1"), party(wolf) | {"npc": None}) == "npc_needed"
    assert refused(party("p1") | {"npc": wolf}, party("p2")) == "npc_not_wanted"
    assert refused(party("p1"), party("p2") | {"extra": 1}) == "malformed_move"
    assert refused(party("p1", q=10), party("p2")) == "malformed_move"
    assert refused(None, party("p2")) == "malformed_move"
    table.contest(wolf, bear, 1)
    table.do("gm", "give_up")
    assert (table.result()["npc"], table.result()["target"]) == (wolf, bear)


@rule("UC-6.1")
def test_two_npcs_play_from_the_one_hand() -> None:
    table = Table({"p1": "s01"}, gm="h01 d09", deck="c01 c02")
    wolf, bear = table.add_npc(), table.add_npc()
    table.contest(wolf, bear, 1)
    table.do("gm", "play", card="h01")
    table.do("gm", "play", card="d09")
    assert not table.result()["success"]
    assert table.hand("gm") == ["c01", "c02"]


@rule("UC-4.10")
def test_an_active_side_that_is_down_is_refused_and_a_passive_one_fails_at_once() -> None:
    table = Table({"p1": "h01", "p2": ""}, deck="c01 c02", characters={"p2": {"hp_max": 2, "hp": 0}})
    sides = {"active": party("p2"), "passive": party("p1")}
    assert table.refusal("gm", "contest", difficulty=1, label="", **sides) == "down"
    table.contest("p1", "p2", 2)
    events = table.do("p1", "play", card="h01")
    assert kinds(events) == ["played", "decided", "drawn", "received"]
    assert table.result()["success"]


@rule("UC-4.10", "UC-4.8")
def test_a_passive_side_that_fell_during_a_contest_fails_without_a_card() -> None:
    table = Table({"p1": "h01", "p2": "d01 d02"}, deck="c01")
    table.contest("p1", "p2", 2)
    table.do("gm", "set_hp", who="p2", hp=0)
    table.do("p1", "play", card="h01")
    assert table.result()["success"]
    assert (table.view()["waiting_for"], table.view()["task"]["need"]) == (["p2"], 2)


@rule("UC-4.6", "UC-6.1")
def test_the_suit_of_a_drawn_joker_is_named_before_the_passive_side_is_asked() -> None:
    table = Table({"p1": "s01", "p2": "c05"}, deck="x01")
    table.contest("p1", "p2", 2)
    table.do("p1", "draw")
    task = table.view()["task"]
    assert (task["stage"], task["asked"]) == ("name", "p1")
    table.do("p1", "name_suit", suit="c")
    task = table.view()["task"]
    assert (task["stage"], task["asked"]) == ("passive", "p2")
    assert table.view("p2")["me"]["fits"] == [{"card": "c05", "success": True, "why": "UC-4.2"}]


@rule("UC-6.2")
def test_a_raise_waits_for_the_gm_and_counts_for_both_sides() -> None:
    table = Table({"p1": "c10", "p2": "h01"}, deck="c09 d01")
    table.contest("p1", "p2", 1)
    assert {"type": "raise", "difficulty": 2} in table.legal("p1")
    assert table.refusal("p1", "raise", difficulty=1) == "not_higher"
    assert table.refusal("p2", "raise", difficulty=3) == "not_asked"
    events = table.do("p1", "raise", difficulty=3)
    assert data(events, "raise_asked") == {"seat": "p1", "npc": None, "difficulty": 3}
    view = table.view()
    assert (view["task"]["stage"], view["task"]["asked"], view["waiting_for"]) == ("raise", "gm", ["gm"])
    assert (view["task"]["difficulty"], view["task"]["raise_to"]) == (1, 3)
    assert (view["task"]["allow_draw"], table.view("p1")["me"]["fits"]) == (False, [])
    for move, fields in (
        ("play", {"card": "c10"}),
        ("give_up", {}),
        ("draw", {}),
        ("raise", {"difficulty": 4}),
    ):
        assert table.refusal("p1", move, **fields) == "not_asked"
        assert table.refusal("gm", move, **fields) == "not_now"
    assert table.refusal("p1", "answer_raise", allow=True) == "gm_only"
    events = table.do("gm", "answer_raise", allow=True)
    assert kinds(events) == ["raise_answered", "turned"]
    task = table.view()["task"]
    assert (task["difficulty"], task["level"], task["stage"], task["asked"]) == (3, 3, "active", "p1")
    table.do("p1", "play", card="c10")
    assert not table.view("p2")["me"]["fits"][0]["success"]
    table.do("p2", "play", card="h01")
    assert (table.result()["success"], table.result()["difficulty"]) == (True, 3)


@rule("UC-6.2")
@pytest.mark.parametrize("allow", [True, False])
def test_only_one_raise_may_be_asked_in_a_contest(allow: bool) -> None:
    table = Table({"p1": "h01", "p2": "d01"})
    table.contest("p1", "p2", 1)
    table.do("p1", "raise", difficulty=2)
    table.do("gm", "answer_raise", allow=allow)
    assert table.view()["task"]["difficulty"] == (2 if allow else 1)
    assert table.refusal("p1", "raise", difficulty=3) == "already_asked"
    assert "raise" not in [move["type"] for move in table.legal("p1")]
    assert table.refusal("gm", "answer_raise", allow=True) == "not_now"
    table.do("p1", "play", card="h01")
    assert table.refusal("p2", "raise", difficulty=5) == "not_now"


@rule("UC-6.2")
def test_at_most_one_card_is_turned_for_a_contest() -> None:
    table = Table({"p1": "c10", "p2": "h01"}, deck="c09 d01")
    table.contest("p1", "p2", 3)
    table.do("p1", "raise", difficulty=5)
    assert kinds(table.do("gm", "answer_raise", allow=True)) == ["raise_answered"]
    assert table.view()["field"]["card"] == "c09"


@rule("UC-6.2")
def test_a_raise_of_the_gms_own_npc_is_granted_at_once() -> None:
    table = Table({"p1": "h01"}, deck="c09")
    wolf = table.add_npc()
    table.contest(wolf, "p1", 1)
    assert kinds(table.do("gm", "raise", difficulty=4)) == ["raise_asked", "raise_answered", "turned"]
    task = table.view()["task"]
    assert (task["stage"], task["difficulty"], task["level"]) == ("active", 4, 4)


@rule("UC-6.2")
def test_a_raise_outside_a_contest_is_refused() -> None:
    table = Table({"p1": "h01"})
    assert table.refusal("gm", "answer_raise", allow=True) == "not_now"
    assert table.refusal("p1", "raise", difficulty=2) == "not_asked"
    table.call("p1", 1)
    assert table.refusal("p1", "raise", difficulty=2) == "not_now"


@rule("UC-4.8")
def test_a_cancelled_contest_lets_both_adjust_if_both_were_asked() -> None:
    table = Table({"p1": "h01", "p2": "d01"}, deck="c01 c02 c03")
    table.do("gm", "deal", seat="p2", count=1)
    table.contest("p1", "p2", 1)
    table.do("p1", "raise", difficulty=2)
    events = table.do("gm", "cancel")
    assert data(events, "cancelled") == {"number": 1, "kind": "contest"}
    assert table.view()["phase"] == "idle"
    table.contest("p1", "p2", 1)
    table.do("p1", "play", card="h01")
    table.do("gm", "cancel")
    assert len(table.hand("p1")) == 1
    assert table.view()["waiting_for"] == ["p2"]
    assert table.view()["results"] == []


@rule("UC-4.1")
def test_a_contest_clears_declarations() -> None:
    table = Table({"p1": "h01", "p2": "d01"})
    table.do("p1", "declare", text="hm")
    table.contest("p1", "p2", 1)
    assert table.view()["declared"] == {}
