"""Rounds and turns, observing, other actions. [UC-8.1, 8.4, 8.6]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds


def fight(hands: dict[str, str], **options: object) -> Table:
    table = Table(hands, **options)  # type: ignore[arg-type]
    table.do("gm", "start_combat")
    return table


def turn(table: Table) -> tuple[int, str]:
    view = table.view()
    return view["round"], view["turn"]


@rule("UC-8.1")
def test_rounds_go_in_seating_order_the_gm_last() -> None:
    table = Table({"p2": "h01", "p1": "s01"})
    assert (table.view()["round"], table.view()["turn"]) == (None, None)
    events = table.do("gm", "start_combat")
    assert kinds(events) == ["combat_started", "turn_begun"]
    assert data(events, "turn_begun") == {"round": 1, "seat": "p2"}
    seen = [turn(table)]
    for _ in range(4):
        table.do("gm", "end_turn")
        seen.append(turn(table))
    assert seen == [(1, "p2"), (1, "p1"), (1, "gm"), (2, "p2"), (2, "p1")]
    assert table.view()["waiting_for"] == ["p1"]
    assert table.refusal("gm", "start_combat") == "combat_running"
    assert kinds(table.do("gm", "end_combat")) == ["combat_ended"]
    assert (table.view()["round"], table.view()["turn"]) == (None, None)
    assert table.refusal("gm", "end_combat") == "no_combat"
    assert table.refusal("gm", "end_turn") == "no_combat"


@rule("UC-8.1")
def test_a_character_who_is_down_has_no_turn_but_the_gm_always_has() -> None:
    table = Table(
        {"p1": "", "p2": "s01", "p3": ""}, characters={p: {"hp_max": 1, "hp": 0} for p in ("p1", "p3")}
    )
    hands = table.state.hands
    for seat in ("p1", "p3"):
        hands[seat].owes, hands[seat].extra = True, 2
    table.change(hands=hands)
    table.do("gm", "start_combat")
    assert turn(table) == (1, "p2")
    assert (table.debts("p1"), table.debts("p3")) == ((0, False), (2, True))
    table.do("gm", "set_hp", who="p2", hp=0)
    assert turn(table) == (1, "p2")
    table.do("p2", "discard", cards=["s01"])
    assert (turn(table), table.view()["waiting_for"]) == ((1, "p2"), ["gm"])
    for number in (1, 2, 3):
        table.do("gm", "end_turn")
        assert turn(table) == (number, "gm")
    assert table.debts("p3") == (0, False)


ACTIONS = {
    "attack": {"target": "p2", "difficulty": 1, "weapon": None, "skill": None, "chain": False},
    "observe": {"card": None},
    "support": {"to": "p2", "card": "h01", "text": "I help."},
    "other": {"text": "I crawl."},
}


@rule("UC-8.1", "UC-4.10")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_player_who_falls_in_their_turn_cannot_act_and_is_not_waited_for(action: str) -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"})
    mine = table.asked("p1")
    table.do("gm", "set_hp", who="p1", hp=0)
    table.do("gm", "cancel")
    assert table.hand("p1") == ["h01", "h02"], "the GM broke the adjusting off"
    assert table.refusal("p1", action, npc=None, **ACTIONS[action]) == "down"
    assert (table.view("p1")["me"]["can"], table.view()["waiting_for"]) == (["declare"], ["gm"])
    assert (table.asked("p1"), mine is None) == (None, False)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "discard", cards=["h02"])
    assert table.view()["waiting_for"] == ["p1"], "who is up again is waited for again"
    table.do("gm", "set_hp", who="p1", hp=0)
    table.do("gm", "cancel")
    table.do("gm", "end_turn")
    table.do("p1", "discard", cards=["h01"])
    assert turn(table) == (1, "p2")


@rule("UC-4.10", "UC-8.1")
@pytest.mark.parametrize("action", ACTIONS)
def test_an_npc_that_is_down_does_nothing(action: str) -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    wolf = table.add_npc()
    table.do("gm", "set_hp", who=wolf, hp=0)
    for _ in range(2):
        table.do("gm", "end_turn")
    fields = ACTIONS[action] | ({"card": table.hand("gm")[0]} if action == "support" else {})
    assert table.refusal("gm", action, npc=wolf, **fields) == "down"
    assert not {move["type"] for move in table.legal("gm")} & set(ACTIONS)


@rule("UC-8.1")
def test_each_npc_acts_once_in_each_turn_of_the_gm() -> None:
    table = fight({"p1": "h01"})
    wolf, bear = table.add_npc(), table.add_npc()
    assert table.refusal("gm", "other", npc=wolf, text="howls") == "not_your_turn"
    table.do("gm", "end_turn")
    table.do("gm", "other", npc=wolf, text="howls")
    assert turn(table) == (1, "gm")
    assert [npc["acted"] for npc in table.view()["npcs"]] == [True, False]
    assert table.refusal("gm", "other", npc=wolf, text="howls") == "has_acted"
    assert table.refusal("gm", "other", npc=None, text="howls") == "npc_needed"
    assert table.refusal("p1", "other", npc=None, text="runs") == "not_your_turn"
    assert wolf not in [move.get("npc") for move in table.legal("gm") if move["type"] == "other"]
    table.do("gm", "other", npc=bear, text="growls")
    table.do("gm", "end_turn")
    assert turn(table) == (2, "p1")
    assert [npc["acted"] for npc in table.view()["npcs"]] == [False, False]


@rule("UC-8.1")
def test_an_npc_may_act_again_in_the_next_combat() -> None:
    table = fight({"p1": "h01"})
    wolf = table.add_npc()
    table.do("gm", "end_turn")
    table.do("gm", "other", npc=wolf, text="howls")
    table.do("gm", "end_combat")
    assert table.view()["npcs"][0]["acted"]
    table.do("gm", "start_combat")
    assert not table.view()["npcs"][0]["acted"]


@rule("UC-8.1")
@pytest.mark.parametrize("move", ["start_combat", "end_combat", "end_turn", "flip", "rest"])
def test_the_gm_waits_for_a_task_and_the_adjusting(move: str) -> None:
    fields = {"days": 1} if move == "rest" else {}
    table = Table({"p1": "h01 h02"})
    assert table.refusal("p1", move, **fields) == "gm_only"
    if move.startswith("end"):
        table.do("gm", "start_combat")
    table.call("p1", 1)
    assert table.refusal("gm", move, **fields) == "task_running"
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "give_up")
    assert table.refusal("gm", move, **fields) == "task_running"


@rule("UC-8.1")
def test_an_action_in_the_own_turn_waits_for_a_running_task() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    table.call("p2", 1)
    assert table.refusal("p1", "observe", npc=None, card="h01") == "task_running"
    table.do("p2", "give_up")
    assert turn(table) == (1, "p1")
    assert table.view()["waiting_for"] == ["p1"]


@rule("UC-8.1", "UC-3.5")
@pytest.mark.parametrize(
    ("turns", "ca", "following"),
    [(0, 0, "p3"), (1, 1, "p3"), (1, 0, "gm"), (2, 9, "p1")],
    ids=["same CA", "same CA as the last", "before", "in the GM's turn"],
)
def test_a_latecomers_first_turn_comes_with_the_order(turns: int, ca: int, following: str) -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    for _ in range(turns):
        table.do("gm", "end_turn")
    table.do("gm", "add_player", character={"ca": ca})
    table.do("gm", "end_turn")
    assert table.view()["turn"] == following


@rule("UC-8.4")
def test_observing_lays_one_card_and_draws_one() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02")
    assert table.refusal("p1", "observe", npc=None, card="s01") == "not_in_hand"
    assert table.refusal("p1", "observe", npc="n1", card="h01") == "npc_not_wanted"
    assert table.refusal("p2", "observe", npc=None, card="s01") == "not_your_turn"
    events = table.do("p1", "observe", npc=None, card="h01")
    assert kinds(events) == ["observed", "drawn", "received", "turn_begun"]
    assert table.view()["field"] == {"card": "h01", "suit": None}
    assert table.hand("p1") == ["h02", "d01"]
    assert table.view()["results"] == []
    assert turn(table) == (1, "p2")


@rule("UC-8.4", "UC-4.9")
def test_observing_on_an_empty_deck_brings_the_old_field_card_back() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    table.change(deck=[], pile=["h07"])
    events = table.do("p1", "observe", npc=None, card="h01")
    assert kinds(events) == ["observed", "reshuffled", "drawn", "received", "turn_begun"]
    assert table.hand("p1") == ["h07"]


@rule("UC-8.4", "UC-4.4")
def test_a_joker_laid_by_observing_has_no_suit() -> None:
    table = fight({"p1": "x01", "p2": "s01"})
    table.do("p1", "observe", npc=None, card="x01")
    assert table.view()["field"] == {"card": "x01", "suit": None}


@rule("UC-8.4")
@pytest.mark.parametrize("fields", [{}, {"card": None}], ids=["absent", "null"])
def test_a_player_who_just_watches_discards_and_draws_nothing(fields: dict[str, None]) -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02")
    events = table.do("p1", "observe", npc=None, **fields)
    assert kinds(events) == ["observed", "turn_begun"]
    assert data(events, "observed") == {"seat": "p1", "npc": None, "card": None}
    assert (table.hand("p1"), table.view()["field"]["card"]) == (["h01", "h02"], "h07")
    assert turn(table) == (1, "p2")


@rule("UC-8.4", "UC-8.7")
def test_an_empty_hand_watches_and_is_filled_afterwards() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02")
    hands = table.state.hands
    hands["p1"].cards, hands["p1"].owes = [], True
    table.change(hands=hands)
    assert "observe" in table.view("p1")["me"]["can"]
    table.do("p1", "observe", npc=None)
    assert (table.hand("p1"), table.debts("p1")) == (["d01", "d02"], (0, False))


@rule("UC-8.4", "UC-10.5")
def test_an_npc_just_watches() -> None:
    table = fight({"p1": "h01"}, gm="c01 c02", deck="d01")
    wolf = table.add_npc()
    table.do("gm", "end_turn")
    table.do("gm", "observe", npc=wolf)
    assert (table.hand("gm"), table.view()["npcs"][0]["acted"]) == (["c01", "c02"], True)


@rule("UC-8.4", "UC-10.5")
def test_an_npc_observes_with_a_card_of_the_gm() -> None:
    table = fight({"p1": "h01"}, gm="c01 c02", deck="d01")
    wolf = table.add_npc()
    table.do("gm", "end_turn")
    table.do("gm", "observe", npc=wolf, card="c01")
    assert table.hand("gm") == ["c02", "d01"]
    assert (table.view()["npcs"][0]["acted"], turn(table)) == (True, (1, "gm"))


@rule("UC-8.4", "UC-8.5")
def test_after_observing_the_hand_is_adjusted_before_the_turn_passes() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"}, deck="d01 d02 d03")
    table.do("gm", "deal", seat="p1", count=1)
    table.do("p1", "observe", npc=None, card="h01")
    assert (table.view()["task"]["need"], turn(table)) == (1, (1, "p1"))
    table.do("p1", "discard", cards=["h02"])
    assert turn(table) == (1, "p2")


@rule("UC-8.6")
def test_a_free_action_keeps_the_turn_until_the_gm_ends_it() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    events = table.do("p1", "other", npc=None, text="I bar the door.")
    assert data(events, "acted") == {"seat": "p1", "npc": None, "text": "I bar the door."}
    view = table.view()
    assert (turn(table), view["waiting_for"]) == ((1, "p1"), ["gm"])
    assert view["declared"] == {"p1": "I bar the door."}
    assert table.view("p1")["me"]["can"] == ["declare"]
    assert table.refusal("p1", "observe", npc=None, card="h01") == "has_acted"
    table.call("p1", 1)
    assert table.view()["declared"] == {}
    table.do("p1", "play", card="h01")
    assert (turn(table), table.view()["waiting_for"]) == ((1, "p1"), ["gm"])
    table.do("gm", "end_turn")
    assert (turn(table), table.view()["waiting_for"]) == ((1, "p2"), ["p2"])


@rule("UC-8.1", "UC-4.8")
def test_cancelling_the_adjusting_lets_the_turn_go_on() -> None:
    table = fight({"p1": "h01 h02", "p2": "s01"})
    table.do("gm", "deal", seat="p1", count=1)
    table.do("p1", "observe", npc=None, card="h01")
    events = table.do("gm", "cancel")
    assert kinds(events) == ["cancelled", "turn_begun"]
    assert (turn(table), len(table.hand("p1"))) == ((1, "p2"), 3)
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("gm", "cancel")
    assert turn(table) == (1, "p2"), "an adjusting that ends no turn leaves it"


@rule("UC-8.1")
def test_the_end_of_the_table_ends_the_combat() -> None:
    table = fight({"p1": "h01"})
    table.do("gm", "end")
    assert (table.view()["round"], table.view()["turn"]) == (None, None)


@rule("UC-4.1", "UC-8.1")
def test_a_seats_question_changes_with_the_turn() -> None:
    table = fight({"p1": "h01", "p2": "s01"})
    mine, gms = table.asked("p1"), table.asked("gm")
    assert (mine is not None, table.asked("p2")) == (True, None)
    table.do("gm", "flip")
    assert table.asked("p1") != mine
    table.do("p1", "observe", npc=None, card="h01")
    assert table.asked("p1") is None
    assert table.asked("gm") != gms
