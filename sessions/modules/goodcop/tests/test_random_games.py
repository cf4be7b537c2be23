"""The promises that hold at every moment of any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from sessions.engine.step import encode, start, step
from sessions.game import Fate, kind_of
from sessions.game_tests.fixtures import assert_alike, seeds, twin, verdict
from sessions.modules.goodcop import module
from sessions.modules.goodcop.equipment import BASE, EQUIPMENT, deck
from sessions.modules.goodcop.moves import AnyMove, Play
from sessions.modules.goodcop.state import State

OPTIONS: list[dict[str, Any]] = [
    {},
    {"zombies": True},
    {"zombies": True, "auto_pass": False},
    {"react_only_to_shots": True},
    {"zombies": True, "react_only_to_shots": True},
]
SEEDS = seeds(3, of=10)
TYPES = {kind_of(kind) for kind in get_args(AnyMove)}
Moment = tuple[bytes, Any, list[Any]]


@cache
def lively_game(seed: int) -> list[Moment]:
    """The moments of a game in which every type of move is as likely: snapshot, move, events."""
    return list(_lively_game(seed))


def _lively_game(seed: int) -> Iterator[Moment]:
    secret = f"lively {seed}"
    seats = module.seat_list(4 + seed % 5)
    snapshot = start(module, seats, OPTIONS[seed % len(OPTIONS)], Fate(secret, 0))
    yield snapshot, None, []
    for number in range(1, 4000):
        state, choices = module.load(snapshot), Fate(f"choices of {secret}", number)
        if module.outcome(state):
            return
        seat = pick(choices, sorted(module.waiting_for(state)))
        legal = module.legal_moves(state, seat)
        kind = pick(choices, sorted({kind_of(move) for move in legal}))
        move = pick(choices, [move for move in legal if kind_of(move) == kind])
        snapshot, events = step(module, snapshot, seat, move, Fate(secret, number))
        yield snapshot, move, events
    raise AssertionError("the game does not end")


def pick(choices: Fate, items: list[Any]) -> Any:
    return items[choices.roll("pick", len(items)) - 1]


def some(seed: int, most: int) -> list[Moment]:
    """Moments spread over a game."""
    moments = lively_game(seed)
    return moments[:: max(1, len(moments) // most)]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_state_of_a_random_game_keeps_the_invariants(seed: int) -> None:
    for snapshot, _, _ in lively_game(seed):
        state = module.load(snapshot)
        assert encode(state) == snapshot
        holds(state)


def holds(state: State) -> None:
    everything = [*state.deck, *state.middle]
    for player in state.players.values():
        everything += [*player.hand, *player.active]
    assert sorted(everything) == sorted(deck(EQUIPMENT if state.options.zombies else BASE))
    faces = Counter(card.face for player in state.players.values() for card in player.cards)
    assert faces["agent"] == faces["kingpin"] == 1
    assert faces["infector"] == state.options.zombies
    assert bool(module.waiting_for(state)) is not (state.phase == "over")
    assert (state.result is not None) is (state.phase == "over")
    for seat, player in state.players.items():
        assert all(seat in card.seen or card.up for card in player.cards)
        assert player.alive or not (player.hand or player.armed) or state.phase == "over"
        assert (player.armed == "arms") is (player.zombie and player.armed is not None)
        forced = any(task.kind == "aim" and task.seat == seat for task in state.tasks)
        assert not player.armed or player.aim or forced
        assert player.aim is None or player.armed
        mine = {card.face for card in player.cards}
        if state.phase != "over":
            assert not (player.zombie and mine & {"agent", "kingpin"})
            assert len(mine & {"agent", "kingpin", "infector"}) < 2
            infector = next((card for card in player.cards if card.face == "infector" and card.up), None)
            becomes = any(task.kind == "turn" for task in state.tasks)
            assert infector is None or player.zombie or becomes
        if state.phase != "discard":
            assert len(player.hand) < 2
    if state.phase in ("action", "discard", "end_reaction", "dice"):
        assert state.declared is None
    assert (state.dice is not None) is (state.phase == "dice")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_move_is_accepted_and_offered_on_the_phone(seed: int) -> None:
    for snapshot, _, _ in some(seed, 20):
        state = module.load(snapshot)
        for seat in state.seats:
            legal = module.legal_moves(state, seat)
            assert len({encode(move) for move in legal}) == len(legal)
            for move in legal[:: max(1, len(legal) // 40)]:
                assert verdict(module, snapshot, seat, encode(move)) == "", move
            view: Any = module.view(state, seat)
            assert set(view.mine.can) == {kind_of(move) for move in legal}
            playable = {card.card for card in view.mine.plays if not card.why_not}
            assert playable == {move.card for move in legal if isinstance(move, Play)}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_unlisted_move_is_accepted(seed: int) -> None:
    """``legal_moves`` is complete: of moves that were legal elsewhere, only the listed ones are accepted."""
    tries = moves_seen()
    for snapshot, _, _ in some(seed, 12):
        state = module.load(snapshot)
        for seat in state.seats:
            legal = {encode(move) for move in module.legal_moves(state, seat)}
            for raw in tries:
                if raw not in legal and b"moves" not in raw and b"pairs" not in raw:
                    assert verdict(module, snapshot, seat, raw), raw


@cache
def moves_seen() -> list[bytes]:
    seen = {encode(move) for seed in range(10) for _, move, _ in lively_game(seed) if move is not None}
    return sorted(seen)[::4]


@pytest.mark.parametrize("seed", SEEDS)
def test_twins_look_the_same(seed: int) -> None:
    """Hidden cards are dealt again: view, question and legal moves stay byte for byte."""
    moved = 0
    for number, (snapshot, _, _) in enumerate(some(seed, 25)):
        for seats in (*({seat} for seat in module.load(snapshot).seats), {"p1", "p2"}, set[str]()):
            other = twin(module, snapshot, seats, Fate(f"twins {seats}", number))
            moved += other != snapshot
            holds(module.load(other))
            assert_alike(module, snapshot, other, seats)
    assert moved > 20


@pytest.mark.parametrize("seed", range(0, 10, 3))
def test_refusals_are_the_same_in_every_twin(seed: int) -> None:
    """A refusal of any move, and its reason, tells nothing of the others."""
    tries = moves_seen()[::3]
    for number, (snapshot, _, _) in enumerate(some(seed, 8)):
        for seat in module.load(snapshot).seats:
            other = twin(module, snapshot, {seat}, Fate("twins", number))
            for raw in tries:
                assert verdict(module, snapshot, seat, raw) == verdict(module, other, seat, raw)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pass_shows_nothing_to_other_seats(seed: int) -> None:
    """While others still think, a pass changes no view, no question and no legal move but one's own."""
    before: bytes | None = None
    passes = 0
    for snapshot, move, events in lively_game(seed):
        if before is not None and move is not None and kind_of(move) == "pass" and len(events) == 1:
            old, new = module.load(before), module.load(snapshot)
            if new.question == old.question:
                (mover,) = set(old.asked) - set(new.asked)
                assert events[0].to == (mover,)
                passes += 1
                for seat in (*set(new.seats) - {mover}, None):
                    assert encode(module.view(old, seat)) == encode(module.view(new, seat))
                    if seat:
                        assert module.asked(old, seat) == module.asked(new, seat)
        before = snapshot
    assert passes


