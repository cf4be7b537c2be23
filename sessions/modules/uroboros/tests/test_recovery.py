"""Natural recovery, treatment, death. [UC-10.1 to 10.3]"""

import pytest

from tests.rules import rule

from .table import Table, data, kinds
from .test_combat import fight
from .test_supports import with_debts


def wounded(hp: int, hp_max: int = 5, healer: str = "h01 h02", **options: object) -> Table:
    """p1 can treat p2; p2 has this HP and no card yet."""
    table = Table(
        {"p1": healer, "p2": ""}, characters={"p2": {"hp_max": hp_max, "hp": min(hp, 0)}}, **options
    )  # type: ignore[arg-type]
    if hp > 0:
        characters = table.state.characters
        characters["p2"].hp = hp
        table.change(characters=characters)
    return table


def hp(table: Table, who: str = "p2") -> int:
    return int(table.view()["characters"][who]["hp"])


@rule("UC-10.1")
def test_a_day_of_rest_gives_each_character_1_hp_up_to_the_maximum() -> None:
    table = Table(
        {"p1": "h01", "p2": "", "p3": ""}, characters={p: {"hp_max": 3, "hp": -1} for p in ("p2", "p3")}
    )
    wolf = table.add_npc(hp_max=5)
    table.do("gm", "set_hp", who=wolf, hp=1)
    events = table.do("gm", "rest", days=3)
    assert data(events, "rested") == {"days": 3}
    assert (hp(table, "p1"), hp(table, "p2"), hp(table, "p3"), table.view()["npcs"][0]["hp"]) == (1, 2, 2, 4)
    assert len(table.hand("p2")) == 2
    for days in (0, 100, None, True):
        assert table.refusal("gm", "rest", days=days) == "malformed_move"


@rule("UC-10.1")
def test_resting_ends_all_debts_and_all_adjust_in_seating_order_the_gm_last() -> None:
    table = Table({"p2": "h01", "p1": "s01"}, deck="d01 d02 d03 d04 d05 d06")
    for seat in ("gm", "p1", "p2"):
        table.do("gm", "deal", seat=seat, count=1)
    with_debts(table, "p1", "p2", "gm", extra=3)
    table.do("gm", "rest", days=1)
    for seat in ("p2", "p1", "gm"):
        assert (table.view()["waiting_for"], table.view()["task"]["need"]) == ([seat], 1)
        assert table.debts(seat) == (0, False)
        table.do(seat, "discard", cards=table.hand(seat)[:1])
    assert table.view()["phase"] == "idle"


@rule("UC-10.6")
def test_only_a_seated_player_writes_hp_down_in_the_gms_place() -> None:
    table = Table({"p1": "h01", "p2": "s01"})
    assert table.refusal("gm", "set_hp", who="p1", hp=0, by="p3") == "unknown_seat"
    for nobody in ("gm", "n1", "p9", ""):
        assert table.refusal("gm", "set_hp", who="p1", hp=0, by=nobody) == "malformed_move"
    assert data(table.do("gm", "set_hp", who="p2", hp=0, by="p1"), "hp_changed")["by"] == "p1"
    assert "by" not in data(table.do("gm", "set_hp", who="p1", hp=0, by=None), "hp_changed")


@rule("UC-10.1", "UC-8.1")
def test_a_rest_in_combat_is_refused() -> None:
    assert fight({"p1": "h01"}).refusal("gm", "rest", days=1) == "combat_running"


@rule("UC-10.2")
def test_a_treatment_is_a_check_of_the_healer_and_both_adjust() -> None:
    table = wounded(1, deck="d01 d02 d03")
    table.do("p1", "declare", text="hm")
    table.treat("p1", "p2")
    view = table.view()
    task = view["task"]
    assert (task["kind"], task["stage"], task["seat"], task["target"]) == ("treat", "play", "p1", "p2")
    assert (task["label"], task["level"], task["asked"], view["declared"]) == ("", 1, "p1", {})
    events = table.do("p1", "play", card="h01")
    assert kinds(events) == ["played", "decided", "hp_changed", "drawn", "received", "drawn", "received"]
    assert [event.data["seat"] for event in events if event.kind == "drawn"] == ["p1", "p2"]
    assert (hp(table), len(table.hand("p2"))) == (2, 2)
    assert table.result() == {
        "kind": "treat",
        "seat": "p1",
        "npc": None,
        "difficulty": 1,
        "card": "h01",
        "success": True,
        "count": None,
        "damage": None,
        "target": "p2",
    }


