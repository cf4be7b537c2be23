"""A check from the call to its result. [UC-4]"""

import pytest

from sessions.modules.uroboros.state import NpcState
from tests.rules import rule

from .table import Table, data, kinds


def npc(**fields: object) -> NpcState:
    given = {"id": "n1", "name": "rat", "rank": 1, "hp": 1, "hp_max": 1, "suits": (), "skills": ()}
    return NpcState(**({"weapon": 0, "armour": 0, "hidden": False} | given | fields))  # type: ignore[arg-type]


@rule("UC-4.1")
def test_a_check_goes_from_declaration_to_refill() -> None:
    table = Table({"p1": "h01 s02", "p2": "s03"}, deck="d01")
    table.do("p1", "declare", text="I climb.")
    assert table.view("p2")["declared"] == {"p1": "I climb."}
    assert table.view()["waiting_for"] == ["gm"]
    events = table.call("p1", 2, label="a wall")
    assert kinds(events) == ["called"]
    view = table.view("p2")
    assert view["declared"] == {}
    assert (view["phase"], view["waiting_for"]) == ("task", ["p1"])
    assert view["task"] == {
        "number": 1,
        "kind": "check",
        "seat": "p1",
        "npc": None,
        "target": None,
        "asked": "p1",
        "difficulty": 2,
        "level": 2,
        "label": "a wall",
        "stage": "play",
        "count": None,
        "need": None,
        "allow_draw": True,
        "under": None,
        "chain": False,
        "raise_to": None,
        "text": "",
        "deed": "a wall",
        "skill": None,
        "q": None,
    }
    events = table.do("p1", "play", card="h01")
    assert kinds(events) == ["played", "decided", "drawn", "received"]
    assert data(events, "played") == {
        "seat": "p1",
        "npc": None,
        "card": "h01",
        "suit": None,
        "source": "hand",
        "success": True,
        "why": "UC-4.2",
    }
    view = table.view("p1")
    assert (view["phase"], view["task"], view["field"]) == ("idle", None, {"card": "h01", "suit": None})
    assert view["me"] == {"hand": ["s02", "d01"], "fits": [], "can": ["declare"]}
    assert view["results"] == [
        {
            "kind": "check",
            "seat": "p1",
            "npc": None,
            "difficulty": 2,
            "card": "h01",
            "success": True,
            "count": None,
            "damage": None,
            "target": None,
        }
    ]


@rule("UC-4.1")
def test_only_the_gm_calls_and_only_one_task_at_a_time() -> None:
    table = Table({"p1": "h01", "p2": "s03"})
    assert table.refusal("p1", "call", seat="p1", difficulty=1) == "gm_only"
    assert table.refusal("p1", "play", card="h01") == "not_asked"
    table.call("p1", 1)
    assert table.refusal("gm", "call", seat="p2", difficulty=1) == "task_running"
    assert table.refusal("gm", "flip") == "task_running"
    assert table.refusal("p2", "play", card="s03") == "not_asked"
    assert table.refusal("p1", "discard", cards=["h01"]) == "not_now"
    assert table.refusal("p1", "name_suit", suit="h") == "not_now"


@rule("UC-4.1")
def test_only_the_last_ten_results_are_kept() -> None:
    table = Table({"p1": "h01"})
    for difficulty in [5, *[0] * 10]:
        table.call("p1", difficulty)
        table.do("p1", "give_up")
    results = table.view()["results"]
    assert len(results) == 10
    assert {result["difficulty"] for result in results} == {0}


@rule("UC-4.1")
def test_any_seat_may_declare_and_a_check_clears_declarations() -> None:
    table = Table({"p1": "h01", "p2": "s03"})
    table.call("p1", 1)
    table.do("p2", "declare", text="first")
    table.do("p2", "declare", text="watch out")
    table.do("gm", "declare", text="thunder")
    assert table.view(None)["declared"] == {"gm": "thunder", "p2": "watch out"}
    assert table.refusal("p2", "declare", text="") == "malformed_move"
    assert table.refusal("p2", "declare", text="x" * 201) == "malformed_move"
    assert table.refusal("p2", "declare", text="a\x00b") == "malformed_move"
    table.do("p2", "declare", text=" ")
    table.do("p2", "declare", text="綾" * 200)
    table.do("p1", "give_up")
    assert table.view()["declared"]
    table.call("p1", 1)
    assert table.view()["declared"] == {}