@pytest.mark.parametrize("seed", SEEDS)
def test_events_tell_a_seat_only_what_its_view_tells(seed: int) -> None:
    """No public event names a face that does not lie open, nor equipment out of a hand."""
    for snapshot, _, events in lively_game(seed):
        state = module.load(snapshot)
        for event in events:
            if event.to is not None:
                assert event.kind in ("seen", "received", "discarded_own", "passed")
                continue
            data = msgspec.json.encode(event.data).decode()
            if event.kind == "turned_up":
                assert any(card.up and card.face == event.data["face"] for card in cards(state))
            elif event.kind != "ended":
                named = {f'"{name}"' for name in ("honest", "crooked", "agent", "kingpin", "infector")}
                assert not any(name in data for name in named), event
            if event.kind in ("drawn", "discarded", "nothing_drawn"):
                assert set(event.data) == {"seat"}


def cards(state: State) -> list[Any]:
    return [card for player in state.players.values() for card in player.cards]


def test_random_games_reach_every_move_equipment_phase_and_end() -> None:
    moves, played, reasons, phases = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for seed in range(45):
        for snapshot, move, events in lively_game(seed):
            phases[module.load(snapshot).phase] += 1
            moves.update([kind_of(move)] if move else [])
            if isinstance(move, Play):
                played[move.card] += 1
            reasons.update(event.data["reason"] for event in events if event.kind == "ended")
    assert TYPES - set(moves) == {"skip"}
    assert set(played) == set(EQUIPMENT)
    assert set(reasons) == {"honest", "crooked", "zombie", "alone"}
    assert len(phases) == 8
