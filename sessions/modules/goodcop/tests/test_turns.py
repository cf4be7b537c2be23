"""A turn: chapter 4."""

from __future__ import annotations

import pytest

from sessions.modules.goodcop import module
from sessions.modules.goodcop.tests.table import FOUR, Game, kinds

rule = pytest.mark.rule


@rule("GC-4.1")
def test_a_turn_is_equipment_then_an_action_then_the_aim() -> None:
    game = Game(FOUR, {"p1": "disguise"})
    assert (game.phase, game.waiting) == ("action", ["p1"])
    game.play("p1", "disguise", seat="p3")
    assert (game.phase, game.waiting) == ("action", ["p1"])
    game.do("p1", "arm", reveal=1, aim="p2")
    assert (game.phase, game.waiting) == ("aim", ["p1"])
    game.do("p1", "aim", seat="p4")
    assert (game.phase, game.turn) == ("action", "p2")
    assert game.refusal("p1", "investigate", seat="p2", position=0) == "not_asked"


@rule("GC-4.2")
def test_an_investigation_shows_its_place_to_all_and_the_card_to_one() -> None:
    game = Game()
    events = game.do("p1", "investigate", seat="p2", position=0)
    public = [event for event in events if event.to is None]
    assert ("investigated", {"seat": "p1", "target": "p2", "position": 0, "card": None}) in [
        (event.kind, event.data) for event in public
    ]
    assert not any("kingpin" in event.data.values() for event in public)
    told = [event for event in events if event.to]
    assert [(event.to, event.data["face"]) for event in told] == [(("p1",), "kingpin")]
    assert game.view("p1")["me"]["known"] == [{"seat": "p2", "position": 0, "face": "kingpin"}]
    assert game.player("p2", "p1")["cards"][0] == {
        "face": "kingpin",
        "up": False,
        "wounded": False,
        "infected": False,
    }
    assert game.player("p2", "p3")["cards"][0]["face"] == "?"


@rule("GC-4.2")
def test_a_card_may_be_looked_at_again() -> None:
    game = Game()
    game.do("p1", "investigate", seat="p2", position=0)
    game.change(turn="p1", phase="action")
    assert {"type": "investigate", "seat": "p2", "position": 0} in game.legal("p1")
    game.do("p1", "investigate", seat="p2", position=0)
    assert len(game.view("p1")["me"]["known"]) == 1


@rule("GC-4.2")
def test_investigating_own_face_up_dead_or_disguised_cards_is_refused() -> None:
    game = Game("A H H | K C C+ | H+ H+ C+ | C C H")
    game.set("p3", alive=False)
    game.set("p4", active=["disguise"])
    look = {"type": "investigate", "seat": "p2"}
    assert [move for move in game.legal("p1") if move["type"] == "investigate"] == [
        {**look, "position": 0},
        {**look, "position": 1},
    ]
    assert game.refusal("p1", "investigate", seat="p2", position=2) == "face_up"
    assert game.refusal("p1", "investigate", seat="p1", position=0) == "own_card"
    assert game.refusal("p1", "investigate", seat="p3", position=0) == "eliminated"
    assert game.refusal("p1", "investigate", seat="p4", position=0) == "disguised"
    assert game.refusal("p1", "investigate", seat="p8", position=0) == "no_such_seat"
    assert game.refusal("p1", "investigate", seat="p2", position=3) == "malformed_move"


@rule("GC-4.3")
def test_arming_turns_a_card_up_takes_a_gun_and_aims() -> None:
    game = Game()
    events = game.do("p1", "arm", reveal=0, aim="p3")
    assert kinds(events) == ["declared", "turned_up", "armed", "aimed"]
    player = game.player("p1")
    assert (player["armed"], player["aim"], player["can_fire"]) == ("gun", "p3", True)
    assert player["cards"][0]["face"] == "agent"
    game.do("p1", "keep")
    game.change(turn="p1", phase="action")
    assert game.refusal("p1", "arm", reveal=1, aim="p2") == "armed_already"
    assert "arm" not in game.types("p1")


@rule("GC-4.3")
def test_arming_turns_no_card_up_only_if_all_are_face_up() -> None:
    game = Game("A+ H+ H+ | K C C | H H C | C C H")
    assert game.refusal("p1", "arm", reveal=0, aim="p3") == "face_up"
    game.do("p1", "arm", reveal=None, aim="p3")
    assert game.player("p1")["armed"] == "gun"
    game = Game("A+ H+ H | K C C | H H C | C C H")
    assert game.refusal("p1", "arm", reveal=None, aim="p3") == "name_a_card"
    assert game.refusal("p1", "arm", aim="p3") == "malformed_move"
    assert game.refusal("p1", "arm", reveal=2, aim="p1") == "aim_at_yourself"


@rule("GC-4.4", "GC-6.5")
def test_equipping_draws_and_discards_before_anything_else() -> None:
    game = Game(FOUR, {"p1": "coffee"})
    top = game.state.deck[0]
    game.do("p1", "equip", reveal=1)
    assert game.phase == "reaction"
    game.all_pass()
    assert (game.phase, game.waiting) == ("discard", ["p1"])
    assert game.view("p1")["me"]["hand"] == ["coffee", top]
    assert game.player("p1")["hand_count"] == 2
    assert game.refused("p1", "coffee") == "not_now"
    assert game.refusal("p2", "pass") == "not_asked"
    other = next(card for card in game.state.deck if card not in ("coffee", top))
    assert game.refusal("p1", "discard", card=other) == "not_in_hand"
    before = len(game.state.deck)
    events = game.do("p1", "discard", card="coffee")
    assert game.bottom == "coffee"
    assert len(game.state.deck) == before + 1
    assert [event for event in events if event.to is None and "coffee" in event.data.values()] == []
    assert game.view("p1")["me"]["hand"] == [top]