@rule("UC-10.2")
@pytest.mark.parametrize(
    ("card", "source", "gain"),
    [("h10", "hand", 1), ("h11", "hand", 2), ("x01", "hand", 2), ("h13", "deck", 1), ("x01", "deck", 1)],
)
@pytest.mark.parametrize(("before", "base"), [(1, 1), (0, 0), (-3, 0)])
def test_a_face_card_or_joker_from_the_hand_heals_2_and_a_negative_hp_counts_as_0(
    card: str, source: str, gain: int, before: int, base: int
) -> None:
    table = wounded(before, healer=card if source == "hand" else "s01", deck="" if source == "hand" else card)
    table.treat("p1", "p2")
    joker = {"suit": "h"} if card == "x01" else {}
    if source == "hand":
        table.do("p1", "play", card=card, **joker)
    else:
        table.do("p1", "draw")
        if joker:
            assert table.view()["task"]["stage"] == "name"
            table.do("p1", "name_suit", suit="h")
    assert hp(table) == base + gain


@rule("UC-10.2")
@pytest.mark.parametrize(("before", "after"), [(2, 2), (0, 0), (-1, 0), (-7, 0)])
@pytest.mark.parametrize("answer", ["play", "give_up"])
def test_a_failed_treatment_brings_a_negative_hp_to_0(before: int, after: int, answer: str) -> None:
    table = wounded(before, healer="s13")
    table.treat("p1", "p2")
    table.do("p1", answer, **({"card": "s13"} if answer == "play" else {}))
    assert (hp(table), table.result()["success"]) == (after, False)
    assert table.refusal(
        "gm", "treat", seat="p1", npc=None, patient="p2", difficulty=1, skill=False, q=0
    ) == ("treated_today")


@rule("UC-10.2")
def test_a_treatment_never_heals_above_the_maximum() -> None:
    table = wounded(3, hp_max=3, healer="h11")
    table.treat("p1", "p2")
    table.do("p1", "play", card="h11")
    assert hp(table) == 3


@rule("UC-10.2", "UC-10.1")
def test_each_patient_is_treated_once_a_day_and_cancelled_ones_do_not_count() -> None:
    table = wounded(1)
    fields = {"seat": "p1", "npc": None, "patient": "p2", "difficulty": 1, "skill": False, "q": 0}
    table.treat("p1", "p2")
    assert table.refusal("gm", "treat", **fields) == "task_running"
    table.do("gm", "cancel")
    assert (table.view()["treated"], hp(table)) == ([], 1)
    table.treat("p1", "p2")
    table.do("p1", "give_up")
    assert table.view()["treated"] == ["p2"]
    assert table.refusal("gm", "treat", **fields) == "treated_today"
    table.treat("p1", "p1")
    table.do("p1", "give_up")
    table.do("gm", "rest", days=1)
    table.treat("p1", "p2")


@rule("UC-10.2", "UC-4.8")
def test_a_cancelled_treatment_lets_only_the_healer_adjust() -> None:
    table = wounded(1, deck="d01")
    table.do("gm", "deal", seat="p1", count=1)
    table.treat("p1", "p2")
    table.do("gm", "cancel")
    assert table.view()["waiting_for"] == ["p1"]
    table.do("p1", "discard", cards=["d01"])
    assert (table.view()["phase"], table.hand("p2")) == ("idle", [])


@rule("UC-10.2", "UC-10.5")
def test_npcs_treat_and_are_treated_from_the_gms_hand() -> None:
    table = Table({"p1": "h01"}, gm="h12 s05", deck="d01 d02")
    wolf, bear = table.add_npc(), table.add_npc(hp_max=4)
    table.do("gm", "set_hp", who=bear, hp=-2)
    table.treat(wolf, bear, 2)
    table.do("gm", "play", card="h12")
    assert (table.view()["npcs"][1]["hp"], len(table.hand("gm"))) == (2, 2)
    fields = {"difficulty": 1, "skill": False, "q": 0}
    assert table.refusal("gm", "treat", seat="p1", npc=None, patient=bear, **fields) == "treated_today"
    assert table.refusal("gm", "treat", seat="p1", npc=None, patient="p9", **fields) == "malformed_move"
    assert table.refusal("gm", "treat", seat="p1", npc=None, patient="p2", **fields) == "unknown_seat"
    assert table.refusal("gm", "treat", seat="p1", npc=None, patient="n7", **fields) == "unknown_npc"
    assert table.refusal("gm", "treat", seat="gm", npc=None, patient="p1", **fields) == "npc_needed"


@rule("UC-10.2", "UC-4.10")
def test_a_healer_who_is_down_does_not_treat() -> None:
    table = wounded(0)
    fields = {"npc": None, "patient": "p1", "difficulty": 1, "skill": False, "q": 0}
    assert table.refusal("gm", "treat", seat="p2", **fields) == "down"


@rule("UC-10.2", "UC-4.2")
def test_a_harder_treatment_turns_a_card() -> None:
    table = wounded(1, deck="c09")
    assert kinds(table.treat("p1", "p2", 4)) == ["called", "turned"]


@rule("UC-10.3")
def test_negative_hp_ends_no_game_and_can_be_treated() -> None:
    table = wounded(-5)
    table.do("gm", "set_hp", who="p2", hp=-99)
    assert (table.view()["phase"], table.view()["waiting_for"]) == ("idle", ["gm"])
    table.treat("p1", "p2")
    table.do("p1", "play", card="h01")
    assert hp(table) == 1
