"""When equipment is played: chapter 6."""

from __future__ import annotations

from itertools import permutations

import pytest

from sessions.modules.goodcop.tests.table import FOUR, Game, at, kinds

rule = pytest.mark.rule
ALL = {"p1": "coffee", "p2": "k9_unit", "p3": "disguise", "p4": "smoke_grenade"}


@rule("GC-6.1")
def test_anytime_equipment_is_played_in_turns_and_reaction_windows() -> None:
    game = Game(FOUR, ALL)
    assert game.refused("p3", "disguise", seat="p1") == "not_asked"
    assert game.legal("p3") == []
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.phase == "reaction"
    assert {"type": "play", "card": "disguise", "seat": "p1"} in game.legal("p3")
    game.all_pass()
    assert game.phase == "end_reaction"
    game.play("p3", "disguise", seat="p1")
    assert game.player("p1")["active"] == ["disguise"]


@rule("GC-6.1")
def test_own_turn_equipment_is_played_in_every_phase_of_the_turn() -> None:
    for phase in ("action", "reaction", "end_reaction"):
        game = Game(FOUR, {"p1": "taser", "p4": "coffee"})
        game.arm("p2", "p3")
        if phase != "action":
            game.do("p1", "investigate", seat="p2", position=0)
        if phase == "end_reaction":
            game.all_pass()
        assert game.phase == phase
        game.play("p1", "taser", seat="p2")
        assert (game.phase, game.waiting) == ("aim", ["p1"])
    game = Game(FOUR, {"p2": "taser"})
    game.arm("p1", "p3")
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.refused("p2", "taser", seat="p1") == "wrong_time"
    assert game.types("p2") == ["pass"]


@rule("GC-6.1")
def test_a_card_for_shots_needs_a_shot() -> None:
    game = Game(FOUR, {"p1": "riot_shield", "p2": "restraining_order"})
    assert game.refused("p1", "riot_shield") == "wrong_time"
    game.do("p1", "investigate", seat="p3", position=0)
    assert game.refused("p2", "restraining_order") == "wrong_time"
    game.all_pass()
    assert game.phase == "end_reaction"
    assert game.refused("p2", "restraining_order") == "wrong_time"
    assert game.types("p2") == ["pass"]


@rule("GC-6.2")
@pytest.mark.parametrize(
    "move",
    [
        {"type_": "investigate", "seat": "p2", "position": 0},
        {"type_": "arm", "reveal": 0, "aim": "p2"},
        {"type_": "equip", "reveal": 0},
        {"type_": "shoot"},
    ],
    ids=lambda move: str(move["type_"]),
)
def test_every_living_player_is_asked_before_any_action(move: dict[str, object]) -> None:
    game = Game("A H H | K C C | H+ H+ C+ | C C H", ALL | {"p3": ""})
    game.set("p3", alive=False)
    if move["type_"] == "shoot":
        game.arm("p1", "p2")
    fields = {name: value for name, value in move.items() if name != "type_"}
    events = game.do("p1", str(move["type_"]), **fields)
    assert kinds(events) == ["declared"]
    assert (game.phase, game.waiting) == ("reaction", ["p1", "p2", "p4"])
    assert game.view()["declared"]["type"] == move["type_"]
    assert game.view()["declared"].get("target") == ("p2" if move["type_"] == "shoot" else None)


@rule("GC-6.2")
def test_a_pass_holds_until_a_new_window_and_is_hidden_from_others() -> None:
    game = Game(FOUR, ALL)
    game.do("p1", "investigate", seat="p2", position=0)
    before = {seat: game.view(seat) for seat in ("p1", "p3", "p4", None)}
    events = game.do("p2", "pass")
    assert [event.to for event in events] == [("p2",)]
    assert {seat: game.view(seat) for seat in before} == before
    assert game.view("p2")["waiting_for"] == []
    assert game.view("p4")["waiting_for"] == ["p4"]
    assert game.view(None)["waiting_for"] == []
    assert game.refusal("p2", "pass") == "not_asked"
    assert game.refused("p2", "k9_unit", seat="p1") == "not_asked"
    assert game.waiting == ["p1", "p3", "p4"]


@rule("GC-6.2")
@pytest.mark.parametrize("order", list(permutations(["p1", "p2", "p3", "p4"]))[::5])
def test_passes_in_any_order_lead_to_the_same_state(order: tuple[str, ...]) -> None:
    game = Game(FOUR, ALL)
    game.do("p1", "equip", reveal=0)
    for seat in order:
        game.do(seat, "pass")
    assert (game.phase, game.waiting) == ("discard", ["p1"])


@rule("GC-6.2")
def test_a_player_without_equipment_passes_automatically_by_default() -> None:
    game = Game(FOUR, {"p3": "coffee"})
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.waiting == ["p3"]
    game = Game(FOUR, {"p3": "coffee"}, auto_pass=False)
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.waiting == ["p1", "p2", "p3", "p4"]
    assert game.legal("p1") == [{"type": "pass"}]


