"""Interrupts 割り込み. [UC-9]"""

from typing import Any

import pytest

from tests.rules import rule

from .table import Table, data, kinds
from .test_combat import fight, turn
from .test_supports import with_debts


def ask(table: Table, seat: str, text: str = "wait!", npc: str | None = None) -> Any:
    return table.do(seat, "interrupt", npc=npc, text=text)


def refused(table: Table, seat: str, npc: str | None = None) -> str:
    return table.refusal(seat, "interrupt", npc=npc, text="wait!")


def called(**options: Any) -> Table:
    """p1 checks, and three others look on."""
    table = Table({"p1": "h01 h02", "p2": "s01 d03", "p3": "c01"}, **options)
    table.call("p1", 2, label="a wall")
    return table


@rule("UC-9.1")
def test_requests_to_interrupt_queue_and_stop_nothing() -> None:
    table = called()
    events = ask(table, "p3", "first")
    assert data(events, "interrupt_asked") == {"seat": "p3", "npc": None, "text": "first"}
    ask(table, "p2", "second")
    view = table.view()
    assert view["interrupts"] == [{"seat": "p3", "text": "first"}, {"seat": "p2", "text": "second"}]
    assert view["waiting_for"] == ["gm", "p1"]
    assert refused(table, "p2") == "request_open"
    assert "withdraw" in table.view("p2")["me"]["can"]
    table.do("p2", "withdraw")
    assert table.refusal("p2", "withdraw") == "no_request"
    ask(table, "p2", "third")
    events = table.do("gm", "answer_interrupt", seat="p3", allow=False)
    assert data(events, "interrupt_answered") == {"seat": "p3", "npc": None, "allow": False}
    assert table.view()["interrupts"] == [{"seat": "p2", "text": "third"}]
    table.do("p1", "play", card="h01")
    view = table.view()
    assert (view["interrupts"], view["waiting_for"]) == ([], ["gm"])
    assert table.refusal("gm", "answer_interrupt", seat="p2", allow=False) == "no_request"


@rule("UC-9.1")
def test_requests_to_interrupt_lapse_with_a_cancelled_task() -> None:
    table = called()
    ask(table, "p2")
    table.do("gm", "cancel")
    assert table.view()["interrupts"] == []


@rule("UC-9.1", "UC-9.3")
def test_an_interrupt_is_refused_to_acting_fallen_or_unknown_characters() -> None:
    table = Table({"p1": "h01", "p2": "h02", "p3": ""}, characters={"p3": {"hp_max": 1, "hp": 0}})
    wolf = table.add_npc()
    assert refused(table, "p2") == "no_task"
    table.contest("p1", "p2", 1)
    assert refused(table, "p1") == "own_action"
    assert refused(table, "p3") == "down"
    assert refused(table, "p2", wolf) == "npc_not_wanted"
    assert refused(table, "gm") == "npc_needed"
    assert refused(table, "gm", "n9") == "unknown_npc"
    assert table.refusal("p2", "interrupt", npc=None, text="") == "malformed_move"
    table.do("p1", "play", card="h01")
    assert refused(table, "p2") == "asked_now"
    assert refused(table, "p1") == "own_action"
    assert "interrupt" not in table.view("p1")["me"]["can"]
    table.do("gm", "set_hp", who="p1", hp=0)
    table.do("gm", "deal", seat="p2", count=1)
    table.do("p2", "give_up")
    assert table.view()["task"]["kind"] == "adjust"
    assert refused(table, "gm", wolf) == "no_task"


@rule("UC-9.1")
def test_the_gm_interrupts_for_an_npc_unless_acting_or_asked() -> None:
    table = Table({"p1": "h01", "p2": "h02"})
    wolf, bear = table.add_npc(), table.add_npc()
    table.call("gm", 1, npc=wolf)
    assert refused(table, "gm", bear) == "own_action"
    table.do("gm", "give_up")
    table.contest("p1", wolf, 1)
    ask(table, "gm", npc=bear)
    assert refused(table, "gm", wolf) == "request_open"
    table.do("p1", "play", card="h01")
    assert refused(table, "gm", bear) == "asked_now"
    assert table.view()["waiting_for"] == ["gm"]
    answer = {"seat": "gm", "allow": True, "difficulty": 1, "skill": False, "q": 0}
    assert table.refusal("gm", "answer_interrupt", **answer) == "asked_now"
    table.do("gm", "answer_interrupt", seat="gm", allow=False)


