"""Components, placing and who begins. [LM-1, 2]"""

from __future__ import annotations

from typing import Any

import pytest

from companion.fate import Fate, ScriptedFate
from sessions.engine.step import encode, start
from sessions.modules.liarmafia import module
from tests.rules import rule

from .table import Game, kinds, slots


def opened(**options: Any) -> Any:
    return module.load(start(module, ["p1", "p2"], options, Fate("any", 0)))


@rule("LM-1.1", "LM-2.2")
def test_before_placing_each_player_holds_three_cards() -> None:
    game = Game()
    view = game.view("p1")
    assert view["me"]["hand"] == ["boss", "police", "hitman"]
    assert view["me"]["slots"] == [None, None]
    assert view["me"]["removed"] == []
    for player in view["players"].values():
        assert player["hand_count"] == 3
        assert player["slots"] == [{"present": False}, {"present": False}]
        assert (player["ready"], player["removed_count"]) == (False, 0)
    assert (view["phase"], view["waiting_for"], view["turn"]) == ("place", ["p1", "p2"], "p1")
    assert (view["claim"], view["shown"], view["adjusted"], view["reveal"], view["winners"]) == (None,) * 5
    assert game.outcome() is None


@rule("LM-1.2")
def test_each_player_starts_with_a_1_and_two_chips_lie_in_the_stock() -> None:
    game = Game()
    assert [game.chips("p1"), game.chips("p2"), game.view()["stock"]] == [[1], [1], 2]


@rule("LM-1.2")
@pytest.mark.parametrize("looker", ["p1", "p2", None])
def test_chips_and_the_stock_are_open(looker: str | None) -> None:
    view = Game("b^ pv", "h^ pv", chips={"p1": [1, 2]}).view(looker)
    assert [view["players"]["p1"]["chips"], view["players"]["p2"]["chips"], view["stock"]] == [[1, 2], [1], 1]


@rule("LM-2.1")
@pytest.mark.parametrize("order", [["p1", "p2"], ["p2", "p1"]])
def test_fate_chooses_the_first_player(order: list[str]) -> None:
    fate = ScriptedFate("any", 0, {"first": [order]}, {}, used=type(Fate("", 0)._uses)())
    state = module.load(start(module, ["p1", "p2"], {}, fate))
    assert state.turn == order[0]
    assert fate.used == {"shuffle first": 1}


@rule("LM-2.1")
@pytest.mark.parametrize("first", ["p1", "p2"])
def test_an_option_names_the_first_player_without_a_shuffle(first: str) -> None:
    fate = ScriptedFate("any", 0, {"first": [["p1", "p2"]]}, {}, used=type(Fate("", 0)._uses)())
    state = module.load(start(module, ["p1", "p2"], {"first": first}, fate))
    assert state.turn == first
    assert not fate.used


@rule("LM-2.1")
@pytest.mark.parametrize(
    "options", [{"first": "p3"}, {"first": None}, {"second_edition": 1}, {"third": True}]
)
def test_other_options_open_no_table(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        start(module, ["p1", "p2"], options, Fate("any", 0))


@rule("LM-2.2")
def test_a_player_who_has_placed_shows_as_ready_and_nothing_more() -> None:
    game = Game()
    assert kinds(game.do("p2", "place", slots=slots("b^ hv"))) == ["placed"]
    for looker in ("p1", None):
        view = game.view(looker)
        assert view["players"]["p2"]["ready"] is True
        assert view["players"]["p2"]["slots"] == [{"present": True}, {"present": True}]
        assert view["players"]["p2"]["hand_count"] == 1
        assert view["players"]["p1"]["hand_count"] == 3
        assert "hitman" not in str(view["players"]["p2"])
    assert game.waiting == ["p1"]
    assert game.view("p2")["me"]["slots"] == slots("b^ hv")
    assert game.view("p2")["me"]["hand"] == ["police"]
    assert game.phase == "place"


@rule("LM-2.2")
def test_a_ready_player_may_place_again_until_both_are_ready() -> None:
    game = Game()
    game.do("p1", "place", slots=slots("b^ hv"))
    again = game.do("p1", "place", slots=slots("pv b^"))
    assert [event.to for event in again] == [("p1",)]
    assert game.view("p1")["me"] == {
        "slots": slots("pv b^"),
        "hand": ["hitman"],
        "removed": [],
    }
    events = game.do("p2", "place", slots=slots("h^ p^"))
    assert kinds(events) == ["placed", "begun"]
    assert game.phase == "declare"
    assert game.waiting == ["p1"]
    assert game.refusal("p1", "place", slots=slots("b^ hv")) == "already_begun"
    assert game.refusal("p2", "place", slots=slots("b^ hv")) == "already_begun"


@rule("LM-2.2")
def test_all_24_places_are_legal_for_both_until_both_have_placed() -> None:
    game = Game()
    for _ in range(2):
        for seat in ("p1", "p2"):
            moves = game.legal(seat)
            assert len({encode(move) for move in moves}) == len(moves) == 24
            assert {move["type"] for move in moves} == {"place"}
        game.do("p1", "place", slots=slots("b^ hv"))


@rule("LM-2.2")
@pytest.mark.parametrize(
    ("placed", "code"),
    [
        (slots("b^ bv"), "card_twice"),
        (slots("b^"), "malformed_move"),
        (slots("b^ p^ h^"), "malformed_move"),
        ([{"card": "boss"}, {"card": "police", "facing": "up"}], "malformed_move"),
        ([{"card": "boss", "facing": "left"}, {"card": "police", "facing": "up"}], "malformed_move"),
        ([{"card": "boss", "facing": "up", "x": 1}, {"card": "police", "facing": "up"}], "malformed_move"),
        ([None, {"card": "police", "facing": "up"}], "malformed_move"),
    ],
)
def test_two_different_cards_are_laid(placed: Any, code: str) -> None:
    assert Game().refusal("p1", "place", slots=placed) == code


@rule("LM-2.2", "LM-3.8")
def test_nothing_but_placing_is_possible_before_both_have_placed() -> None:
    game = Game()
    game.do("p1", "place", slots=slots("b^ hv"))
    assert game.refusal("p1", "declare", action="embezzle") == "not_placed"
    assert game.refusal("p2", "concede") == "place_first"


def test_an_opponents_placing_does_not_change_the_asked_question() -> None:
    game = Game()
    asked = module.asked(game.state, "p1")
    game.do("p2", "place", slots=slots("b^ hv"))
    assert module.asked(game.state, "p1") == asked
    game.do("p1", "place", slots=slots("b^ hv"))
    assert module.asked(game.state, "p1") != asked
