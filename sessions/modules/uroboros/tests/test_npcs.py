"""NPCs. [UC-10.4, 10.5]"""

from typing import Any

import pytest

from sessions.game import Fate
from tests.rules import rule

from .table import FixedFate, Table, data, kinds


class Suits(FixedFate):
    """Shuffles the suits into an order, and counts."""

    asked = 0

    def shuffle(self, name: str, items: Any) -> list[Any]:
        if name != "npc_suits":
            return super().shuffle(name, items)
        assert list(items) == ["s", "h", "d", "c"]
        self.asked += 1
        return ["c", "d", "h", "s"]


@rule("UC-10.4")
@pytest.mark.parametrize(
    ("rank", "skills", "suits", "gear"),
    [(1, 0, "", 0), (2, 0, "", 0), (3, 1, "", 1), (4, 2, "c", 1), (5, 3, "c", 2), (6, 4, "cd", 2)],
)
def test_an_npcs_omitted_fields_follow_its_rank(rank: int, skills: int, suits: str, gear: int) -> None:
    table = Table({"p1": "h01"})
    table.fate = fate = Suits()
    events = table.do("gm", "add_npc", name="wolf", rank=rank)
    assert data(events, "npc_added") == {"npc": "n1", "name": "wolf", "rank": rank}
    assert table.view("gm")["npcs"] == [
        {
            "id": "n1",
            "name": "wolf",
            "rank": rank,
            "hp": rank,
            "hp_max": rank,
            "suits": list(suits),
            "skills": ["特技1", "特技2", "特技3", "特技4"][:skills],
            "acted": False,
            "special": "",
            "gear": {"weapon": gear, "armour": gear, "hidden": False},
        }
    ]
    assert fate.asked == (1 if rank >= 4 else 0)


@rule("UC-10.4")
def test_an_npcs_given_fields_are_kept() -> None:
    table = Table({"p1": "h01"})
    table.fate = fate = Suits()
    given = {"hp_max": 99, "suits": ["h", "s", "d"], "skills": ["噛む"], "weapon": 8, "armour": 0}
    table.add_npc(rank=6, **given)
    table.add_npc(rank=5, suits=[], skills=[])
    first, second = table.view("gm")["npcs"]
    assert (first["hp"], first["hp_max"], first["suits"], first["skills"]) == (
        99,
        99,
        ["h", "s", "d"],
        ["噛む"],
    )
    assert first["gear"] == {"weapon": 8, "armour": 0, "hidden": False}
    assert (second["suits"], second["skills"], fate.asked) == ([], [], 0)


@rule("UC-10.4")
@pytest.mark.parametrize(
    "bad",
    [
        {"name": ""},
        {"name": "n" * 41},
        {"rank": 0},
        {"rank": 7},
        {"hp_max": 0},
        {"hp_max": 100},
        {"hp_max": None},
        {"suits": ["h", "h"]},
        {"suits": ["s", "h", "d", "c"]},
        {"skills": [""]},
        {"skills": ["s"] * 21},
        {"weapon": 9},
        {"armour": -1},
        {"hidden": 1},
        {"special": "x" * 201},
        {"special": None},
        {"special": "a\x00b"},
        {"hp": 3},
    ],
)
def test_an_impossible_npc_is_refused(bad: dict[str, Any]) -> None:
    table = Table({"p1": "h01"})
    assert table.refusal("gm", "add_npc", **({"name": "wolf", "rank": 1} | bad)) == "malformed_move"
    assert table.refusal("p1", "add_npc", name="wolf", rank=1) == "gm_only"


@rule("UC-10.4")
def test_a_special_ability_in_words_is_the_gms_to_know() -> None:
    table = Table({"p1": "h01"})
    table.add_npc(rank=6, special="飛ぶ" * 100)
    assert table.view("gm")["npcs"][0]["special"] == "飛ぶ" * 100
    for seat in ("p1", None):
        assert table.view(seat)["npcs"][0]["special"] is None


@rule("UC-10.4")
def test_an_npc_of_an_older_table_has_no_special_ability() -> None:
    table = Table({"p1": "h01"})
    table.add_npc(rank=6, special="flies")
    table.snapshot = table.snapshot.replace(b',"special":"flies"', b"")
    assert table.view("gm")["npcs"][0]["special"] == ""