@rule("UC-9.1")
def test_the_gm_allows_interrupts_in_any_order_but_no_impossible_one() -> None:
    table = Table({"p1": "s01", "p2": "h02", "p3": "h03 h04"}, deck="x01")
    table.contest("p1", "p2", 2)
    for seat in ("p2", "p3"):
        ask(table, seat)
    answer = {"allow": True, "difficulty": 1, "skill": False, "q": 0}
    assert table.refusal("p3", "answer_interrupt", seat="p3", **answer) == "gm_only"
    assert table.refusal("gm", "answer_interrupt", seat="p1", **answer) == "no_request"
    table.do("gm", "set_hp", who="p2", hp=0)
    assert table.refusal("gm", "answer_interrupt", seat="p2", **answer) == "down"
    table.do("gm", "set_hp", who="p2", hp=1)
    table.do("p1", "draw")
    assert table.refusal("gm", "answer_interrupt", seat="p3", **answer) == "naming"
    table.do("p1", "name_suit", suit="h")
    assert table.refusal("gm", "answer_interrupt", seat="p2", **answer) == "asked_now"
    table.allow("p3", 1)
    assert table.refusal("gm", "answer_interrupt", seat="p2", **answer) == "interrupt_running"
    assert refused(table, "p1") == "interrupt_running"
    table.do("gm", "answer_interrupt", seat="p2", allow=False)


@rule("UC-9.1")
@pytest.mark.parametrize(
    "fields",
    [
        {"allow": True},
        {"allow": True, "difficulty": 1, "skill": False},
        {"allow": True, "difficulty": 6, "skill": False, "q": 0},
        {"allow": True, "difficulty": None, "skill": False, "q": 0},
        {"allow": False, "difficulty": 1, "skill": False, "q": 0},
        {"allow": False, "q": 0},
        {"allow": None},
    ],
)
def test_an_answer_to_an_interrupt_with_wrong_fields_is_malformed(fields: dict[str, Any]) -> None:
    table = called()
    ask(table, "p2")
    assert table.refusal("gm", "answer_interrupt", seat="p2", **fields) == "malformed_move"


@rule("UC-9.2")
def test_an_allowed_interrupt_is_one_hand_card_and_then_the_task_goes_on() -> None:
    table = called(deck="d01 d02")
    table.do("p3", "declare", text="hm")
    ask(table, "p2", "I throw sand.")
    table.allow("p2", 3, skill=True, q=1)
    view = table.view("p2")
    assert view["field"]["card"] == "h07", "nothing is turned"
    assert view["declared"] == {"p3": "hm"}
    assert (view["waiting_for"], view["interrupts"]) == (["p2"], [])
    task = view["task"]
    assert (task["kind"], task["stage"], task["seat"], task["asked"]) == ("interrupt", "play", "p2", "p2")
    assert (task["difficulty"], task["level"], task["label"]) == (3, 3, "I throw sand.")
    assert (task["target"], task["count"], task["need"], task["allow_draw"]) == (None, None, None, False)
    under = task["under"]
    assert (under["kind"], under["seat"], under["label"], under["stage"]) == ("check", "p1", "a wall", "play")
    assert (under["asked"], under["allow_draw"], under["under"]) == (None, False, None)
    assert table.refusal("p2", "draw") == "no_draw"
    assert table.refusal("p1", "play", card="h01") == "not_asked"
    assert [fit["success"] for fit in view["me"]["fits"]] == [False, False]
    events = table.do("p2", "play", card="d03")
    assert kinds(events) == ["played", "decided"]
    assert table.result() == {
        "kind": "interrupt",
        "seat": "p2",
        "npc": None,
        "difficulty": 3,
        "card": "d03",
        "success": False,
        "count": None,
        "damage": None,
        "target": None,
    }
    task = table.view()["task"]
    assert (task["kind"], task["asked"], task["under"], task["number"]) == ("check", "p1", None, 1)
    assert table.view()["field"]["card"] == "d03"
    table.do("p1", "play", card="h01")
    assert [result["kind"] for result in table.view()["results"]] == ["interrupt", "check"]


