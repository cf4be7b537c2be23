"""Positions as trial.js reads them, and what the rules make of each legal move there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from sessions.modules.journey import module
from sessions.modules.journey.bot import apply_to_copy
from sessions.modules.journey.moves import Concede
from sessions.modules.journey.state import State
from sessions.modules.journey.view import View

from .table import Journey
from .test_random_games import journey


def cases(seeds: int, every: int) -> list[dict[str, Any]]:
    """Return moves in random games and with letters in hand: before, the move, after, and the moves then."""
    found = [case for state in _states(seeds) for case in _cases(state)]
    return found[::every]


def _states(seeds: int) -> Iterator[State]:
    for seed in range(seeds):
        for state, _ in journey(seed):
            if state.turn:
                yield state
    days = {2: "blue-1 white-6", 4: "white-5 blue-6", 5: "blue-5 white-4"}
    for items in ("", "map", "map tent radio"):
        for phase in ("draw", "move", "before_events", "before_solve", "solve", "end"):
            for letters in (1, 3):
                rest = {"letters": letters, "discards": "red-1 red-2", "phase": phase}
                yield Journey(items=items).put(days, "2 5 4", hand="green-1 blue-2", **rest).state


def _cases(state: State) -> Iterator[dict[str, Any]]:
    for move in _moves(state):
        then = apply_to_copy(state, move)
        yield {
            "before": position(state),
            "move": msgspec.to_builtins(move),
            "after": position(then),
            "moves": [msgspec.to_builtins(one) for one in _moves(then)],
        }


def _moves(state: State) -> list[Any]:
    return [move for move in module.legal_moves(state, "p1") if not isinstance(move, Concede)]


def position(state: State) -> dict[str, Any]:
    """Return what trying.js reads from the page."""
    view = module.view(state, "p1")
    assert isinstance(view, View)
    return {
        "phase": view.phase,
        "turn": view.turn,
        "items": view.items,
        "hand": view.hand,
        "discards": view.discards,
        "letters": view.letters,
        "deck": view.deck_count,
        "top": view.known_top,
        "bottom": view.known_bottom,
        "toCome": view.to_come,
        "applied": view.applied,
        "acting": view.acting,
        "singleKey": view.single_key,
        "score": view.so_far,
        "points": [day.points for day in view.days],
        "solved": [suit for suit, told in view.stories.items() if told],
        "pawns": {"white": view.pawns.white, "a": view.pawns.a, "b": view.pawns.b},
        "days": [day.events for day in view.days],
        "room": [day.capacity for day in view.days],
    }
