"""Zombies: chapter 8 without its equipment."""

from __future__ import annotations

import pytest

from sessions.modules.goodcop.tests.table import UNDEAD, Game, at, kinds

rule = pytest.mark.rule
DEAD = "A H H | K C C | Z+ H+ C+ | C C H"  # p3 is a zombie


def game(cards: str = UNDEAD, hands: dict[str, str] | None = None, *zombies: str) -> Game:
    made = Game(cards, hands, zombies=True)
    made.undead(*zombies)
    return made


def dead(hands: dict[str, str] | None = None, turn: str = "p3", cards: str = DEAD) -> Game:
    """p3 is a zombie, and it is its turn."""
    made = game(cards, hands, "p3")
    made.change(turn=turn)
    return made


@rule("GC-8.1")
def test_the_infector_is_of_the_zombies_and_acts_as_a_cop() -> None:
    table = game()
    assert table.team("p3") == "zombie"
    assert table.view("p3")["me"]["leader"] is False
    assert table.player("p3")["zombie"] is False
    table.change(turn="p3")
    assert set(table.types("p3")) == {"investigate", "arm", "equip"}


@rule("GC-8.2")
@pytest.mark.parametrize(("face", "token"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_hidden_infector_makes_a_player_roll_the_infection_die(face: int, token: bool) -> None:
    table = game(hands={"p4": "coffee"})
    table.do("p1", "investigate", seat="p2", position=0)
    events = table.do("p4", "pass", {"infection": [face]})
    assert "rolled" in kinds(events)
    assert table.phase == "dice"
    assert table.view()["dice"] == {"kind": "infection", "seat": "p1", "faces": [face]}
    assert table.tokens("p1") == [False] * 3
    assert table.types("p4") == ["pass"]
    assert table.refused("p4", "coffee") == "wrong_time"
    table.do("p4", "pass")
    assert table.tokens("p1") == [token, False, False]
    assert (table.phase, table.view()["dice"]) == ("end_reaction", None)


@rule("GC-8.2")
def test_a_token_goes_on_the_leftmost_free_card_and_three_stop_the_die() -> None:
    table = game("A* H H | K C C | Z H C | C C H")
    table.do("p1", "investigate", {"infection": [1]}, seat="p2", position=0)
    assert table.tokens("p1") == [True, True, False]
    table = game("A* H* H* | K C C | Z H C | C C H")
    assert "rolled" not in kinds(table.do("p1", "investigate", seat="p2", position=0))
    assert table.turn == "p2"


@rule("GC-8.2")
def test_the_die_comes_after_the_aim_and_before_the_window() -> None:
    table = game(hands={"p4": "coffee"})
    table.do("p1", "arm", reveal=0, aim="p2")
    table.all_pass()
    assert (table.phase, table.view()["dice"]) == ("aim", None)
    table.do("p1", "keep", {"infection": [6]})
    assert table.phase == "dice"


@rule("GC-8.2")
def test_a_revealed_infector_or_a_zombie_rolls_no_infection_die() -> None:
    table = dead(turn="p1")
    assert "rolled" not in kinds(table.do("p1", "investigate", seat="p2", position=0))
    table = game(UNDEAD, None, "p1")
    assert "rolled" not in kinds(table.do("p1", "equip", reveal=None))


@rule("GC-8.3")
def test_an_investigated_infector_becomes_a_zombie_and_the_investigator_draws() -> None:
    table = game(hands={"p3": "coffee"})
    table.arm("p3", "p1")
    table.do("p1", "investigate", seat="p3", position=0)
    table.all_pass()
    player = table.player("p3")
    assert (player["zombie"], player["armed"], player["hand_count"]) == (True, False, 1)
    assert table.up("p3") == [True] * 3
    assert table.player("p1")["hand_count"] == 1


@rule("GC-8.3")
def test_a_player_who_turns_the_infector_up_draws() -> None:
    table = game(hands={"p1": "truth_serum"})
    table.play("p1", "truth_serum", seat="p3", position=0)
    assert (table.player("p3")["zombie"], table.player("p1")["hand_count"]) == (True, 1)
    table = game(hands={"p3": "truth_serum"})
    table.change(turn="p3")
    table.play("p3", "truth_serum", seat="p3", position=0)
    assert (table.player("p3")["zombie"], table.player("p3")["hand_count"]) == (True, 1), "the holder too"


@rule("GC-8.3")
def test_an_infector_turned_up_by_a_camera_gives_only_one_equipment_card() -> None:
    table = game()
    table.set("p3", active=["surveillance_camera"])
    table.do("p1", "investigate", seat="p3", position=0)
    assert table.player("p1")["hand_count"] == 1
    assert table.player("p3")["zombie"] is True


@rule("GC-8.3")
def test_the_other_side_of_a_polygraph_draws_for_it_and_discards() -> None:
    table = game(hands={"p3": "polygraph", "p1": "coffee"})
    table.change(turn="p3")
    table.play("p3", "polygraph", seat="p1")
    assert (table.phase, table.waiting) == ("discard", ["p1"])
    table.do("p1", "discard", card="coffee")
    assert (table.phase, table.turn, table.player("p3")["zombie"]) == ("action", "p3", True)
    assert set(table.types("p3")) == {"weapon", "equip"}


@rule("GC-8.3")
def test_a_card_turned_up_by_two_causes_is_turned_up_once() -> None:
    table = game(hands={"p3": "polygraph"})
    table.change(turn="p3")
    table.set("p3", active=["surveillance_camera"])
    events = table.play("p3", "polygraph", seat="p1")
    turned = [event.data["position"] for event in events if event.kind == "turned_up"]
    assert sorted(turned) == [0, 1, 2]
    assert table.player("p1")["hand_count"] == 1


@rule("GC-8.3")
def test_a_shot_that_reveals_the_infector_lets_the_shooter_draw() -> None:
    table = game()
    table.arm("p1", "p3")
    table.do("p1", "shoot")
    assert (table.player("p3")["zombie"], table.player("p1")["hand_count"]) == (True, 1)
    assert table.player("p1")["armed"] is False


@rule("GC-8.3")
def test_no_player_draws_when_dice_reveal_the_infector() -> None:
    table = game("A H H | K C C | Z H C | C+ C+ H+", None, "p4")
    table.arm("p4", "p3")
    table.change(turn="p4")
    table.do("p4", "bite", {"zombie": [1]}, position=0)
    assert table.player("p3")["zombie"] is True
    assert all(table.player(seat)["hand_count"] == 0 for seat in ("p1", "p2", "p3", "p4"))


@rule("GC-8.3")
def test_a_zombie_found_with_the_infector_keeps_its_arms() -> None:
    table = game("A H H | K C C | Z H+ C | C C H", None, "p3")
    table.arm("p3", "p4")
    table.do("p1", "investigate", seat="p3", position=0)
    player = table.player("p3")
    assert (table.up("p3"), player["armed"], player["aim"]) == ([True] * 3, "arms", "p4")
    assert table.player("p1")["hand_count"] == 1


@rule("GC-8.4", "GC-8.5")
def test_a_shot_player_without_a_leader_card_becomes_a_zombie() -> None:
    table = game("A H H | K C C | Z H C | C* C H", {"p4": "coffee"})
    table.arm("p1", "p4")
    table.arm("p4", "p1")
    table.do("p1", "shoot")
    table.all_pass()
    assert table.of("p4", "alive", "zombie", "armed", "hand_count") == [True, True, False, 1]
    assert (table.up("p4"), table.tokens("p4")) == ([True] * 3, [True, False, False])
    assert table.team("p4") == "zombie"
    assert table.player("p1")["hand_count"] == 0


@rule("GC-8.4")
def test_a_shot_leader_is_wounded_with_zombies_too() -> None:
    table = game()
    table.arm("p1", "p2")
    table.do("p1", "shoot")
    assert table.player("p2")["zombie"] is False
    assert table.player("p2")["cards"][0]["wounded"] is True


@rule("GC-8.6")
def test_the_infector_that_pays_for_a_gun_gets_arms() -> None:
    table = game()
    table.change(turn="p3")
    table.do("p3", "arm", reveal=0, aim="p1")
    assert table.of("p3", "zombie", "armed", "aim") == [True, "arms", "p1"]
    assert table.up("p3") == [True] * 3
    assert table.phase == "aim"


@rule("GC-8.3", "GC-8.6")
def test_a_player_who_pays_for_a_gun_with_the_infector_draws() -> None:
    table = game(hands={"p3": "coffee"})
    table.change(turn="p3")
    table.do("p3", "arm", reveal=0, aim="p1")
    table.all_pass()
    assert (table.phase, table.waiting) == ("discard", ["p3"])
    assert table.of("p3", "zombie", "armed", "aim", "hand_count") == [True, "arms", "p1", 2]
    table.do("p3", "discard", card="coffee")
    assert (table.phase, table.player("p3")["hand_count"]) == ("aim", 1)


@rule("GC-8.3", "GC-8.6")
def test_a_player_who_pays_for_equipment_with_the_infector_draws_twice() -> None:
    table = game()
    table.change(turn="p3")
    events = table.do("p3", "equip", reveal=0)
    assert (table.phase, table.of("p3", "zombie", "hand_count")) == ("discard", [False, 2])
    table.do("p3", "discard", card=table.view("p3")["me"]["hand"][0])
    assert kinds(events).count("drawn") == 2
    assert table.of("p3", "zombie", "hand_count") == [True, 1]


@rule("GC-8.6", "GC-4.4")
def test_the_infector_who_pays_for_equipment_draws_and_then_becomes_a_zombie() -> None:
    table = game(hands={"p3": "coffee"})
    table.arm("p3", "p1")
    table.change(turn="p3")
    table.do("p3", "equip", reveal=0)
    table.all_pass()
    assert (table.phase, table.of("p3", "zombie")) == ("discard", [False])
    assert table.up("p3") == [True, False, False]
    table.do("p3", "discard", card="coffee")
    assert (table.phase, table.of("p3", "zombie", "hand_count")) == ("discard", [False, 2])
    table.do("p3", "discard", card=table.view("p3")["me"]["hand"][0])
    player = table.player("p3")
    assert (player["zombie"], player["armed"], table.up("p3")) == (True, False, [True] * 3)
    assert table.phase == "end_reaction"


@rule("GC-8.7")
def test_zombies_may_only_take_arms_equip_and_bite() -> None:
    table = dead()
    assert set(table.types("p3")) == {"weapon", "equip"}
    assert table.refusal("p3", "investigate", seat="p1", position=0) == "cops_only"
    assert table.refusal("p3", "arm", reveal=None, aim="p1") == "cops_only"
    assert table.refusal("p3", "shoot") == "cops_only"
    assert table.refusal("p3", "bite", position=0) == "not_armed"
    assert table.refusal("p3", "weapon", aim="p3") == "aim_at_yourself"
    table.do("p3", "weapon", aim="p1")
    assert (table.player("p3")["armed"], table.phase) == ("arms", "aim")
    table.do("p3", "aim", seat="p2")
    table.change(turn="p3")
    assert set(table.types("p3")) == {"bite", "equip"}
    assert table.refusal("p3", "weapon", aim="p1") == "armed_already"


@rule("GC-8.7")
def test_a_zombies_equipment_costs_nothing() -> None:
    table = game("A H H | K C C | Z+ H C+ | C C H", None, "p3")
    table.change(turn="p3")
    assert table.refusal("p3", "equip", reveal=1) == "no_card_to_turn"
    table.do("p3", "equip", reveal=None)
    assert table.up("p3") == [True, False, True]
    assert table.refusal("p1", "bite", position=0) == "not_asked"


@rule("GC-8.7")
def test_cops_do_not_bite() -> None:
    table = game()
    table.arm("p1", "p2")
    assert table.refusal("p1", "bite", position=0) == "zombies_only"
    assert table.refusal("p1", "weapon", aim="p2") == "zombies_only"


@rule("GC-8.8")
def test_a_bite_infects_a_card_and_rolls_for_every_token() -> None:
    table = dead({"p4": "coffee"}, cards="A H* H | K C C | Z+ H+ C+ | C C H")
    table.arm("p3", "p1")
    bites = [move for move in table.legal("p3") if move["type"] == "bite"]
    assert bites == [{"type": "bite", "position": 0}, {"type": "bite", "position": 2}]
    assert table.refusal("p3", "bite", position=1) == "wrong_card_bitten"
    assert table.refusal("p3", "bite", position=None) == "wrong_card_bitten"
    table.do("p3", "bite", position=2)
    assert table.view()["declared"] == {"type": "bite", "position": 2, "target": "p1"}
    table.do("p4", "pass", {"zombie": [4, 5]})
    assert table.tokens("p1") == [False, True, True]
    assert table.view()["dice"] == {"kind": "zombie", "seat": "p1", "faces": [4, 5]}
    table.do("p4", "pass")
    assert table.tokens("p1") == [True, True, True]
    assert table.player("p3")["armed"] == "arms"
    assert table.phase == "aim"


@rule("GC-8.8")
def test_a_bite_on_a_fully_infected_player_names_no_card() -> None:
    table = dead(cards="A* H* H* | K C C | Z+ H+ C+ | C C H")
    table.arm("p3", "p1")
    assert table.refusal("p3", "bite", position=0) == "wrong_card_bitten"
    events = table.do("p3", "bite", {"zombie": [4, 4, 4]}, position=None)
    assert next(event for event in events if event.kind == "rolled").data["faces"] == [4, 4, 4]


@rule("GC-8.8")
@pytest.mark.parametrize(
    ("cards", "tokens"),
    [
        ("A H H | K C C | Z+ H+ C+ | C C H", [False, False, True]),
        ("A H H | K C C* | Z+ H+ C+ | C C H", [True, False, True]),
    ],
)
def test_the_position_counts_for_a_new_victim(cards: str, tokens: list[bool]) -> None:
    table = dead({"p4": "restraining_order"}, cards=cards)
    table.arm("p3", "p1")
    table.do("p3", "bite", position=2)
    table.play("p4", "restraining_order")
    assert table.phase == "aim"
    table.do("p3", "aim", {"zombie": [4, 4]}, seat="p2")
    assert table.tokens("p1") == [False] * 3
    assert table.tokens("p2") == tokens


@rule("GC-8.9")
def test_bite_dice_apply_infection_then_zombie_then_arms() -> None:
    table = dead(cards="A H H | K C C | Z+ H+ C+ | C C H*")
    table.arm("p3", "p4")
    events = table.do("p3", "bite", {"zombie": [2, 1]}, position=0)
    told = kinds(events)
    assert told.index("zombified") > told.index("rolled")
    assert table.player("p4")["zombie"] is True
    assert (table.phase, table.waiting) == ("aim", ["p3"])
    assert table.refusal("p3", "keep") == "must_aim_anew"
    assert table.refusal("p3", "aim", seat="p4") == "aim_elsewhere"
    table.do("p3", "aim", seat="p1")
    assert table.types("p3") == ["aim", "keep"]
    table.do("p3", "aim", seat="p4")
    assert table.player("p3")["aim"] == "p4"


@rule("GC-8.9")
def test_a_bite_may_infect_and_give_arms_at_once() -> None:
    table = dead(cards="A H H | K C C | Z+ H+ C+ | C* C H*")
    table.arm("p3", "p4")
    table.do("p3", "bite", {"zombie": [3, 2, 6]}, position=1)
    assert table.tokens("p4") == [True] * 3
    table.do("p3", "aim", seat="p1")
    assert "keep" in table.types("p3")


@rule("GC-8.9", "GC-8.13")
def test_a_zombie_die_on_a_leader_ends_the_game() -> None:
    table = dead({"p1": "coffee"}, cards="A H* H | K C C | Z+ H+ C+ | C C H")
    table.arm("p3", "p1")
    table.do("p3", "bite", position=0)
    table.do("p1", "pass", {"zombie": [1, 5]})
    table.do("p1", "pass")
    assert table.outcome() == {"winners": ["p3"], "reason": "zombie"}
    player = table.player("p1")
    assert (player["zombie"], player["alive"], table.tokens("p1")) == (False, True, [True] * 3)
    assert table.view()["reveal"]["p1"]["team"] == "honest"
    assert table.up("p1") == [False] * 3
    assert table.player("p1", "p4")["cards"][0]["face"] == "agent"


@rule("GC-8.9")
def test_biting_a_zombie_does_nothing() -> None:
    table = game("A H H | K C C | Z+ H+ C+ | C+ C+ H+", None, "p3", "p4")
    table.change(turn="p3")
    table.arm("p3", "p4")
    assert table.refusal("p3", "bite", position=0) == "wrong_card_bitten"
    events = table.do("p3", "bite", position=None)
    assert "rolled" not in kinds(events)
    assert table.tokens("p4") == [False] * 3
    assert table.phase == "aim"


@rule("GC-8.10")
def test_a_shot_zombie_aims_at_itself_and_the_shooter_keeps_the_gun() -> None:
    table = game("A H H | K C C | Z+ H C+ | C C H", None, "p3")
    table.arm("p1", "p3")
    table.arm("p3", "p2")
    table.do("p1", "shoot")
    assert (table.player("p1")["armed"], table.phase) == ("gun", "aim")
    assert (table.player("p3")["aim"], table.player("p3")["can_fire"]) == ("p3", False)
    assert table.up("p3") == [True, False, True]
    table.change(turn="p3", phase="action")
    assert table.refusal("p3", "bite", position=None) == "aim_at_nobody"
    table.do("p3", "equip", reveal=None)
    assert table.types("p3") == ["aim", "keep"]
    table.do("p3", "keep")
    assert table.player("p3")["aim"] == "p3"


@rule("GC-8.11")
def test_equipment_against_guns_works_on_zombie_arms() -> None:
    table = dead({"p1": "k9_unit", "p2": "walkie_talkie"}, turn="p1")
    table.arm("p3", "p1")
    table.play("p1", "k9_unit", seat="p3")
    assert table.player("p3")["armed"] is False
    table = dead({"p1": "walkie_talkie"}, turn="p1")
    table.arm("p3", "p1")
    table.play("p1", "walkie_talkie", seat="p4")
    assert table.player("p3")["aim"] == "p4"


@rule("GC-8.11")
def test_taser_between_cops_and_zombies() -> None:
    table = dead({"p1": "taser"}, turn="p1")
    table.arm("p3", "p1")
    table.play("p1", "taser", seat="p3")
    assert (table.player("p1")["armed"], table.player("p3")["armed"]) == ("gun", False)
    table = dead({"p3": "taser"})
    table.arm("p1", "p3")
    table.play("p3", "taser", seat="p1")
    table.do("p3", "aim", seat="p1")
    assert table.player("p3")["armed"] == "arms"
    assert table.refusal("p3", "bite", position=0) == "fresh_from_taser"
    assert "bite" not in table.types("p3")


@rule("GC-8.11")
def test_a_defibrillator_heals_zombies_whose_infector_does_not_show() -> None:
    hands = {"p1": "defibrillator", "p4": "defibrillator"}
    table = game("A H H | K C C | Z+ H+ C+ | C+ C+* H+", hands, "p3", "p4")
    assert [move["seat"] for move in table.legal("p1", "defibrillator")] == ["p4"]
    table.arm("p4", "p1")
    assert table.refused("p1", "defibrillator", seat="p3") == "bad_target"
    table.play("p1", "defibrillator", seat="p4")
    player = table.player("p4")
    assert (player["zombie"], player["armed"], table.up("p4")) == (False, False, [True] * 3)
    assert table.tokens("p4") == [False, True, False]
    assert table.team("p4") == "crooked"


@rule("GC-8.11")
def test_equipment_against_shots_works_on_bites() -> None:
    table = dead({"p1": "riot_shield"})
    table.arm("p3", "p1")
    table.do("p3", "bite", position=0)
    table.play("p1", "riot_shield")
    assert table.legal("p1") == [{"type": "shield", "seat": "p2"}, {"type": "shield", "seat": "p4"}]
    table.do("p1", "shield", {"zombie": [4]}, seat="p4")
    assert table.tokens("p4") == [True, False, False]


@rule("GC-8.12")
def test_a_face_up_infector_makes_a_zombie_and_leaves_one_behind() -> None:
    table = game("A H H | K C C | Z+ H+ C+ | C C H", {"p1": "blackmail"}, "p3")
    table.arm("p4", "p1")
    table.play("p1", "blackmail", a=at("p3", 0), b=at("p4", 2))
    assert (table.player("p4")["zombie"], table.player("p4")["armed"]) == (True, False)
    assert table.up("p4") == [True] * 3
    assert table.player("p3")["zombie"] is True
    assert table.player("p1")["hand_count"] == 0


@rule("GC-8.12")
def test_a_face_down_infector_makes_the_hidden_one() -> None:
    table = game(hands={"p1": "blackmail"})
    table.play("p1", "blackmail", a=at("p3", 0), b=at("p4", 2))
    assert (table.player("p4")["zombie"], table.team("p4"), table.team("p3")) == (False, "zombie", "honest")


@rule("GC-8.12")
def test_a_zombie_who_gets_a_leader_card_is_healed() -> None:
    table = game("A H H | K C C | H+ H+* C+ | C Z H", {"p4": "blackmail"}, "p3")
    table.change(turn="p4")
    table.arm("p3", "p1")
    table.play("p4", "blackmail", a=at("p2", 0), b=at("p3", 0))
    player = table.player("p3")
    assert (player["zombie"], player["armed"], table.up("p3")) == (False, False, [False, True, True])
    assert table.tokens("p3") == [False, True, False]
    assert (table.team("p3"), table.team("p2")) == ("crooked", "crooked")


@rule("GC-8.13")
def test_zombies_do_not_win_by_a_leaders_fall() -> None:
    table = dead(turn="p1", cards="A H H | K! C+ C+ | Z+ H+ C+ | C C H")
    table.arm("p1", "p2")
    table.do("p1", "shoot")
    assert table.outcome() == {"winners": ["p1"], "reason": "honest"}


@rule("GC-8.13")
def test_the_hidden_infector_wins_with_the_zombies() -> None:
    table = game("A* H H | K C C | Z H C | C+ C+ H+", None, "p4")
    table.arm("p4", "p1")
    table.change(turn="p4")
    table.do("p4", "bite", {"zombie": [1, 1]}, position=1)
    assert table.outcome() == {"winners": ["p3", "p4"], "reason": "zombie"}