@rule("UC-9.3")
def test_after_an_interrupt_a_hand_is_refilled_after_the_next_own_action() -> None:
    table = called(deck="d01 d02 d09 d10")
    table.interrupt("p2", 0)
    table.do("p2", "play", card="s01")
    assert table.debts("p2") == (0, True)
    table.do("p1", "give_up")
    assert table.hand("p2") == ["d03"]
    table.contest("p1", "p2", 0)
    table.do("p1", "play", card="h01")
    table.do("p2", "play", card="d03")
    assert (table.hand("p2"), table.debts("p2")) == ([], (0, True)), "the passive side does not act"
    table.call("p2", 0)
    table.do("p2", "draw")
    assert (len(table.hand("p2")), table.debts("p2")) == (2, (0, False))


@rule("UC-9.3", "UC-4.7")
def test_giving_up_an_interrupt_owes_nothing() -> None:
    table = called()
    table.interrupt("p2", 0)
    table.do("p2", "give_up")
    assert (table.result()["success"], table.result()["card"], table.debts("p2")) == (False, None, (0, False))
    assert table.view()["task"]["kind"] == "check"


@rule("UC-9.3", "UC-8.5")
def test_an_interrupt_is_no_own_action() -> None:
    table = with_debts(called(), "p2", extra=2)
    table.interrupt("p2", 0)
    table.do("p2", "give_up")
    assert table.debts("p2") == (2, True)


@rule("UC-9.3")
def test_an_interrupt_lets_no_hand_be_adjusted() -> None:
    table = called()
    table.do("gm", "deal", seat="p2", count=3)
    table.interrupt("p2", 0)
    table.do("p2", "play", card="s01")
    table.do("p1", "give_up")
    assert (table.view()["phase"], len(table.hand("p2"))) == ("idle", 4)


@rule("UC-9.3", "UC-4.8")
def test_hp_set_during_an_interrupt_adjusts_after_the_interrupted_task() -> None:
    table = called()
    table.do("gm", "set_hp", who="p2", hp=1)
    table.interrupt("p3", 0)
    table.do("gm", "set_hp", who="p3", hp=0)
    table.do("p3", "play", card="c01")
    assert table.view()["task"]["kind"] == "check"
    table.do("p1", "give_up")
    assert table.view()["waiting_for"] == ["p2"]
    table.do("p2", "discard", cards=["s01"])
    assert (table.view()["phase"], table.debts("p3")) == ("idle", (0, False))


@rule("UC-9.1", "UC-9.2")
def test_the_next_request_may_be_allowed_after_the_first_interrupt() -> None:
    table = called()
    ask(table, "p2")
    ask(table, "p3")
    table.allow("p2", 0)
    assert table.view()["waiting_for"] == ["gm", "p2"]
    assert table.refusal("p3", "interrupt", npc=None, text="!") == "interrupt_running"
    table.do("p2", "play", card="s01")
    table.allow("p3", 0)
    table.do("p3", "play", card="c01")
    ask(table, "p2")
    table.do("p1", "give_up")
    assert [result["seat"] for result in table.view()["results"]] == ["p2", "p3", "p1"]


@rule("UC-9.2", "UC-4.8")
def test_cancelling_stops_the_interrupt_alone_and_then_the_task() -> None:
    table = called()
    ask(table, "p3")
    table.interrupt("p2", 0)
    events = table.do("gm", "cancel")
    assert data(events, "cancelled") == {"number": 2, "kind": "interrupt"}
    view = table.view()
    assert (view["task"]["kind"], view["results"], len(view["interrupts"])) == ("check", [], 1)
    assert table.debts("p2") == (0, False)
    assert data(table.do("gm", "cancel"), "cancelled")["kind"] == "check"
    assert table.view()["phase"] == "idle"


@rule("UC-9.1", "UC-6.2")
def test_while_the_gm_thinks_about_a_raise_others_may_interrupt() -> None:
    table = Table({"p1": "h01", "p2": "h02", "p3": "h03"})
    wolf = table.add_npc()
    table.contest("p1", "p2", 1)
    table.do("p1", "raise", difficulty=2)
    assert refused(table, "gm", wolf) == "asked_now"
    table.interrupt("p3", 0)
    assert table.view()["task"]["under"]["stage"] == "raise"
    assert table.refusal("gm", "answer_raise", allow=True) == "not_now"
    table.do("p3", "play", card="h03")
    assert table.view()["waiting_for"] == ["gm"]
    table.do("gm", "answer_raise", allow=True)