@rule("GC-4.4")
def test_a_first_card_needs_no_discard() -> None:
    game = Game()
    game.do("p1", "equip", reveal=2)
    assert game.up("p1") == [False, False, True]
    assert (game.phase, game.player("p1")["hand_count"]) == ("end_reaction", 1)


@rule("GC-4.5")
def test_the_gun_goes_to_the_middle_before_the_shot() -> None:
    game = Game()
    game.arm("p1", "p3")
    events = game.do("p1", "shoot")
    assert kinds(events)[:4] == ["declared", "fired", "disarmed", "shot"]
    assert game.player("p1")["armed"] is False
    assert game.player("p1")["aim"] is None
    assert game.player("p3")["alive"] is False


@rule("GC-4.5")
def test_the_gun_is_gone_when_the_game_ends_by_it() -> None:
    game = Game("A H H | K! C+ C+ | H H C | C C H")
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    assert game.outcome() == {"winners": ["p1", "p3"], "reason": "honest"}
    assert game.player("p1")["armed"] is False


@rule("GC-4.5")
def test_no_shot_without_gun_or_aim() -> None:
    game = Game()
    assert game.refusal("p1", "shoot") == "not_armed"
    game.arm("p1", "p3")
    game.set("p1", tasered=True)
    assert game.refusal("p1", "shoot") == "fresh_from_taser"
    game.set("p1", tasered=False)
    game.set("p3", alive=False)
    assert game.refusal("p1", "shoot") == "aim_at_nobody"
    assert "shoot" not in game.types("p1")


@rule("GC-4.6")
def test_the_price_is_named_with_the_action_and_paid_when_it_resolves() -> None:
    game = Game(FOUR, {"p2": "coffee"})
    game.do("p1", "arm", reveal=0, aim="p3")
    assert game.view()["declared"] == {"type": "arm", "reveal": 0, "aim": "p3"}
    assert game.up("p1") == [False, False, False]
    game.play("p2", "coffee")
    assert game.up("p1") == [False, False, False]
    assert game.player("p1")["armed"] is False
    game.do("p1", "equip", reveal=1)
    assert game.up("p1") == [False, True, False]


@rule("GC-4.7")
def test_an_armed_player_may_change_the_aim_at_the_turns_end() -> None:
    game = Game("A H H | K C C | H+ H+ C+ | C C H")
    game.set("p3", alive=False)
    game.arm("p1", "p2")
    game.do("p1", "investigate", seat="p2", position=0)
    assert game.types("p1") == ["aim", "keep"]
    assert game.legal("p1") == [
        {"type": "aim", "seat": "p2"},
        {"type": "aim", "seat": "p4"},
        {"type": "keep"},
    ]
    assert game.refusal("p1", "aim", seat="p1") == "aim_at_yourself"
    assert game.refusal("p1", "aim", seat="p3") == "eliminated"
    assert game.refusal("p2", "aim", seat="p4") == "not_asked"
    game.do("p1", "aim", seat="p2")
    assert game.player("p1")["aim"] == "p2"
    assert game.turn == "p2"


@rule("GC-4.7", "GC-6.7")
def test_a_dead_turn_player_does_not_aim_but_the_window_opens() -> None:
    game = Game("H H C | K C C | A H C | C C H", {"p2": "riot_shield", "p4": "coffee"})
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    game.play("p2", "riot_shield")
    game.do("p2", "shield", seat="p1")
    game.all_pass()
    assert game.player("p1")["alive"] is False
    assert game.player("p1")["armed"] is False
    assert (game.phase, game.turn, game.waiting) == ("end_reaction", "p1", ["p4"])
    game.all_pass()
    assert game.turn == "p2"


@rule("GC-4.8")
def test_the_next_living_player_goes_on() -> None:
    game = Game("A H H | H+ C+ C+ | K H C | C C H")
    game.set("p2", alive=False)
    game.do("p1", "investigate", seat="p3", position=0)
    assert game.turn == "p3"
    game.change(direction=-1)
    game.do("p3", "investigate", seat="p4", position=0)
    assert game.turn == "p1"
    game.do("p1", "investigate", seat="p4", position=0)
    assert game.turn == "p4"


@rule("GC-4.8", "GC-6.8")
def test_skip_only_when_nothing_else_is_possible() -> None:
    game = Game("A H H | K+ C+ C+ | H+ H+ C+ | C+ C+ H+")
    assert game.refusal("p1", "skip") == "action_possible"
    game.change(deck=[])
    assert game.refusal("p1", "skip") == "action_possible"
    game.arm("p1", "p4")
    game.set("p4", alive=False)
    assert game.legal("p1") == [{"type": "skip"}]
    assert game.refusal("p1", "equip", reveal=0) == "deck_empty"
    game.do("p1", "skip")
    assert game.phase == "aim"
    game.do("p1", "aim", seat="p2")
    assert game.turn == "p2"


def test_the_asked_question_changes_with_a_new_window_but_not_with_a_pass() -> None:

    game = Game(FOUR, {"p2": "coffee", "p3": "k9_unit", "p4": "taser"})
    game.do("p1", "investigate", seat="p2", position=0)
    before = module.asked(game.state, "p4")
    game.do("p3", "pass")
    assert module.asked(game.state, "p4") == before is not None
    assert module.asked(game.state, "p3") is None
    game.play("p2", "coffee")
    game.do("p1", "investigate", seat="p2", position=0)
    assert module.asked(game.state, "p4") != before