@rule("GC-6.2")
def test_an_option_limits_reaction_windows_before_actions_to_shots() -> None:
    game = Game(FOUR, ALL, react_only_to_shots=True)
    game.arm("p1", "p3")
    game.do("p1", "investigate", seat="p2", position=0)
    game.do("p1", "keep")
    assert game.phase == "end_reaction"
    game.all_pass()
    game.change(turn="p1")
    game.do("p1", "shoot")
    assert game.phase == "reaction"


@rule("GC-6.3")
def test_one_card_at_a_time_and_then_a_new_window() -> None:
    game = Game(FOUR, ALL)
    game.do("p1", "investigate", seat="p2", position=0)
    game.all_pass()
    game.do("p4", "pass")
    game.play("p3", "disguise", seat="p1")
    assert game.phase == "end_reaction"
    assert game.waiting == ["p1", "p2", "p4"]
    assert game.turn == "p1"
    game.all_pass()
    assert game.turn == "p2"


@rule("GC-6.4")
def test_the_turn_player_chooses_again_after_a_reaction_cancels_the_action() -> None:
    game = Game(FOUR, ALL)
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    events = game.play("p2", "k9_unit", seat="p1")
    assert kinds(events) == ["played", "cancelled", "disarmed"]
    assert (game.phase, game.waiting, game.view()["declared"]) == ("action", ["p1"], None)
    assert game.refusal("p1", "shoot") == "not_armed"
    game.do("p1", "arm", reveal=0, aim="p2")
    assert (game.phase, game.waiting) == ("reaction", ["p1", "p3", "p4"])


@rule("GC-6.4")
def test_restraining_order_changes_aim_and_target_and_the_shot_goes_on() -> None:
    game = Game(FOUR, ALL | {"p3": "restraining_order"})
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    game.play("p3", "restraining_order")
    assert (game.phase, game.waiting) == ("aim", ["p1"])
    assert game.view()["declared"] == {"type": "shoot", "target": "p3"}
    assert game.legal("p1") == [{"type": "aim", "seat": "p2"}, {"type": "aim", "seat": "p4"}]
    assert game.refusal("p1", "aim", seat="p3") == "aim_elsewhere"
    assert game.refusal("p1", "aim", seat="p1") == "aim_at_yourself"
    assert game.refusal("p1", "keep") == "must_aim_anew"
    game.do("p1", "aim", seat="p4")
    assert game.player("p1")["aim"] == "p4"
    assert game.view()["declared"] == {"type": "shoot", "target": "p4"}
    assert (game.phase, game.waiting) == ("reaction", ["p1", "p2", "p4"])
    game.all_pass()
    assert game.player("p4")["alive"] is False


@rule("GC-6.4")
def test_riot_shield_changes_the_target_but_not_the_aim_and_skips_the_dead() -> None:
    cards = "A H H | H+ C+ C+ | H H C | C C H | K C C"
    game = Game(cards, {"p5": "riot_shield", "p4": "coffee"})
    game.set("p2", alive=False)
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    game.play("p5", "riot_shield")
    assert (game.phase, game.waiting) == ("shield", ["p3"])
    assert game.legal("p3") == [{"type": "shield", "seat": "p1"}, {"type": "shield", "seat": "p4"}]
    assert game.refusal("p3", "shield", seat="p5") == "not_a_neighbour"
    assert game.refusal("p3", "shield", seat="p2") == "not_a_neighbour"
    assert game.refusal("p1", "shield", seat="p4") == "not_asked"
    game.do("p3", "shield", seat="p1")
    assert game.player("p1")["aim"] == "p3"
    assert game.view()["declared"] == {"type": "shoot", "target": "p1"}
    game.all_pass()
    assert [card["wounded"] for card in game.player("p1")["cards"]] == [True, False, False]
    assert game.player("p3")["alive"] is True


@rule("GC-6.4")
def test_a_shot_may_be_redirected_twice_and_then_called_off() -> None:
    game = Game(FOUR, {"p2": "restraining_order", "p3": "riot_shield", "p4": "coffee"})
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    game.play("p3", "riot_shield")
    game.do("p3", "shield", seat="p2")
    game.play("p2", "restraining_order")
    assert game.legal("p1") == [{"type": "aim", "seat": "p3"}, {"type": "aim", "seat": "p4"}]
    game.do("p1", "aim", seat="p3")
    game.play("p4", "coffee")
    assert (game.phase, game.view()["declared"]) == ("action", None)
    game.do("p1", "shoot")
    assert game.view()["declared"] is None
    assert game.player("p3")["alive"] is False