@rule("UC-9.4")
def test_a_support_in_an_interrupt_makes_no_result_and_the_giver_owes() -> None:
    table = called(deck="d09 d10")
    table.interrupt("p2", 2)
    assert {"play", "support", "give_up"} <= set(table.view("p2")["me"]["can"])
    assert "draw" not in table.view("p2")["me"]["can"]
    events = table.do("p2", "support", npc=None, to="p1", card="d03", text="Catch!")
    assert kinds(events) == ["supported", "given", "received"]
    view = table.view()
    assert (view["results"], view["task"]["kind"], view["field"]["card"]) == ([], "check", "h07")
    assert (table.debts("p1"), table.debts("p2")) == ((1, False), (0, True))
    assert view["declared"] == {"p2": "Catch!"}
    table.do("p1", "play", card="h01")
    assert table.debts("p1") == (0, False), "it ends with this very action"
    assert (table.hand("p1"), table.hand("p2")) == (["h02", "d03"], ["s01"])


@rule("UC-9.4", "UC-8.5")
def test_in_combat_an_extra_card_is_kept_until_the_own_attack_ends() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01", "p3": "c01 c02"})
    table.call("p1", 0)
    table.interrupt("p3", 0)
    table.do("p3", "support", npc=None, to="p1", card="c01", text="!")
    table.do("p1", "give_up")
    assert (table.debts("p1"), turn(table)) == ((1, False), (1, "p1"))
    table.attack("p1", "p2", 1)
    table.interrupt("p3", 0)
    table.do("p3", "support", npc=None, to="p1", card="c02", text="!")
    assert table.debts("p1") == (2, False)
    table.do("p1", "play", card="c02")
    assert (table.debts("p1"), table.view()["task"]["need"]) == ((0, False), 1)


@rule("UC-9.4")
def test_an_npc_supports_in_its_own_interrupt_only() -> None:
    table = called()
    wolf, bear = table.add_npc(), table.add_npc()
    ask(table, "gm", npc=wolf)
    table.allow("gm", 1)
    card = table.hand("gm")[0]
    fields = {"to": "p1", "card": card, "text": "!"}
    assert table.refusal("gm", "support", npc=bear, **fields) == "not_asked"
    assert table.refusal("gm", "support", npc=None, **fields) == "not_asked"
    assert table.refusal("gm", "support", npc=wolf, **{**fields, "to": "gm"}) == "to_oneself"
    table.do("gm", "support", npc=wolf, **fields)
    assert (table.debts("gm"), table.debts("p1")) == ((0, True), (1, False))


@rule("UC-9.4", "UC-4.10")
def test_a_player_who_fell_during_their_interrupt_gives_no_support() -> None:
    table = called()
    table.interrupt("p2", 2)
    table.do("gm", "set_hp", who="p2", hp=0)
    assert table.refusal("p2", "support", npc=None, to="p1", card="d03", text="!") == "down"
    assert "support" not in table.view("p2")["me"]["can"]
    table.do("p2", "play", card="d03")


@rule("UC-9.4")
def test_a_support_outside_combat_needs_an_interrupt() -> None:
    table = called()
    assert table.refusal("p2", "support", npc=None, to="p1", card="d03", text="!") == "no_combat"


@rule("UC-9.2", "UC-5.2")
def test_a_support_lets_a_chain_go_on() -> None:
    table = Table({"p1": "h01 h02", "p2": "h03"})
    table.call("p1", 1, chain=True)
    table.do("p1", "play", card="h01")
    table.interrupt("p2", 0)
    table.do("p2", "support", npc=None, to="p1", card="h03", text="!")
    table.do("p1", "play", card="h02")
    table.do("p1", "play", card="h03")
    assert table.result()["count"] == 3


@rule("UC-4.1", "UC-9.1")
def test_the_gms_question_differs_for_an_interrupt_and_its_task() -> None:
    table = called()
    task, mine = table.asked("gm"), table.asked("p1")
    ask(table, "p2")
    assert (table.asked("gm"), table.asked("p1"), table.asked("p2")) == (task, mine, None)
    table.allow("p2", 0)
    assert table.asked("gm") != task
    assert table.asked("p1") is None
    table.do("p2", "give_up")
    assert (table.asked("gm"), table.asked("p1")) == (task, mine)
