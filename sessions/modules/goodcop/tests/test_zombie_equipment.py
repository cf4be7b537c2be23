"""The nine designs that come with the zombies."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.modules.goodcop.tests.table import UNDEAD, Game, at, kinds

rule = pytest.mark.rule


def game(card: str, cards: str = UNDEAD, *zombies: str, user: str = "p1", **others: str) -> Game:
    made = Game(cards, {user: card} | others, zombies=True)
    made.undead(*zombies)
    made.change(turn=user)
    return made


def pair(a: Any, b: Any) -> dict[str, Any]:
    return {"a": a, "b": b}


def way(source: Any, to: Any) -> dict[str, Any]:
    return {"from": source, "to": to}


@rule("GC-8.14")
def test_a_crossbow_shoots_an_armed_player_and_keeps_the_own_gun() -> None:
    table = game("crossbow", "A H H | K+ C C | Z H C | C C H")
    assert table.refused("p1", "crossbow", seat="p4") == "no_target"
    for seat in ("p1", "p2", "p4"):
        table.arm(seat, "p3")
    assert [move["seat"] for move in table.legal("p1", "crossbow")] == ["p4"]
    table.play("p1", "crossbow", seat="p4")
    assert (table.player("p4")["zombie"], table.player("p4")["armed"]) == (True, False)
    assert table.player("p1")["armed"] == "gun"
    assert (table.phase, table.turn) == ("action", "p1")


@rule("GC-8.14")
def test_a_crossbow_wounds_a_hidden_leader() -> None:
    table = game("crossbow", "A H H | K C C | Z H C | C C H", p2="coffee")
    table.arm("p2", "p3")
    table.play("p1", "crossbow", seat="p2")
    assert table.player("p2")["cards"][0]["wounded"] is True
    assert table.player("p2")["armed"] == "gun"
    assert (table.phase, table.waiting) == ("discard", ["p2"])
    table = game("crossbow", "A H H | K C C | Z+ H+ C+ | C C H", "p3")
    table.arm("p3", "p2")
    table.play("p1", "crossbow", seat="p3")
    assert table.player("p3")["aim"] == "p3"


def test_a_transfusion_tube_moves_infection_tokens_between_cards() -> None:
    table = game("transfusion_tube", "A* H H | K C C* | Z H C | C C H")
    for moves in (
        [],
        [way(at("p1", 1), at("p2", 0))],
        [way(at("p1", 0), at("p2", 2))],
        [way(at("p1", 0), at("p2", 0)), way(at("p2", 2), at("p2", 0))],
        [way(at("p1", 0), at("p2", 0)), way(at("p2", 0), at("p3", 0))],
    ):
        assert table.refused("p1", "transfusion_tube", moves=moves) == "bad_target"
    table.play("p1", "transfusion_tube", moves=[way(at("p1", 0), at("p1", 2)), way(at("p2", 2), at("p4", 0))])
    assert [table.tokens(seat) for seat in ("p1", "p2", "p4")] == [
        [False, False, True],
        [False, False, False],
        [True, False, False],
    ]
    table = game("transfusion_tube")
    assert table.refused("p1", "transfusion_tube", moves=[way(at("p1", 0), at("p2", 0))]) == "no_target"


@rule("GC-8.2")
def test_a_zombie_serum_rolls_the_infection_die_again() -> None:
    table = game("zombie_serum", p4="coffee")
    assert table.refused("p1", "zombie_serum") == "wrong_time"
    table.do("p1", "investigate", seat="p2", position=0)
    assert table.refused("p1", "zombie_serum") == "wrong_time"
    table.do("p1", "pass")
    table.do("p4", "pass", {"infection": [1]})
    table.do("p4", "pass")
    events = table.play("p1", "zombie_serum", {"infection": [5]})
    assert [event.data for event in events if event.kind == "rolled"] == [
        {"seat": "p1", "dice": "infection", "faces": [5], "again": True}
    ]
    assert (table.phase, table.waiting) == ("dice", ["p4"])
    table.do("p4", "pass")
    assert table.tokens("p1") == [False] * 3


@rule("GC-8.2")
def test_a_zombie_serum_rolls_the_dice_of_a_bite_again() -> None:
    table = game("zombie_serum", "A H* H | K C C | Z+ H+ C+ | C C H", "p3")
    table.change(turn="p3")
    table.arm("p3", "p1")
    table.do("p3", "bite", position=0)
    table.do("p1", "pass", {"zombie": [1, 1]})
    table.play("p1", "zombie_serum", {"zombie": [4, 4]})
    assert table.outcome() is None
    assert table.phase == "aim"


def test_a_flamethrower_makes_zombies_aim_at_themselves() -> None:
    table = game("flamethrower")
    assert table.refused("p1", "flamethrower") == "no_target"
    table = game("flamethrower", "A H H | K C C | Z+ H C+ | C+ C+ H+", "p3", "p4", user="p4")
    table.arm("p3", "p1")
    table.arm("p4", "p1")
    table.play("p4", "flamethrower")
    assert [table.player(seat)["aim"] for seat in ("p3", "p4")] == ["p3", "p4"]
    assert table.up("p3") == [True, False, True]


@rule("GC-8.14")
def test_a_chainsaw_on_a_leader_card_hurts_its_user() -> None:
    table = game("chainsaw", "A H H | K C C | Z H C | C C H", user="p4")
    table.play("p4", "chainsaw", seat="p2", position=0)
    assert table.up("p2") == [True, False, False]
    assert table.player("p4")["zombie"] is True
    assert (table.phase, set(table.types("p4"))) == ("action", {"weapon", "equip"})


@rule("GC-8.3", "GC-8.14")
def test_a_player_whose_shot_reveals_their_own_infector_draws() -> None:
    table = game("chainsaw", user="p3")
    table.play("p3", "chainsaw", seat="p2", position=0)
    assert (table.player("p3")["zombie"], table.player("p3")["hand_count"]) == (True, 1)


@rule("GC-8.3", "GC-8.14")
def test_a_chainsaw_on_another_card_hurts_the_cards_owner() -> None:
    table = game("chainsaw", "A H H+ | K C C | Z H C | C C H")
    assert table.refused("p1", "chainsaw", seat="p1", position=0) == "bad_target"
    table.play("p1", "chainsaw", seat="p3", position=1)
    assert (table.player("p3")["zombie"], table.player("p1")["hand_count"]) == (True, 1)
    table = game("chainsaw", "A H H | K C C | Z H C | C C H")
    table.play("p1", "chainsaw", seat="p2", position=1)
    assert table.player("p2")["cards"][0]["wounded"] is True
    table = game("chainsaw", "A H H | K C C | Z H+ C+ | C C H", "p3")
    table.arm("p3", "p1")
    table.play("p1", "chainsaw", seat="p3", position=0)
    assert (table.player("p3")["aim"], table.player("p1")["hand_count"]) == ("p3", 1)


@rule("GC-8.12")
def test_a_zombie_mask_swaps_two_face_up_leader_or_infector_cards() -> None:
    table = game("zombie_mask", "A+! H H | K C C | Z+ H+ C+ | C C H", "p3")
    table.arm("p3", "p1")
    table.arm("p1", "p3")
    assert table.refused("p1", "zombie_mask", a=at("p1", 0), b=at("p2", 0)) == "bad_target"
    assert len(table.legal("p1", "zombie_mask")) == 2
    table.play("p1", "zombie_mask", a=at("p1", 0), b=at("p3", 0))
    assert [table.player(seat)["zombie"] for seat in ("p1", "p3")] == [True, False]
    assert [table.player(seat)["armed"] for seat in ("p1", "p3")] == [False, False]
    assert table.player("p3")["cards"][0]["wounded"] is True
    assert table.outcome() is None


@rule("GC-8.12")
def test_a_machete_swaps_zombies_cards_with_face_up_cards_of_others() -> None:
    table = game("machete", "A H+ H+ | K C+ C | Z+ H+ C | C+ C H", "p3")
    for pairs in (
        [],
        [pair(at("p1", 1), at("p2", 1))],
        [pair(at("p3", 0), at("p1", 0))],
        [pair(at("p3", 0), at("p1", 1)), pair(at("p3", 0), at("p1", 2))],
        [pair(at("p3", 0), at("p1", 1)), pair(at("p3", 1), at("p1", 1))],
    ):
        assert table.refused("p1", "machete", pairs=pairs) == "bad_target"
    table.play("p1", "machete", pairs=[pair(at("p3", 2), at("p1", 1)), pair(at("p3", 0), at("p4", 0))])
    assert [card["face"] for card in table.player("p3")["cards"]] == ["crooked", "honest", "honest"]
    assert table.player("p3")["zombie"] is True
    assert table.player("p4")["zombie"] is True
    assert table.view("p1")["me"]["cards"] == ["agent", "crooked", "honest"]
    assert table.up("p1") == [False, False, True]


def test_a_machete_swaps_with_one_zombie_at_a_time() -> None:
    table = game("machete", "A H+ H+ | K C+ C | Z+ H+ C+ | C+ C+ H+", "p3", "p4")
    pairs = [pair(at("p3", 0), at("p2", 1)), pair(at("p4", 0), at("p1", 1))]
    assert table.refused("p1", "machete", pairs=pairs) == "bad_target"


def test_a_weapon_crate_arms_each_unarmed_player_with_a_token() -> None:
    table = game("weapon_crate", "A H H | K* C C | Z+ H+ C+* | C C* H", "p3", user="p2", p4="coffee")
    table.arm("p4", "p1")
    table.change(order=["p1", "p4", "p2", "p3"], direction=-1)
    table.play("p2", "weapon_crate")
    assert [table.player(seat)["armed"] for seat in ("p1", "p2", "p3", "p4")] == [False, "gun", "arms", "gun"]
    assert table.player("p3")["aim"] is None
    assert (table.phase, table.waiting) == ("aim", ["p2"])
    assert table.refusal("p3", "aim", seat="p1") == "not_asked"
    table.do("p2", "aim", seat="p3")
    assert table.waiting == ["p3"]
    table.do("p3", "aim", seat="p2")
    assert (table.phase, table.turn) == ("action", "p2")
    assert not any(table.up("p2"))
    table = game("weapon_crate")
    assert table.refused("p1", "weapon_crate") == "no_target"


def test_weapon_crate_asks_in_turn_order_from_the_turn_player() -> None:
    table = game("weapon_crate", "A* H H | K* C C | Z H C* | C* C H", user="p2")
    table.change(order=["p1", "p4", "p2", "p3"], direction=-1)
    table.play("p2", "weapon_crate")
    asked = []
    while table.phase == "aim":
        (seat,) = table.waiting
        asked.append(seat)
        table.do(seat, "aim", seat="p1" if seat != "p1" else "p2")
    assert asked == ["p2", "p4", "p1", "p3"]


def test_an_alarm_clock_infects_a_player_and_makes_zombies_aim_at_them() -> None:
    table = game("alarm_clock", "A H H | K C C | Z+ H+ C+ | C+ C+* H+", "p3", "p4")
    table.arm("p3", "p2")
    table.arm("p4", "p2")
    table.arm("p2", "p1")
    table.play("p1", "alarm_clock", seat="p4")
    assert table.tokens("p4") == [True, True, False]
    assert [table.player(seat)["aim"] for seat in ("p2", "p3", "p4")] == ["p1", "p4", "p2"]


def test_an_alarm_clock_infects_nothing_without_a_free_card() -> None:
    table = game("alarm_clock", "A* H* H* | K C C | Z+ H+ C+ | C C H", "p3")
    table.arm("p3", "p2")
    events = table.play("p1", "alarm_clock", seat="p1")
    assert "infected" not in kinds(events)
    assert table.player("p3")["aim"] == "p1"


def test_a_shot_by_an_equipment_card_cannot_be_redirected() -> None:
    """No player reacts while a card resolves: the turn player simply goes on."""
    table = game("crossbow", UNDEAD, p4="riot_shield")
    table.arm("p4", "p1")
    table.play("p1", "crossbow", seat="p4")
    assert table.player("p4")["zombie"] is True
    assert (table.phase, table.waiting) == ("action", ["p1"])


@rule("GC-8.9")
def test_a_shield_may_hand_the_bite_back_to_the_biter() -> None:
    table = game("riot_shield", "A H H | K C C | Z+ H+ C+ | C C H", "p3", user="p2")
    table.change(turn="p3")
    table.arm("p3", "p2")
    table.do("p3", "bite", position=0)
    table.play("p2", "riot_shield")
    events = table.do("p2", "shield", seat="p3")
    assert "rolled" not in kinds(events)
    assert (table.tokens("p2"), table.tokens("p3"), table.phase) == ([False] * 3, [False] * 3, "aim")


@rule("GC-5.4", "GC-8.14")
def test_a_wounded_leader_may_fall_by_their_own_chainsaw_in_a_reaction() -> None:
    table = game("chainsaw", "A! H+ H+ | K C C | Z H C | C C H", p4="coffee")
    table.change(turn="p2")
    table.do("p2", "investigate", seat="p3", position=1)
    table.play("p1", "chainsaw", seat="p2", position=0)
    assert table.outcome() == {"winners": ["p2", "p4"], "reason": "crooked"}
    assert (table.waiting, table.phase, table.view()["declared"]) == ([], "over", None)


@rule("GC-6.3")
def test_a_crate_in_the_end_window_is_followed_by_a_new_window() -> None:
    table = game("weapon_crate", "A* H H | K C C | Z H C | C C H", p4="coffee")
    table.do("p1", "investigate", seat="p3", position=1)
    for _ in range(2):
        table.all_pass({"infection": [6]})
    assert table.phase == "end_reaction"
    table.play("p1", "weapon_crate")
    assert (table.phase, table.waiting) == ("aim", ["p1"])
    assert table.refusal("p1", "keep") == "must_aim_anew"
    table.do("p1", "aim", seat="p2")
    assert (table.phase, table.waiting, table.turn) == ("end_reaction", ["p4"], "p1")