@rule("UC-4.1")
@pytest.mark.parametrize(
    "fields",
    [
        {"difficulty": 6},
        {"difficulty": -1},
        {"difficulty": True},
        {"difficulty": 1.0},
        {"q": 10},
        {"label": "x" * 81},
        {"label": None},
        {"skill": 0},
        {"seat": "p9"},
        {"seat": None},
        {"npc": "x1"},
        {"npc": 1},
        {"surprise": 1},
    ],
)
def test_a_call_with_impossible_fields_is_malformed(fields: dict[str, object]) -> None:
    table = Table({"p1": "h01"})
    assert table.refusal("gm", "call", **({"seat": "p1", "difficulty": 1} | fields)) == "malformed_move"


@rule("UC-4.1")
def test_a_call_for_an_unknown_seat_or_npc_is_refused() -> None:
    table = Table({"p1": "h01"})
    assert table.refusal("gm", "call", seat="p2", difficulty=1) == "unknown_seat"
    assert table.refusal("gm", "call", seat="gm", difficulty=1) == "npc_needed"
    assert table.refusal("gm", "call", seat="gm", npc="n1", difficulty=1) == "unknown_npc"
    assert table.refusal("gm", "call", seat="p1", npc="n1", difficulty=1) == "npc_not_wanted"


@rule("UC-4.1", "UC-4.8")
def test_the_gm_checks_for_an_npc_from_the_gm_hand() -> None:
    table = Table({"p1": "h01"}, gm="h02 s02", deck="d01")
    table.change(npcs=[npc(suits=("h",))])
    table.call("gm", 3, npc="n1")
    view = table.view("gm")
    assert (view["task"]["seat"], view["task"]["npc"], view["waiting_for"]) == ("gm", "n1", ["gm"])
    assert [fit["success"] for fit in view["me"]["fits"]] == [False, False]
    table.do("gm", "play", card="h02")
    assert table.view()["results"][0]["npc"] == "n1"
    assert len(table.hand("gm")) == 2


@rule("UC-4.2")
@pytest.mark.parametrize(
    ("difficulty", "missing", "level"), [(0, False, 0), (1, True, 2), (4, True, 5), (5, True, 5)]
)
def test_a_missing_tool_makes_it_one_level_harder(difficulty: int, missing: bool, level: int) -> None:
    table = Table({"p1": "h01"})
    table.call("p1", difficulty, tool_missing=missing)
    task = table.view()["task"]
    assert (task["difficulty"], task["level"]) == (difficulty, level)


@rule("UC-4.2")
@pytest.mark.parametrize(
    ("level", "turned"), [(0, False), (1, False), (2, False), (3, True), (4, True), (5, True)]
)
def test_from_level_3_on_the_top_card_is_first_turned(level: int, turned: bool) -> None:
    table = Table({"p1": "h01"}, field="h07", deck="c09")
    events = table.call("p1", level)
    assert kinds(events) == (["called", "turned"] if turned else ["called"])
    assert table.view()["field"]["card"] == ("c09" if turned else "h07")
    assert table.view()["pile_count"] == 1 + turned


@rule("UC-4.2", "UC-4.3")
def test_the_turning_goes_by_the_level_not_by_the_lowered_one() -> None:
    table = Table({"p1": "c01"}, deck="c12", characters={"p1": {"suits": ["c"]}})
    table.call("p1", 3, skill=True)
    assert table.view()["field"]["card"] == "c12"
    assert table.view("p1")["me"]["fits"] == [{"card": "c01", "success": True, "why": "UC-4.3"}]
    table = Table({"p1": "c01"}, deck="c12")
    table.call("p1", 2, tool_missing=True)
    assert table.view()["field"]["card"] == "c12"


@rule("UC-4.2")
def test_a_campaigns_ladder_may_turn_at_any_level() -> None:
    ladder = [{"flip": True, "link": "any", "near": 0}] + [{"flip": False, "link": "near", "near": 0}] * 5
    table = Table({"p1": "c01 h07"}, deck="c12", ladder=ladder)
    assert kinds(table.call("p1", 0)) == ["called", "turned"]
    table.do("gm", "cancel")
    assert kinds(table.call("p1", 5)) == ["called"]