@rule("UC-10.4")
def test_a_table_has_at_most_twenty_npcs_and_never_reuses_their_ids() -> None:
    table = Table({"p1": "h01"})
    assert [table.add_npc() for _ in range(20)] == [f"n{number}" for number in range(1, 21)]
    assert table.refusal("gm", "add_npc", name="wolf", rank=1) == "too_many_npcs"
    assert data(table.do("gm", "remove_npc", npc="n20"), "npc_removed") == {"npc": "n20", "name": "wolf"}
    assert table.refusal("gm", "remove_npc", npc="n20") == "unknown_npc"
    assert table.add_npc() == "n21"


@rule("UC-10.4")
def test_an_npc_with_a_part_in_a_task_cannot_be_removed() -> None:
    table = Table({"p1": "h01 h02", "p2": "s01"})
    wolf, bear, crow, dog = (table.add_npc() for _ in range(4))
    table.contest(wolf, bear, 1)
    for npc in (wolf, bear):
        assert table.refusal("gm", "remove_npc", npc=npc) == "npc_has_part"
    table.interrupt("p2", 1)
    for npc in (wolf, bear):
        assert table.refusal("gm", "remove_npc", npc=npc) == "npc_has_part"
    table.do("gm", "remove_npc", npc=dog)
    table.do("gm", "cancel")
    table.do("gm", "cancel")
    table.do("gm", "remove_npc", npc=wolf)
    table.treat("p1", bear)
    assert table.refusal("gm", "remove_npc", npc=bear) == "npc_has_part"
    table.do("gm", "interrupt", npc=crow, text="caw")
    table.allow("gm", 1)
    assert table.refusal("gm", "remove_npc", npc=crow) == "npc_has_part"
    table.do("gm", "give_up")
    table.do("gm", "remove_npc", npc=crow)


@rule("UC-10.4", "UC-9.1")
def test_an_npcs_request_goes_with_the_npc() -> None:
    table = Table({"p1": "h01"})
    wolf = table.add_npc()
    table.call("p1", 1)
    table.do("gm", "interrupt", npc=wolf, text="growl")
    table.do("gm", "remove_npc", npc=wolf)
    assert (table.view()["interrupts"], table.view()["waiting_for"]) == ([], ["p1"])


@rule("UC-10.4")
def test_a_hidden_npcs_hp_is_the_gms_to_know_but_the_damage_is_public() -> None:
    table = Table({"p1": "h01", "p2": "s01"})
    wolf = table.add_npc(rank=3, hidden=True)
    table.do("gm", "start_combat")
    table.attack("p1", wolf, 1)
    table.do("p1", "play", card="h01")
    events = table.do("gm", "give_up")
    assert [event.to for event in events if event.kind == "hp_changed"] == [("gm",)]
    assert table.result()["damage"] == 1
    for seat in ("p1", None):
        (npc,) = table.view(seat)["npcs"]
        assert (npc["hp"], npc["hp_max"], npc["gear"]) == (None, None, None)
    assert (table.view("gm")["npcs"][0]["hp"], table.view("gm")["npcs"][0]["hp_max"]) == (2, 3)


@rule("UC-10.5")
def test_npcs_play_from_the_one_hand_whose_size_is_not_theirs() -> None:
    table = Table({"p1": "h01"}, gm="h02 s02", deck="d01")
    wolf = table.add_npc(hp_max=9)
    table.call("gm", 1, npc=wolf)
    table.do("gm", "set_hp", who=wolf, hp=0)
    table.do("gm", "play", card="h02")
    assert table.hand("gm") == ["s02", "d01"]


@rule("UC-10.5", "UC-8.8")
def test_the_gm_adjusts_for_an_npc_that_was_hit_without_being_asked() -> None:
    table = Table({"p1": "h01", "p2": "s01"})
    wolf = table.add_npc()
    table.do("gm", "set_hp", who=wolf, hp=0)
    table.do("gm", "deal", seat="gm", count=1)
    table.do("gm", "start_combat")
    table.attack("p1", wolf, 1)
    table.do("p1", "play", card="h01")
    assert (table.view()["waiting_for"], table.view()["task"]["need"]) == (["gm"], 1)


@rule("UC-10.4")
def test_an_npc_may_come_and_go_during_a_task() -> None:
    table = Table({"p1": "h01"})
    table.call("p1", 1)
    wolf = table.add_npc()
    assert kinds(table.do("gm", "remove_npc", npc=wolf)) == ["npc_removed"]
    assert isinstance(table.fate, Fate)
