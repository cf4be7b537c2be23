"""Being shot: chapter 5."""

from __future__ import annotations

import pytest

from sessions.modules.goodcop.tests.table import FOUR, Game

rule = pytest.mark.rule


@rule("GC-5.1", "GC-5.2")
def test_a_shot_player_without_a_leader_card_is_eliminated() -> None:
    game = Game(FOUR, {"p3": "coffee"})
    game.arm("p1", "p3")
    game.arm("p3", "p1")
    game.set("p3", active=["disguise"])
    deck = len(game.state.deck)
    game.do("p1", "shoot")
    game.all_pass()
    player = game.player("p3")
    assert game.up("p3") == [True, True, True]
    assert [card["face"] for card in player["cards"]] == ["honest", "honest", "crooked"]
    assert (player["alive"], player["armed"], player["aim"], player["hand_count"]) == (False, False, None, 0)
    assert player["active"] == ["disguise"]
    assert (game.bottom, len(game.state.deck)) == ("coffee", deck + 1)
    assert game.outcome() is None
    assert game.legal("p3") == []


@rule("GC-5.3")
def test_a_shot_leader_is_wounded_and_draws_equipment() -> None:
    game = Game(FOUR, {"p2": "coffee"})
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    game.all_pass()
    assert [card["wounded"] for card in game.player("p2")["cards"]] == [True, False, False]
    assert game.player("p2")["alive"] is True
    assert (game.phase, game.waiting) == ("discard", ["p2"])
    assert game.player("p1")["armed"] is False
    game.do("p2", "discard", card="coffee")
    assert (game.phase, game.waiting) == ("end_reaction", ["p2"])


@rule("GC-5.3")
def test_the_token_lies_on_the_leader_card_and_travels_with_it() -> None:
    game = Game("A H H | K! C+ C+ | H H C | C C H", {"p1": "blackmail"})
    game.play("p1", "blackmail", a={"seat": "p2", "position": 0}, b={"seat": "p3", "position": 2})
    assert [card["wounded"] for card in game.player("p3")["cards"]] == [False, False, True]
    game.arm("p1", "p3")
    game.do("p1", "shoot")
    assert game.outcome()["reason"] == "honest"
    assert game.player("p3")["alive"] is False


@rule("GC-5.4", "GC-9.1")
@pytest.mark.parametrize(
    ("cards", "reason", "winners"),
    [
        ("A H H | K! C+ C+ | H H C | C C H", "honest", ["p1", "p3"]),
        ("K H H | A! C+ C+ | H H C | C C H", "crooked", ["p1", "p4"]),
    ],
)
def test_a_wounded_leader_falls_and_the_other_team_wins(cards: str, reason: str, winners: list[str]) -> None:
    game = Game(cards, {"p2": "coffee"})
    game.set(winners[1], alive=False)
    game.arm("p1", "p2")
    game.do("p1", "shoot")
    game.all_pass()
    assert game.outcome() == {"winners": winners, "reason": reason}
    assert game.player("p2")["alive"] is False
    assert game.view()["reveal"]["p2"]["hand"] == ["coffee"]
    assert game.phase == "over"
    assert game.waiting == []


@rule("GC-5.5")
def test_an_aim_at_the_dead_is_no_aim_until_the_turns_end() -> None:
    game = Game()
    game.arm("p1", "p3")
    game.arm("p2", "p3")
    game.do("p1", "shoot")
    assert game.turn == "p2"
    assert game.player("p2")["aim"] == "p3"
    assert game.player("p2")["can_fire"] is False
    assert game.refusal("p2", "shoot") == "aim_at_nobody"
    game.do("p2", "investigate", seat="p1", position=0)
    game.do("p2", "aim", seat="p4")
    assert game.player("p2")["can_fire"] is True


@rule("GC-6.8")
def test_a_wounded_leader_draws_nothing_from_an_empty_deck() -> None:
    game = Game()
    game.change(deck=[])
    game.arm("p1", "p2")
    events = game.do("p1", "shoot")
    assert "nothing_drawn" in [event.kind for event in events]
    assert game.player("p2")["hand_count"] == 0
    assert game.turn == "p2"
