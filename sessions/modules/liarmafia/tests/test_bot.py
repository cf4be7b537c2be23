"""The bot: it lies, doubts with sense, and is better than chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from sessions.engine import bots
from sessions.engine.step import start, step
from sessions.game import Fate, kind_of
from sessions.modules.liarmafia import module
from sessions.modules.liarmafia.bot import bot, strong_bot

from .measure import wins
from .table import Game
from .test_random_games import OPTIONS

GAMES = 200


def ask(game: Game, seat: str, seed: int = 0) -> dict[str, Any]:
    legal = module.legal_moves(game.state, seat)
    return dict(msgspec.to_builtins(strong_bot(module.view(game.state, seat), legal, Fate("bot", seed))))


def at_random(seat: str, state: Any, fate: Fate) -> Any:
    moves = [move for move in module.legal_moves(state, seat) if kind_of(move) != "concede"]
    return moves[fate.roll("random", len(moves)) - 1]


def winner(seed: int, player: str, options: dict[str, Any]) -> str:
    """Play the bot on ``player`` against random moves; return who wins."""
    snapshot = start(module, ["p1", "p2"], options, Fate(f"game {seed}", 0))
    for number in range(1, 1000):
        state, fate = module.load(snapshot), Fate(f"game {seed}", number)
        ended = module.outcome(state)
        if ended:
            return ended.winners[0]
        seat = min(module.waiting_for(state))
        move = (
            strong_bot(module.view(state, seat), module.legal_moves(state, seat), fate)
            if seat == player
            else at_random(seat, state, fate)
        )
        snapshot, _ = step(module, snapshot, seat, move, fate)
    raise AssertionError("the game does not end")


def test_a_bot_beats_random_play() -> None:
    won = sum(winner(seed, player := ["p1", "p2"][seed % 2], {}) == player for seed in range(GAMES))
    assert won >= GAMES * 0.84


@pytest.mark.parametrize("options", OPTIONS[1:])
def test_a_bot_wins_most_games_with_every_option(options: dict[str, Any]) -> None:
    assert sum(winner(seed, "p1", options) == "p1" for seed in range(60)) >= 42


def test_two_bots_come_to_an_end_and_no_action_gives_their_lies_away() -> None:
    declared, lies = Counter[str](), Counter[str]()
    for seed in range(60):
        snapshot = start(module, ["p1", "p2"], {}, Fate(f"bots {seed}", 0))
        for number in range(1, 1000):
            state = module.load(snapshot)
            if module.outcome(state):
                break
            seat, fate = min(module.waiting_for(state)), Fate(f"bots {seed}", number)
            view: Any = module.view(state, seat)
            move: Any = strong_bot(view, module.legal_moves(state, seat), fate)
            if kind_of(move) == "declare":
                declared[move.action] += 1
                lies[move.action] += move.action not in view.mine.able
            snapshot, _ = step(module, snapshot, seat, move, fate)
        assert module.outcome(module.load(snapshot))
    shares = {action: lies[action] / declared[action] for action in ("embezzle", "smuggle", "assassinate")}
    assert all(0.05 < share < 0.75 for share in shares.values()), shares


def test_a_bot_doubts_a_block_that_can_only_be_a_bluff() -> None:
    game = Game("b^ hv", "h^ pv", chips={"p1": [2, 2]})
    game.play("p1 declare action=assassinate", "p2 block")
    assert {ask(game, "p1", seed)["type"] for seed in range(20)} == {"doubt"}


def test_a_bot_does_not_doubt_a_card_it_has_just_seen() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=smuggle", "p2 doubt", "p2 remove slot=1", "p2 replace facing=up")
    game.play("p1 rotate slot=1", "p2 declare action=smuggle", "p1 pass", "p2 rotate slot=0")
    game.play("p1 declare action=smuggle")
    assert {ask(game, "p2", seed)["type"] for seed in range(20)}.isdisjoint({"doubt"})


@pytest.mark.parametrize("second_edition", [False, True])
def test_a_random_choice_of_a_bot_does_not_lose_by_doubting_a_seen_card(second_edition: bool) -> None:
    game = Game("b^ pv", "h^ pv", second_edition=second_edition)
    game.play("p1 declare action=smuggle", "p2 doubt", "p2 remove slot=1", "p2 replace facing=up")
    game.play("p1 rotate slot=1", "p2 declare action=smuggle", "p1 pass", "p2 rotate slot=0")
    game.play("p1 declare action=smuggle")
    view, legal = module.view(game.state, "p2"), module.legal_moves(game.state, "p2")
    moves = [bot(view, legal, Fate("whim", number)) for number in range(100)]
    assert "doubt" not in {kind_of(move) for move in moves}


def test_a_bot_keeps_boss_when_it_has_to_remove_a_card() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=murder", "p2 doubt")
    assert {ask(game, "p1", seed)["slot"] for seed in range(20)} == {1}


def test_a_bot_hits_the_slot_where_boss_was_seen() -> None:
    game = Game("b^ pv", "h^ pv")
    game.play("p1 declare action=smuggle", "p2 doubt", "p2 remove slot=1", "p2 replace facing=up")
    game.play("p1 rotate slot=1", "p2 declare action=murder", "p1 pass")
    assert {ask(game, "p2", seed)["slot"] for seed in range(20)} == {0}


def test_the_strong_level_beats_the_plain_one() -> None:
    assert wins(bots.STRONG, bots.STEADY, 200) > 0.6
