"""The practice session's script, against any moves of a newcomer."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine import bots
from sessions.engine.bots import RandomStep
from sessions.engine.step import encode, start, step
from sessions.game import Fate
from sessions.modules.uroboros import module
from tests.rules import rule

WORDS = {"check": "the wet ledge", "foe": "a wolf", "bite": "bites", "help": "Take this!"}
MOST = 120


def evening(secret: str, choices: Fate | None = None, hp: int = 3, jokers: int = 2) -> list[RandomStep]:
    """Play a practice evening; the newcomer plays well, or makes any legal move of ``choices``."""
    newcomer = {"name": "Aki", "hp_max": hp, "ca": 8, "skills": ["climbing"], "suits": ["h"]}
    companion = {"name": "Nagi", "hp_max": 4, "hp": 1, "ca": 9, "skills": ["swordplay"]}
    options: dict[str, Any] = {"characters": {"p1": newcomer, "p2": companion}, "practice": WORDS}
    snapshot = start(module, ["gm", "p1", "p2"], options | {"jokers": jokers}, Fate(secret, 0))
    played = [RandomStep(snapshot)]
    while len(played) < MOST and module.outcome(state := module.load(snapshot)) is None:
        fate, waited = Fate(secret, len(played)), module.waiting_for(state)
        seat = next((seat for seat in ("gm", "p2") if seat in waited), "p1")
        if choices and choices.roll("steps in", 4) == 1:
            seat = "p1"
        legal = module.legal_moves(state, "p1")
        kind = bots.STEADY if seat == "p1" else bots.SCRIPT
        if seat == "p1" and choices:
            move = bots.choose_at_random(legal, choices)
        else:
            move = bots.choose_move(module, kind, state, seat, fate)
        snapshot, _ = step(module, snapshot, seat, move, fate)
        played.append(RandomStep(snapshot, seat, encode(move)))
    return played


@rule("UC-12.2")
@pytest.mark.parametrize("hp", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_newcomer_is_led_through_check_fight_fall_and_rescue(seed: int, hp: int) -> None:
    played = evening(f"led {seed}", hp=hp)
    states = [module.load(one.snapshot) for one in played]
    assert module.outcome(states[-1])
    kinds = [result.kind for result in states[-1].results]
    assert kinds[0] == "check"
    assert {"attack", "treat"} <= set(kinds)
    assert any(state.characters["p2"].hp <= 0 for state in states), "the companion falls"
    assert states[-1].characters["p2"].hp > 0, "and is rescued"
    assert states[-1].characters["p1"].hp == hp
    assert sum(one.seat == "p1" for one in played) <= 12


@rule("UC-12.2")
def test_no_choice_of_the_newcomer_stops_the_story() -> None:
    for seed in range(60):
        secret = f"odd {seed}"
        played = evening(secret, Fate(f"choices {seed}", 0), hp=2 + seed % 3, jokers=1 + seed % 2)
        states = [module.load(one.snapshot) for one in played]
        assert module.outcome(states[-1]), (seed, [one.move for one in played[-12:]])
        assert any(state.characters["p2"].hp <= 0 for state in states), seed
        assert states[-1].characters["p2"].hp > 0, seed
        assert any(result.kind == "treat" for state in states for result in state.results), seed
