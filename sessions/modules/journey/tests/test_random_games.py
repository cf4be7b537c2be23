"""The invariants of random journeys that are not given up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Fate
from sessions.game_tests.fixtures import seeds
from sessions.modules.journey import module
from sessions.modules.journey.moves import Concede
from sessions.modules.journey.state import CARDS, SUITS, State
from sessions.modules.journey.view import View, view


def journey(seed: int) -> Iterator[tuple[State, bytes]]:
    """Yield each state of a random game that is played to its end, and the move made there."""
    snapshot = start(module, ["p1"], {}, Fate(f"random {seed}", 0))
    for number in range(1, 2000):
        state = module.load(snapshot)
        moves = [move for move in module.legal_moves(state, "p1") if not isinstance(move, Concede)]
        if not moves:
            assert module.outcome(state)
            return
        move = moves[Fate(f"choice {seed}", number).roll("pick", len(moves)) - 1]
        yield state, encode(move)
        snapshot, _ = step(
            module, snapshot, "p1", decode_move(module, encode(move)), Fate(f"random {seed}", number)
        )
    raise AssertionError("no end")


@pytest.mark.parametrize("seed", seeds(8, of=30))
def test_every_card_is_somewhere_once_and_no_day_is_too_full(seed: int) -> None:
    for state, _ in journey(seed):
        placed = [card for cards in state.days for card in cards]
        assert sorted([*state.deck, *state.hand, *state.discards, *placed]) == sorted(CARDS)
        assert all(1 <= day <= 7 for day in state.pawns.values())
        if state.turn:
            assert all(len(cards) <= state.capacity(day) for day, cards in enumerate(state.days, 1))
        assert 0 <= state.letters <= len(state.solved) <= 5


@pytest.mark.parametrize("seed", seeds(8, of=30))
def test_the_view_lists_the_legal_moves(seed: int) -> None:
    for state, _ in journey(seed):
        view, watched = module.view(state, "p1"), module.view(state, None)
        assert isinstance(view, View)
        assert isinstance(watched, View)
        assert view.me
        assert watched.me is None
        if view.phase in (*SUITS, "solve"):
            assert view.phase in view.me.can
        assert bool(view.me.previews) is (view.phase == "move")
        seen = {
            *view.hand,
            *view.discards,
            *view.known_top,
            *view.known_bottom,
            *([view.top] if view.top else []),
        }
        assert seen <= set(view.faces)


@pytest.mark.parametrize("seed", seeds(5, of=20))
def test_a_preview_tells_where_the_pawns_come_to_stand(seed: int) -> None:
    """The promise before a card is played is the table right after it was placed."""
    for state, move in journey(seed):
        me = view(state, "p1").me
        assert me
        for preview in me.previews:
            for way in preview.ways:
                fields = (
                    {"split": {"a": way.a, "b": way.b}}
                    if "map" in state.items
                    else {"black": "a" if way.a else "b"}
                )
                play = encode({"type": "play", "card": preview.card, **fields})
                _, events = step(module, encode(state), "p1", decode_move(module, play), Fate("any", 9))
                told = [event for event in events if event.kind != "turn_begun"]
                looped = [event for event in told if event.kind == "looped"]
                ended = [event for event in told if event.kind == "ended"]
                assert bool(looped) is (preview.loop in ("discard", "bottom"))
                if preview.loop == "lost":
                    assert ended
                    continue
                days = {event.data["pawn"]: event.data["to"] for event in told if event.kind == "moved"}
                assert days["white"] == preview.day
                assert days.get("a", state.pawns["a"]) == way.to_a
                assert days.get("b", state.pawns["b"]) == way.to_b
                fallen = [event.data["card"] for event in told if event.kind == "fell"]
                assert fallen == (
                    [preview.card] if preview.discarded else [preview.falls] if preview.falls else []
                )
        assert move