@rule("UC-4.2", "UC-4.9")
def test_a_turning_is_left_out_when_there_is_no_card() -> None:
    table = Table({"p1": "h12"})
    table.change(deck=[], pile=["h07"])
    assert kinds(table.call("p1", 3)) == ["called"]
    assert table.view("p1")["me"]["fits"][0]["success"]


@rule("UC-4.2")
def test_the_items_value_counts_as_nearness() -> None:
    table = Table({"p1": "s05 s04"})
    table.call("p1", 1, q=2)
    assert [fit["success"] for fit in table.view("p1")["me"]["fits"]] == [True, False]


@rule("UC-4.3")
def test_fitting_cards_are_shown_to_the_asked_player_with_the_rule() -> None:
    table = Table({"p1": "h01 d01 s01 x01", "p2": "h02"}, characters={"p1": {"suits": ["h", "s"]}})
    table.call("p1", 2)
    assert table.view("p1")["me"]["fits"] == [
        {"card": "h01", "success": True, "why": "UC-4.2"},
        {"card": "d01", "success": True, "why": "UC-4.3"},
        {"card": "s01", "success": False, "why": "UC-4.2"},
        {"card": "x01", "success": True, "why": "UC-4.4"},
    ]
    assert table.view("p2")["me"]["fits"] == []
    assert table.view("gm")["me"]["fits"] == []


@rule("UC-4.4")
def test_a_joker_played_names_its_suit() -> None:
    table = Table({"p1": "x01 h03"})
    table.call("p1", 5)
    assert table.refusal("p1", "play", card="x01") == "suit_needed"
    assert table.refusal("p1", "play", card="x01", suit="x") == "malformed_move"
    assert table.refusal("p1", "play", card="x01", suit=None) == "malformed_move"
    assert table.refusal("p1", "play", card="h03", suit="h") == "suit_not_wanted"
    events = table.do("p1", "play", card="x01", suit="c")
    assert data(events, "played")["why"] == "UC-4.4"
    assert table.view()["field"] == {"card": "x01", "suit": "c"}
    assert table.view()["results"][0]["success"]


@rule("UC-4.4")
def test_a_joker_turned_up_as_the_target_lets_any_card_succeed() -> None:
    table = Table({"p1": "s13"}, deck="x01")
    table.call("p1", 5)
    assert table.view()["field"] == {"card": "x01", "suit": None}
    assert table.view("p1")["me"]["fits"] == [{"card": "s13", "success": True, "why": "UC-4.4"}]
    table.do("p1", "play", card="s13")
    assert table.view()["results"][0]["success"]


@rule("UC-4.4")
def test_a_discarded_joker_on_the_field_has_no_suit() -> None:
    table = Table({"p1": "x01 x02", "p2": "s01"})
    table.call("p1", 1)
    table.do("p1", "play", card="x01", suit="c")
    table.do("gm", "set_hp", who="p1", hp=1)
    table.do("p1", "discard", cards=["x02"])
    assert table.view()["field"] == {"card": "x02", "suit": None}


@rule("UC-4.5")
@pytest.mark.parametrize("level", [0, 1])
def test_any_card_may_be_played_and_is_the_new_field_card(level: int) -> None:
    table = Table({"p1": "s12"})
    table.call("p1", level)
    assert table.view()["waiting_for"] == ["p1"]
    events = table.do("p1", "play", card="s12")
    assert data(events, "decided")["success"] is (level == 0)
    assert table.view()["field"]["card"] == "s12"


@rule("UC-4.5")
def test_a_card_that_is_not_in_hand_is_refused_wherever_it_is() -> None:
    table = Table({"p1": "s12", "p2": "s03"}, deck="s04", jokers=1)
    table.call("p1", 1)
    for card in ("s03", "s04", "h07", "x02"):
        fields = {"suit": "h"} if card == "x02" else {}
        assert table.refusal("p1", "play", card=card, **fields) == "not_in_hand"
    assert table.refusal("p1", "play", card="s14") == "malformed_move"


