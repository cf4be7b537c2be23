"""The end, and talk at the table: chapters 9 and 10."""

from __future__ import annotations

from typing import get_args

import pytest

from sessions.game import kind_of
from sessions.modules.goodcop.moves import AnyMove
from sessions.modules.goodcop.tests.table import FOUR, Game

rule = pytest.mark.rule


@rule("GC-9.1")
def test_all_players_now_on_the_winning_team_win_even_if_eliminated() -> None:
    game = Game("A H H | K! C+ C+ | H+ H+ C+ | H C C")
    game.set("p3", alive=False)
    game.set("p4", active=["planted_evidence"])
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    assert game.outcome() == {"winners": ["p1", "p3", "p4"], "reason": "honest"}
    assert game.view()["winners"] == ["p1", "p3", "p4"]


@rule("GC-9.2")
def test_the_end_shows_cards_and_hands_but_not_the_cards_left_out() -> None:
    game = Game("A H H | K! C+ C+ | H H C | C C H | H C C", {"p4": "coffee", "p1": "taser"})
    game.change(aside=["honest"])
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    game.all_pass()
    for looker in ("p1", "p5", None):
        view = game.view(looker)
        cards = ["honest", "honest", "crooked"]
        assert view["reveal"]["p3"] == {"cards": cards, "hand": [], "team": "honest"}
        assert view["reveal"]["p4"]["hand"] == ["coffee"]
        assert [card["face"] for card in view["players"]["p4"]["cards"]] == ["crooked", "crooked", "honest"]
        assert [card["up"] for card in view["players"]["p4"]["cards"]] == [False] * 3
        assert "aside" not in str(view)
    assert game.legal("p1") == []


@rule("GC-9.2")
def test_nothing_is_shown_before_the_end() -> None:
    view = Game(FOUR).view("p1")
    assert (view["reveal"], view["winners"], view["reason"]) == (None, None, None)


@rule("GC-10.1")
def test_no_move_lets_a_player_show_cards_or_speak() -> None:
    assert {kind_of(kind) for kind in get_args(AnyMove)} == {
        "investigate", "arm", "equip", "shoot", "bite", "weapon", "skip", "play", "pass", "discard", "aim",
        "keep", "shield",
    }  # fmt: skip
