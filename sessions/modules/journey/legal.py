"""Every legal move; a trade of events is listed in one of its two orders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from sessions.game import Seat

from . import moves
from .moves import AnyMove, Split
from .state import DAYS, ITEMS, Card, State, number_of, solvable
from .turns import copyable, pairs


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    if state.reason:
        return []
    return [*_answers(state), *_letters(state), moves.Concede()]


def _answers(state: State) -> Iterator[AnyMove]:
    """Yield the moves that answer the current question."""
    match state.phase:
        case "pack":
            yield from (moves.Pack(chosen) for count in range(7) for chosen in combinations(ITEMS, count))
        case "draw":
            yield moves.Draw()
        case "move":
            yield from _plays(state)
        case "before_events" | "before_solve":
            yield moves.GoOn()
        case "solve":
            yield from map(moves.Solve, solvable(state))
        case "end":
            yield moves.EndTurn()
        case "red":
            yield moves.Red("a", 1)
            yield moves.Red("a", -1)
            yield moves.Red("b", 1)
            yield moves.Red("b", -1)
        case "blue":
            yield from (moves.Blue(first, second) for first, second in pairs(state))
            yield moves.Blue(None, None)
        case "yellow":
            for card in state.hand:
                yield moves.Yellow(card, "top")
                yield moves.Yellow(card, "bottom")
        case "green":
            yield from map(moves.Green, [*copyable(state), None])
        case "white":
            yield from map(moves.White, [*state.black_pawns_away(), None])


def _plays(state: State) -> Iterator[AnyMove]:
    for card in state.hand:
        for a, b in shares_of_card(state, card):
            if "map" in state.items:
                yield moves.Play(card, split=Split(a, b))
            else:
                yield moves.Play(card, black="a" if a else "b")


def _letters(state: State) -> Iterator[AnyMove]:
    if not state.letters:
        return
    for a, b in shares_of_letters(state):
        if "map" in state.items:
            yield moves.LocationMemory(split=Split(a, b))
        else:
            yield moves.LocationMemory("a" if a else "b", a or b)
    yield from map(moves.AdventureMemory, state.discards)


def shares_of_card(state: State, card: Card) -> list[tuple[int, int]]:
    """Return how far a card may move each black pawn. [JO-3.3]"""
    total = DAYS - number_of(card)
    if "map" in state.items:
        return [(a, total - a) for a in range(total, -1, -1)]
    return [(total, 0), (0, total)]


def shares_of_letters(state: State) -> list[tuple[int, int]]:
    """Return how far a location memory may move each black pawn. [JO-4.1]"""
    count = state.letters
    if "map" not in state.items:
        return [(count, 0), (-count, 0), (0, count), (0, -count)]
    ways = {(a * x, (count - a) * y) for a in range(count + 1) for x, y in product((1, -1), repeat=2)}
    return sorted(ways, reverse=True)