@rule("UC-4.6")
def test_a_draw_plays_the_top_card_after_any_turning() -> None:
    table = Table({"p1": "s12"}, deck="c05 c06 c07")
    table.call("p1", 5)
    events = table.do("p1", "draw")
    assert kinds(events) == ["played", "decided"]
    assert (data(events, "played")["card"], data(events, "played")["source"]) == ("c06", "deck")
    assert table.view("p1")["me"]["hand"] == ["s12"]
    assert table.view()["results"][0]["card"] == "c06"


@rule("UC-4.6", "UC-4.4")
def test_a_joker_by_draw_succeeds_and_then_its_suit_is_named() -> None:
    table = Table({"p1": "s12"}, deck="x02")
    table.call("p1", 2)
    events = table.do("p1", "draw")
    assert kinds(events) == ["played"]
    view = table.view("p1")
    assert (view["task"]["stage"], view["task"]["asked"], view["task"]["allow_draw"]) == ("name", "p1", False)
    assert view["field"] == {"card": "x02", "suit": None}
    assert (view["me"]["fits"], view["results"]) == ([], [])
    for move, fields in (("play", {"card": "s12"}), ("draw", {}), ("give_up", {})):
        assert table.refusal("p1", move, **fields) == "not_now"
    assert [move["type"] for move in table.legal("p1")] == ["name_suit"] * 4 + ["declare"]
    events = table.do("p1", "name_suit", suit="d")
    assert kinds(events) == ["named", "decided"]
    assert table.view()["field"] == {"card": "x02", "suit": "d"}
    assert table.view()["results"][0] | {"success": True, "card": "x02"} == table.view()["results"][0]


@rule("UC-4.6", "UC-4.9")
def test_a_draw_from_an_empty_deck_reshuffles_and_without_any_card_is_refused() -> None:
    table = Table({"p1": "s12"})
    table.change(deck=[], pile=["c01", "h07"])
    table.call("p1", 1)
    assert table.view()["task"]["allow_draw"]
    events = table.do("p1", "draw")
    assert kinds(events) == ["reshuffled", "played", "decided"]
    assert data(events, "played")["card"] == "c01"
    table.change(deck=[], pile=["h07"])
    table.call("p1", 1)
    assert not table.view()["task"]["allow_draw"]
    assert {"type": "draw"} not in table.legal("p1")
    assert table.refusal("p1", "draw") == "no_card_left"


@rule("UC-4.7")
def test_giving_up_fails_and_leaves_the_field() -> None:
    table = Table({"p1": "h12"})
    table.call("p1", 0)
    events = table.do("p1", "give_up")
    assert kinds(events) == ["gave_up", "decided"]
    result = table.view()["results"][0]
    assert (result["success"], result["card"]) == (False, None)
    assert table.view()["field"]["card"] == "h07"
    assert table.view("p1")["me"]["hand"] == ["h12"]


@rule("UC-4.10")
@pytest.mark.parametrize("hp", [0, -1, -99])
def test_a_character_who_is_down_cannot_check_or_be_dealt_to(hp: int) -> None:
    table = Table({"p1": "", "p2": "s01"}, characters={"p1": {"hp_max": 3, "hp": hp}})
    table.change(npcs=[npc(hp=0)])
    assert table.refusal("gm", "call", seat="p1", difficulty=0) == "down"
    assert table.refusal("gm", "call", seat="gm", npc="n1", difficulty=0) == "down"
    assert table.refusal("gm", "deal", seat="p1", count=1) == "down"
    table.do("gm", "set_hp", who="p1", hp=1)
    table.call("p1", 0)


@rule("UC-4.10")
def test_a_player_who_falls_during_a_check_still_ends_it() -> None:
    table = Table({"p1": "h01 h02"})
    table.call("p1", 2)
    table.do("gm", "set_hp", who="p1", hp=0)
    table.do("p1", "play", card="h01")
    view = table.view()
    assert view["results"][0]["success"]
    assert (view["task"]["kind"], view["task"]["need"]) == ("adjust", 1)
    table.do("p1", "discard", cards=["h02"])
    assert table.view()["phase"] == "idle"