@rule("GC-6.4")
def test_a_restraining_order_without_another_target_is_refused() -> None:
    game = Game("A H H | K C C | H+ H+ C+ | C+ C+ H+", {"p2": "restraining_order", "p1": "riot_shield"})
    game.set("p3", alive=False)
    game.set("p4", alive=False)
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    assert game.refused("p2", "restraining_order") == "no_target"
    game.play("p1", "riot_shield")
    assert game.legal("p2") == [{"type": "shield", "seat": "p1"}]


@rule("GC-6.5")
def test_a_player_with_two_equipment_cards_discards_before_playing() -> None:
    game = Game(FOUR, {"p1": "evidence_bag", "p2": "coffee", "p3": "disguise"})
    game.play("p1", "evidence_bag", from_="p2", to="p3")
    assert (game.phase, game.waiting) == ("discard", ["p3"])
    assert game.refused("p3", "coffee") == "not_now"
    assert sorted(move["card"] for move in game.legal("p3")) == ["coffee", "disguise"]
    game.do("p3", "discard", card="disguise")
    assert (game.phase, game.waiting) == ("action", ["p1"])


@rule("GC-6.6")
def test_a_used_card_lies_under_the_deck_before_its_effect() -> None:
    game = Game(FOUR, {"p1": "k9_unit"})
    assert game.refused("p1", "k9_unit", seat="p2") == "no_target"
    game.arm("p2", "p3")
    assert game.refused("p1", "k9_unit", seat="p3") == "bad_target"
    game.change(deck=[])
    game.play("p1", "k9_unit", seat="p2")
    assert game.state.deck == ["k9_unit"]


@rule("GC-6.6")
def test_a_card_that_stays_does_not_go_to_the_deck() -> None:
    game = Game(FOUR, {"p1": "surveillance_camera"})
    before = game.state.deck
    game.play("p1", "surveillance_camera", seat="p2")
    assert game.state.deck == before
    assert game.player("p2")["active"] == ["surveillance_camera"]


@rule("GC-6.6")
def test_a_card_not_in_hand_is_refused_alike_for_every_holder() -> None:
    codes = set()
    for holder in ("p2", "p3", ""):
        game = Game(FOUR, {holder: "k9_unit"} if holder else {})
        game.arm("p2", "p3")
        codes.add(game.refused("p1", "k9_unit", seat="p2"))
    assert codes == {"not_in_hand"}


@rule("GC-6.6")
@pytest.mark.parametrize(
    "fields",
    [
        {"card": "coffee", "seat": "p2"},
        {"card": "k9_unit"},
        {"card": "k9_unit", "seat": "p2", "position": 0},
        {"card": "evidence_bag", "to": "p3"},
        {"card": "evidence_bag", "from": "p2", "active": "disguise", "to": "p3"},
        {"card": "blackmail", "a": at("p2", 0)},
        {"card": "truth_serum", "seat": "p2"},
        {"card": "wiretap", "seat": "p2", "position": 1},
        {"card": "bogus"},
    ],
)
def test_a_play_has_exactly_the_fields_of_its_row(fields: dict[str, object]) -> None:
    game = Game(FOUR, {"p1": "coffee"})
    game.arm("p2", "p3")
    assert game.refusal("p1", "play", **fields) == "malformed_move"


@rule("GC-6.7")
def test_every_turn_ends_with_a_reaction_window() -> None:
    game = Game(FOUR, ALL)
    game.do("p1", "arm", reveal=0, aim="p2")
    game.all_pass()
    assert game.phase == "aim"
    game.do("p1", "keep")
    assert (game.phase, game.waiting) == ("end_reaction", ["p1", "p2", "p3", "p4"])
    game.all_pass()
    assert (game.phase, game.turn) == ("action", "p2")


@rule("GC-6.4")
def test_a_cancelled_shot_keeps_the_aim_set_by_a_restraining_order() -> None:
    game = Game(FOUR, {"p3": "restraining_order", "p4": "coffee"})
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    game.play("p3", "restraining_order")
    game.do("p1", "aim", seat="p2")
    game.play("p4", "coffee")
    assert (game.phase, game.player("p1")["aim"], game.view()["declared"]) == ("action", "p2", None)


@rule("GC-6.3", "GC-6.5")
def test_a_discard_in_the_end_window_is_followed_by_a_new_window() -> None:
    game = Game(FOUR, {"p2": "evidence_bag", "p3": "coffee", "p4": "disguise"})
    game.do("p1", "investigate", seat="p2", position=0)
    game.all_pass()
    game.do("p3", "pass")
    game.play("p2", "evidence_bag", from_="p3", to="p4")
    assert (game.phase, game.waiting) == ("discard", ["p4"])
    game.do("p4", "discard", card="disguise")
    assert (game.phase, game.waiting, game.turn) == ("end_reaction", ["p4"], "p1")
