"""The promises that hold at every moment of any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from sessions.engine.step import encode, start, step
from sessions.game import Event, Fate, kind_of
from sessions.game_tests.fixtures import assert_alike, twin
from sessions.modules.twentyfour import module
from sessions.modules.twentyfour.moves import AnyMove, Challenge, Decline, Place
from sessions.modules.twentyfour.state import ACTIONS, EVENTS, HERO, NPC, Phase, State

TYPES = {kind_of(kind) for kind in get_args(AnyMove)}


def lively_game(players: int, seed: int) -> Iterator[tuple[bytes, Any, list[Event]]]:
    """Yield moments of a game of random placements in which everybody likes both dice."""
    secret = f"lively {seed}"
    snapshot = start(module, module.seat_list(players), {}, Fate(secret, 0))
    yield snapshot, None, []
    number = 0
    while True:
        number += 1
        state, choices = module.load(snapshot), Fate(f"choices of {secret}", number)
        waiting = sorted(module.waiting_for(state))
        if not waiting:
            return
        if choices.roll("second thoughts", 6) == 1:
            waiting = [seat for seat in state.seats if module.legal_moves(state, seat)]
        seat = waiting[choices.roll("seat", len(waiting)) - 1]
        legal = module.legal_moves(state, seat)
        if isinstance(legal[0], Place):
            cards = choices.shuffle("cards", module.view(state, seat).me.available)
            move: Any = Place(tuple(cards[:5]))
        else:
            move = legal[choices.roll("move", len(legal)) - 1]
        if isinstance(move, Decline) and choices.roll("daring", 2) == 1:
            move = Challenge("both")
        snapshot, events = step(module, snapshot, seat, move, Fate(secret, number))
        yield snapshot, move, events


@pytest.mark.parametrize("players", module.seats)
def test_every_state_of_a_random_game_keeps_the_invariants(players: int) -> None:
    for seed in range(6):
        for snapshot, _, _ in lively_game(players, seed):
            state = module.load(snapshot)
            assert encode(state) == snapshot
            holds(state)


def holds(state: State) -> None:
    everybody = state.players.values()
    laid = [card for column in state.layout for card in (column.main, column.sub) if card]
    held = [card for player in everybody for card in [*player.stand, *player.coop, *player.gained]]
    assert sorted([*laid, *held, *state.pile, *state.discards]) == sorted(EVENTS), "no event lost or doubled"
    for player in everybody:
        actions = [*player.hand, *(player.first or []), *(player.second or [])]
        assert player.dead or state.phase == "detectives" or sorted(actions) == sorted(ACTIONS)
        assert not player.dead or player.hurt
        assert not player.dead or state.phase == "discard" or player.out
    assert module.waiting_for(state) or state.phase == "over"
    if state.judgement and state.phase == "challenge":
        assert state.judgement.deciders
        assert NPC not in state.judgement.deciders
    heroes = [player for player in everybody if HERO in (player.first or [])]
    assert len(heroes) <= len(state.players)


def test_no_twin_of_a_random_game_looks_different() -> None:
    """Any seats together cannot tell a twin from the true state by anything they see."""
    for seed in range(6):
        for number, (snapshot, _, _) in enumerate(lively_game(3 + seed % 3, seed)):
            if number % 5:
                continue
            state = module.load(snapshot)
            for seats in ({"p1"}, {"p2", "p3"}, set(state.seats), set[str]()):
                assert_alike(module, snapshot, twin(module, snapshot, seats, Fate("twin", number)), seats)


def test_no_event_names_a_face_down_card() -> None:
    """The words of a placement or a style are the same for all cards and styles."""
    for seed in range(4):
        for _, move, events in lively_game(3, seed):
            for event in events:
                if event.kind in ("placed", "placed_anew", "styled", "styled_anew"):
                    assert set(event.data) == {"seat"}, move


def test_random_games_reach_every_move_and_phase() -> None:
    moves, phases, kinds = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(24):
        for snapshot, move, events in lively_game(3 + seed % 3, seed):
            state = module.load(snapshot)
            phases[state.phase] += 1
            moves[kind_of(move) if move else "setup"] += 1
            kinds.update(event.kind for event in events)
    assert set(moves) >= TYPES
    assert set(phases) == set(get_args(Phase))
    assert {"killed", "honoured", "hurt", "discarded", "arrested", "escaped", "untaken", "set"} <= set(kinds)
