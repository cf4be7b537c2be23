"""The promises that hold at every moment of any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Fate, kind_of
from sessions.game_tests.fixtures import assert_alike, twin, verdict
from sessions.modules.liarmafia import module
from sessions.modules.liarmafia.moves import AnyMove
from sessions.modules.liarmafia.state import ACTIONS, State

OPTIONS: list[dict[str, Any]] = [
    {},
    {"adjust_optional": True},
    {"second_edition": True},
    {"first": "p2", "adjust_optional": True, "second_edition": True},
]
TYPES = {kind_of(kind) for kind in get_args(AnyMove)}
SEEDS = range(40)
LOTS = {b'{"type":"pass"}': 16, b'{"action":"allout","type":"declare"}': 20}


def lively_game(seed: int) -> Iterator[tuple[bytes, Any, list[Any]]]:
    """Yield the moments of a game that lasts: more is let through, and hardly anybody gives up."""
    secret = f"lively {seed}"
    snapshot = start(module, ["p1", "p2"], OPTIONS[seed % len(OPTIONS)], Fate(secret, 0))
    yield snapshot, None, []
    for number in range(1, 2000):
        state, choices = module.load(snapshot), Fate(f"choices of {secret}", number)
        if module.outcome(state):
            return
        seat = pick(choices, sorted(module.waiting_for(state)))
        moves = module.legal_moves(state, seat)
        if choices.roll("give up", 60) > 1:
            moves = [move for move in moves if kind_of(move) != "concede"]
        move = pick(choices, [move for move in moves for _ in range(LOTS.get(encode(move), 4))])
        snapshot, events = step(module, snapshot, seat, move, Fate(secret, number))
        yield snapshot, move, events
    raise AssertionError("the game does not end")


def pick(choices: Fate, items: list[Any]) -> Any:
    return items[choices.roll("pick", len(items)) - 1]


def test_every_state_of_a_random_game_keeps_the_invariants() -> None:
    for seed in SEEDS:
        for snapshot, _, _ in lively_game(seed):
            state = module.load(snapshot)
            assert encode(state) == snapshot
            holds(state)


def holds(state: State) -> None:
    assert state.stock + sum(len(player.chips) for player in state.players.values()) == 4
    assert state.stock >= 0
    for player in state.players.values():
        on_field = [laid.card for laid in player.slots if laid]
        assert sorted([*on_field, *player.hand, *player.removed]) == ["boss", "hitman", "police"]
        assert player.chips == sorted(player.chips)
        for slot, seen in enumerate(player.seen):
            assert seen in (None, player.slots[slot])
        if state.phase not in ("place", "replace", "over"):
            assert None not in player.slots
    assert bool(module.waiting_for(state)) is not (state.phase == "over")
    claimed = state.phase not in ("place", "declare", "adjust", "over")
    assert (state.claim is not None) is claimed
    assert state.shown is None or state.phase == "penalty"


def test_every_legal_move_is_accepted_and_no_other_of_its_kind() -> None:
    """``legal_moves`` is complete: of all moves there are, exactly the listed ones are accepted."""
    everything = every_move()
    for seed in range(12):
        for snapshot, _, _ in lively_game(seed):
            state = module.load(snapshot)
            for seat in state.seats:
                legal = {encode(move) for move in module.legal_moves(state, seat)}
                assert len(legal) == len(module.legal_moves(state, seat))
                accepted = {raw for raw in everything if not verdict(module, snapshot, seat, raw)}
                # A hit may leave out how it is paid for where there is one way.
                assert {raw for raw in accepted if b'"hit"' not in raw or b"pay" in raw} == legal
                me: Any = module.view(state, seat)
                assert set(me.mine.can) == {kind_of(decode_move(module, raw)) for raw in legal}


def every_move() -> list[bytes]:
    cards, facings = ("boss", "police", "hitman"), ("up", "down")
    laid = [{"card": card, "facing": facing} for card in cards for facing in facings]
    moves: list[dict[str, Any]] = [{"type": "place", "slots": [one, two]} for one in laid for two in laid]
    moves += [{"type": "declare", "action": action} for action in ACTIONS]
    moves += [{"type": type_} for type_ in ("pass", "block", "doubt", "concede")]
    moves += [{"type": "gain", "how": how} for how in ("take", "turn")]
    moves += [{"type": "replace", "facing": facing} for facing in facings]
    for slot in (0, 1):
        moves += [{"type": type_, "slot": slot} for type_ in ("remove", "rotate", "hit")]
        moves += [{"type": "hit", "slot": slot, "pay": pay} for pay in ("one", "flip", "two", "ones")]
        moves += [{"type": "exchange", "slot": slot, "facing": facing} for facing in facings]
    return [encode(decode_move(module, encode(move))) for move in moves]


def test_no_view_of_a_random_game_leaks() -> None:
    moved, fates = 0, 0
    for seed in SEEDS:
        for snapshot, _, _ in lively_game(seed):
            for seats in ({"p1"}, {"p2"}, set[str]()):
                fates += 1
                other = twin(module, snapshot, seats, Fate("twins", fates))
                moved += other != snapshot
                holds(module.load(other))
                assert_alike(module, snapshot, other, seats)
    assert moved > 100


@pytest.mark.parametrize("seed", range(8))
def test_refusals_are_the_same_in_every_twin(seed: int) -> None:
    """A refusal of any move, and its reason, tells nothing of the other side."""
    for snapshot, _, _ in lively_game(seed):
        for seat in ("p1", "p2"):
            other = twin(module, snapshot, {seat}, Fate("twins", seed))
            for raw in every_move():
                assert verdict(module, snapshot, seat, raw) == verdict(module, other, seat, raw)


def test_no_public_event_names_a_card_that_was_not_shown() -> None:
    for seed in SEEDS:
        for _, _, events in lively_game(seed):
            for event in events:
                if event.to is None and event.kind != "shown":
                    assert not {"card", "facing"} & set(event.data), event
                    told = {value for value in event.data.values() if isinstance(value, str)}
                    assert not told & {"police", "hitman", "up", "down"}, event


def test_truth_and_bluff_tell_the_same_until_they_are_doubted() -> None:
    """Equal log lines: with any cards on either side, a claim is told in the same words."""
    told = set()
    for seed in SEEDS:
        for _, move, events in lively_game(seed):
            if move is not None and kind_of(move) in ("declare", "block"):
                told.add((kind_of(move), tuple(sorted(events[0].data)), len(events)))
    assert told == {("declare", ("action", "seat"), 1), ("block", ("action", "seat"), 1)}


def test_random_games_reach_every_move_phase_and_end() -> None:
    moves, reasons, phases = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(120):
        for snapshot, move, _ in lively_game(seed):
            state = module.load(snapshot)
            phases[state.phase] += 1
            moves[kind_of(move) if move else "setup"] += 1
        assert state.result
        reasons[state.result.reason] += 1
    assert set(moves) >= TYPES
    assert set(reasons) == {"boss", "two", "allout", "concede"}
    assert len(phases) == 9
