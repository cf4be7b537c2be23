"""What the table tells of its last moves: the chain, and the moment that all look at."""

from __future__ import annotations

from typing import Any

import pytest

from .table import Table


def moment(table: Table) -> dict[str, Any]:
    return dict(table.view()["moment"])


def beats(table: Table) -> list[tuple[str, str]]:
    return [(beat["kind"], beat["who"]) for beat in moment(table)["beats"]]


def bonds(table: Table) -> list[tuple[str, str]]:
    return [(link["card"], link["by"]) for link in table.view()["chain"]]


@pytest.mark.parametrize(
    ("difficulty", "field", "card", "by", "gap"),
    [
        (0, "h07", "s09", "any", 2),
        (1, "h07", "d02", "colour", 5),
        (1, "h07", "s07", "number", 0),
        (2, "h07", "h02", "suit", 5),
        (2, "h07", "s09", "near", 2),
        (2, "h07", "x01", "joker", None),
        (2, "h07", "s02", "", 5),
    ],
)
def test_a_card_in_the_chain_shows_why_it_fitted_the_one_before(
    difficulty: int, field: str, card: str, by: str, gap: int | None
) -> None:
    table = Table({"p1": f"{card} c13", "p2": "c02"}, field=field)
    table.call("p1", difficulty, q=2 if by == "near" else 0)
    table.do("p1", "play", card=card, **({"suit": "s"} if card == "x01" else {}))
    first, last = moment(table)["links"]
    assert first["card"] == field
    assert (last["card"], last["by"], last["gap"]) == (card, by, gap)
    assert moment(table)["result"]["success"] == bool(by)


def test_a_hard_check_is_joined_by_suit_and_difference() -> None:
    table = Table({"p1": "h05 c13", "p2": "c02"}, field="s07", deck="h09")
    table.call("p1", 3)
    table.do("p1", "play", card="h05")
    assert bonds(table)[-3:] == [("s07", ""), ("h09", ""), ("h05", "suit_near")]
    assert moment(table)["links"][-1]["gap"] == 4


def test_a_verdict_keeps_the_deed_that_was_attempted() -> None:
    table = Table({"p1": "h01 c13", "p2": "c02"})
    table.do("p1", "declare", text="I climb the wall")
    table.call("p1", 2)
    assert table.view()["task"]["deed"] == "I climb the wall"
    table.do("p1", "play", card="h01")
    assert moment(table)["deed"] == table.view()["result_deed"] == "I climb the wall"
    table.call("p1", 2, label="swim")
    assert table.view()["task"]["deed"] == "swim"


def test_an_interrupt_keeps_its_own_deed_and_that_of_the_check() -> None:
    table = Table({"p1": "h01 c13", "p2": "h02 c02"})
    table.call("p1", 2, label="swim")
    table.interrupt("p2", 2)
    table.do("p2", "play", card="h02")
    assert moment(table)["deed"] == "wait!"
    assert table.view()["task"]["deed"] == "swim"
    table.do("p1", "play", card="h01")
    assert moment(table)["deed"] == "swim"


def test_no_old_cue_stays_in_sight_when_a_task_begins() -> None:
    table = Table({"p1": "h01 c13", "p2": "c02"})
    table.call("p1", 2)
    table.do("p1", "play", card="h01")
    before = moment(table)["number"]
    table.call("p2", 2)
    now = moment(table)
    assert (now["links"], now["result"], now["beats"]) == ([], None, [])
    assert now["number"] > before


def test_a_chain_grows_card_by_card() -> None:
    table = Table({"p1": "h01 h02 s13", "p2": "c02"})
    table.call("p1", 2, chain=True)
    numbers = []
    for count, card in enumerate(("h01", "h02"), 1):
        table.do("p1", "play", card=card)
        assert (moment(table)["count"], moment(table)["result"]) == (count, None)
        numbers.append(moment(table)["number"])
    assert numbers == sorted(set(numbers))
    table.do("p1", "play", card="s13")
    assert moment(table)["result"]["count"] == 2
    assert bonds(table)[-3:] == [("h01", "suit"), ("h02", "suit"), ("s13", "")]


def test_the_chain_keeps_seven_cards_and_ends_with_the_field_card() -> None:
    table = Table({"p1": "c13", "p2": "c02"}, deck="s01 s02 s03 s04 s05 s06 s07 s08")
    for _ in range(8):
        table.do("gm", "flip")
    assert [card for card, _ in bonds(table)] == [f"s{n:02}" for n in range(2, 9)]
    assert table.view()["field"]["card"] == "s08"


def test_a_joker_from_the_deck_has_its_suit_once_it_is_named() -> None:
    table = Table({"p1": "c13", "p2": "c02"}, deck="x01")
    table.call("p1", 2)
    table.do("p1", "draw")
    assert beats(table) == [("joker", "p1")]
    table.do("p1", "name_suit", suit="d")
    assert table.view()["chain"][-1]["suit"] == "d"
    assert moment(table)["links"][-1]["by"] == "joker"
    assert moment(table)["result"]["success"]


def test_cues_tell_falls_and_rescues() -> None:
    table = Table({"p1": "h01 c13", "p2": "h02"})
    table.do("gm", "set_hp", who="p2", hp=0)
    assert beats(table) == [("fell", "p2")]
    table.do("p2", "discard", cards=["h02"])
    table.treat("p1", "p2")
    table.do("p1", "play", card="h01")
    assert beats(table) == [("rose", "p2")]
    assert moment(table)["result"]["success"]


