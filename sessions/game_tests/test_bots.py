"""Bots see what their seat sees, play what is legal, come to an end, and are worth having."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.fate import Fate
from sessions.engine import bots as engine
from sessions.engine.bots import random_game
from sessions.engine.step import decode_move, encode, start, step
from sessions.game import AnyModule


def moments(module: AnyModule, seed: int) -> list[Any]:
    """Some states of a random game, before its end."""
    players = module.seats[seed % len(module.seats)]
    played = list(random_game(module, players, f"bots {seed}"))[:-1]
    return [module.load(moment.snapshot) for moment in played[:: max(1, len(played) // 12)]]


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 99))
def test_every_bot_plays_a_legal_move_and_is_told_nothing_but_what_its_seat_sees(
    module: AnyModule, seed: int
) -> None:
    """Hidden cards are dealt again, and a bot with the same chance does the same."""
    rng = Random(seed)
    for state in moments(module, seed):
        for seat in module.waiting_for(state):
            twin = module.load(encode(state))
            module.resample(twin, [seat], Fate("twin", rng.getrandbits(32)))
            for kind in engine.kinds(module):
                move = engine.choose_move(module, kind, state, seat, Fate("bot", seed))
                # Played, not looked up: where moves are endless, the list of legal ones is a sample.
                step(module, encode(state), seat, decode_move(module, encode(move)), Fate("step", seed))
                assert move == engine.choose_move(module, kind, twin, seat, Fate("bot", seed))


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_of_bots_finishes(module: AnyModule, seed: int) -> None:
    if module.gm:
        pytest.skip("no bot runs a table that has a GM")
    seats = module.seat_list(module.seats[seed % len(module.seats)])
    snapshot, number = start(module, seats, {}, Fate(f"seed {seed}", 0)), 0
    kinds = engine.kinds(module)
    while module.outcome(state := module.load(snapshot)) is None:
        seat = min(module.waiting_for(state))
        kind = kinds[seats.index(seat) % len(kinds)]
        number += 1
        move = engine.choose_move(module, kind, state, seat, Fate("bots", number))
        snapshot, _ = step(module, snapshot, seat, move, Fate(f"seed {seed}", number))
        assert number < 2000, "the bots do not come to an end"


def won(module: AnyModule, kind: str, number: int) -> bool:
    """True if a bot of this kind wins one game against bots that play at random."""
    seats = module.seat_list(module.seats[number % len(module.seats)])
    playing = seats[number % len(seats)]
    secret = f"chance {number}"
    snapshot = start(module, seats, {}, Fate(secret, 0))
    for move_number in count(1):
        state = module.load(snapshot)
        outcome = module.outcome(state)
        if outcome is not None:
            return playing in outcome.winners
        seat = min(module.waiting_for(state))
        fate = Fate(f"bot {number}", move_number)
        move = engine.choose_move(module, kind if seat == playing else engine.RANDOM, state, seat, fate)
        snapshot, _ = step(module, snapshot, seat, move, Fate(secret, move_number))
    raise AssertionError


@pytest.mark.parametrize("games", [20, pytest.param(60, marks=pytest.mark.long)])
def test_a_games_own_bot_does_not_lose_to_random_play(module: AnyModule, games: int) -> None:
    if module.gm or module.bots.plain is None:
        pytest.skip("it has no bot of its own")
    by_chance = sum(won(module, engine.RANDOM, number) for number in range(games))
    # Luck alone makes a difference of the root of their number. The bot plays until it has won enough.
    enough = by_chance - games**0.5
    by_bot, left = 0, iter(range(games))
    while by_bot < enough and (number := next(left, None)) is not None:
        by_bot += won(module, engine.STEADY, number)
    assert by_bot >= enough, f"of {games} games the bot wins {by_bot}, and chance {by_chance}"