def test_a_cue_tells_the_hit_that_fells_the_last_foe() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "c02"})
    one, two = table.add_npc(), table.add_npc()
    table.do("gm", "start_combat")
    table.do("gm", "set_hp", who=one, hp=0)
    assert beats(table) == [("fell", one)]
    table.attack("p1", two, 2)
    table.do("p1", "play", card="h01")
    table.do("gm", "give_up")
    assert beats(table) == [("fell", two), ("last_foe", two)]


def test_no_cue_tells_the_fall_of_a_foe_with_hidden_hp() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "c02"})
    hidden, seen = table.add_npc(hidden=True), table.add_npc()
    table.do("gm", "start_combat")
    before = moment(table)
    table.do("gm", "set_hp", who=hidden, hp=0)
    assert moment(table) == before
    table.do("gm", "set_hp", who=seen, hp=0)
    assert beats(table) == [("fell", seen)]


def scale(table: Table) -> tuple[str, int]:
    return moment(table)["kind"], moment(table)["lasts"]


def changes(table: Table) -> list[tuple[str, int, int]]:
    return [(change["who"], change["was"], change["hp"]) for change in moment(table)["changes"]]


def struck(table: Table, foe: str, whom: str, difficulty: int) -> None:
    """In the GM's turn a foe hits a player, who does not defend."""
    while table.view()["turn"] != "gm":
        table.do("gm", "end_turn")
    table.attack(foe, whom, difficulty)
    table.do("gm", "play", card="h05")
    table.do(whom, "give_up")


def test_a_cue_lasts_longer_for_a_graver_event() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "c02 c03 c04"}, gm="h05 d02 d03")
    table.call("p1", 2)
    table.do("p1", "play", card="h01")
    assert scale(table) == ("check", 1200)
    foe = table.add_npc(hp_max=9)
    table.do("gm", "start_combat")
    assert (*scale(table), moment(table)["round"]) == ("round", 1200, 1)
    struck(table, foe, "p1", 1)
    assert (*scale(table), changes(table)) == ("hit", 1600, [("p1", 3, 2)])
    table.do("p1", "discard", cards=["h02"])
    table.do("gm", "end_turn")
    assert (*scale(table), moment(table)["round"]) == ("round", 1200, 2)
    table.do("gm", "set_hp", who=foe, hp=0)
    assert scale(table) == ("last_foe", 4000)
    assert [link["card"] for link in moment(table)["ring"]] == [c for c, _ in bonds(table)]
    table.do("gm", "end")
    assert scale(table) == ("end", 8000)


def test_a_falls_cue_names_the_helpers_before_the_hand_is_discarded() -> None:
    table = Table({"p1": "h01 h02", "p2": "c02 c03", "p3": "h09"}, gm="h05 s02 s03 s04")
    foe = table.add_npc()
    table.do("gm", "set_hp", who="p3", hp=0)
    table.do("p3", "discard", cards=["h09"])
    table.do("gm", "start_combat")
    struck(table, foe, "p1", 2)
    assert table.view()["waiting_for"] == ["p1"], "the fallen has still to discard"
    assert (*scale(table), changes(table)) == ("fall", 3000, [("p1", 2, 0)])
    assert (moment(table)["helpers"], moment(table)["treated"]) == (["p2"], False)


def test_a_falls_cue_names_no_helper_for_a_character_treated_today() -> None:
    table = Table({"p1": "h01 h02", "p2": "h09"})
    table.do("gm", "set_hp", who="p2", hp=0)
    table.do("p2", "discard", cards=["h09"])
    table.treat("p1", "p2")
    table.do("p1", "play", card="h01")
    assert (*scale(table), changes(table)) == ("rescue", 2000, [("p2", 0, 1)])
    table.do("gm", "set_hp", who="p2", hp=0)
    assert (moment(table)["helpers"], moment(table)["treated"]) == ([], True)


def test_the_fall_of_a_foe_is_a_hit_and_its_hidden_hp_stays_hidden() -> None:
    table = Table({"p1": "h01 h02 h03", "p2": "c02"})
    seen, hidden = table.add_npc(), table.add_npc(hidden=True)
    table.do("gm", "set_hp", who=seen, hp=0)
    assert scale(table) == ("hit", 1600)
    table.do("gm", "start_combat")
    table.attack("p1", hidden, 2)
    table.do("p1", "play", card="h01")
    table.do("gm", "give_up")
    assert (*scale(table), changes(table)) == ("hit", 1600, [])


def test_the_last_cue_shows_the_longest_run_of_fitting_cards() -> None:
    table = Table({"p1": "h01 h02 s13 c01", "p2": "h03 c02 c03 c04"}, deck="d11 d12 d13 x01")
    for who, card in (("p1", "h01"), ("p2", "h03"), ("p1", "h02")):
        table.call(who, 2)
        table.do(who, "play", card=card)
    table.call("p2", 2)
    table.do("p2", "draw")
    table.do("p2", "name_suit", suit="c")
    table.call("p1", 2)
    table.do("p1", "play", card="s13")
    table.do("gm", "end")
    best = [(link["card"], link["suit"]) for link in moment(table)["ring"]]
    assert best == [("h01", None), ("h03", None), ("h02", None), ("x01", "c")]
    assert beats(table) == [("ended", "gm")]


def test_a_short_run_of_fitting_cards_is_left_out_of_the_last_cue() -> None:
    table = Table({"p1": "h01 c13", "p2": "c02"})
    table.call("p1", 2)
    table.do("p1", "play", card="h01")
    table.do("gm", "end")
    assert moment(table)["ring"] == []
