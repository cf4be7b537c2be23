"""The bots for the traveller, which look two turns ahead in an imagined deck.

They use only their own view. The number of journeys of 200 that came home with these items:

- none 28, rucksack 28, radio 29, map 32, lantern 63, tent 160
- lantern, map, rucksack (packed by ``bot``): 86
- lantern, map, rucksack, tent (packed by ``strong_bot``): 38 of 40, but the tent costs 10 VP

Measure with ``python -m sessions.modules.journey.tests.measure lantern,map,rucksack 200``; ``none`` for none.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sessions.game import Fate

from .components import DAYS, SUITS
from .effects import place_of
from .imagining import apply_to_copy, imagine_state, unseen_by
from .judging import promise, stand, telling_places, worth
from .legal import legal_moves
from .moves import AdventureMemory, AnyMove, Blue, Concede, LocationMemory, Pack
from .ring import add_steps
from .solving import solvable
from .state import TRAVELLER, State
from .view import View

ITEMS = ("lantern", "map", "rucksack")
STRONG_ITEMS = (*ITEMS, "tent")
ENDS_SEEN, ENDS_WEIGHED = 100, 12  # ends of a turn that are tried; the best are judged by the next turn
ENDS_FOLLOWED = 3  # of these, the best are followed into the next turn
ENDS_SEEN_AFTER, ENDS_WEIGHED_AFTER = 32, 6

_LETTERS = (LocationMemory, AdventureMemory)


class TurnEnd(NamedTuple):
    """One possible end of a turn, with the moves that lead to it."""

    worth: float
    path: tuple[AnyMove, ...]
    state: State


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move that packs ``ITEMS``; later the first move to the best end of the imagined turn."""
    return _find_pack_move(legal, ITEMS) or plan(imagine_state(view, fate))[0]


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the same as ``bot``, but with a tent, which costs points and brings more journeys home."""
    return _find_pack_move(legal, STRONG_ITEMS) or plan(imagine_state(view, fate))[0]


def _find_pack_move(legal: Sequence[AnyMove], items: tuple[str, ...]) -> AnyMove | None:
    """Return the move that packs these items, None later on."""
    return next((move for move in legal if isinstance(move, Pack) and move.items == items), None)


def plan(state: State) -> tuple[AnyMove, ...]:
    """Return the moves to the end of this turn that is best together with the turn after it."""
    best = turn_ends(state, ENDS_SEEN, ENDS_WEIGHED)[:ENDS_FOLLOWED]
    return max(best, key=lambda end: end.worth + _ahead(end)).path


def _ahead(end: TurnEnd) -> float:
    if end.state.reason:
        return end.worth
    return turn_ends(end.state, ENDS_SEEN_AFTER, ENDS_WEIGHED_AFTER)[0].worth


def turn_ends(state: State, most: int, weighed: int) -> list[TurnEnd]:
    """Return the best ends of this turn, the best first.

    All first moves get an equal share of the ends that are tried, so that a card with many trades does not
    hide the others.
    """
    unseen = unseen_by(state)
    firsts = choices(state)
    share = max(3, most // len(firsts))
    found = [end for first in firsts for end in islice(_ends(state, first), share)]
    best = heapq.nlargest(weighed, found, key=lambda end: end.worth)
    judged = [TurnEnd(end.worth + promise(end.state, unseen), end.path, end.state) for end in best]
    return sorted(judged, key=lambda end: -end.worth)


def _ends(state: State, first: AnyMove) -> Iterator[TurnEnd]:
    open_ends: list[tuple[tuple[AnyMove, ...], State]] = [((first,), apply_to_copy(state, first))]
    while open_ends:
        path, here = open_ends.pop()
        if here.reason or here.turn > state.turn:
            yield TurnEnd(worth(here), path, here)
        else:
            open_ends += [((*path, move), apply_to_copy(here, move)) for move in choices(here)]


def choices(state: State) -> list[AnyMove]:
    """Return the legal moves that are worth trying."""
    moves: list[AnyMove] = [move for move in legal_moves(state, TRAVELLER) if not isinstance(move, Concede)]
    asked: list[AnyMove] = [move for move in moves if not isinstance(move, _LETTERS)]
    match state.phase:
        case "draw" if len(state.deck) <= 1:
            return moves
        case "blue":
            return [move for move in asked if not isinstance(move, Blue) or _matters(state, move)]
        case "before_solve" if not solvable(state):
            return asked + _telling_memories(state, moves)
        case "end" if len(state.solved) == len(SUITS) and state.day("white") == DAYS:
            return asked + [move for move in moves if isinstance(move, LocationMemory)]
    return asked


def _matters(state: State, trade: Blue) -> bool:
    """True if a trade changes the events of a day with pawns, or declines the effect."""
    if trade.first is None or trade.second is None:
        return True
    days = {place_of(state, trade.first)[0], place_of(state, trade.second)[0]}
    return len(days) > 1 and not days.isdisjoint(state.pawns.values())


def _telling_memories(state: State, moves: list[AnyMove]) -> list[AnyMove]:
    """Return the location memories after which a story can be solved."""
    rows = telling_places(state)
    if not any(rows):
        return []
    found: list[AnyMove] = []
    for move in moves:
        if isinstance(move, LocationMemory):
            a, b = _steps(move)
            found += [move] if stand(rows, add_steps(state.day("a"), a), add_steps(state.day("b"), b)) else []
    return found


def _steps(move: LocationMemory) -> tuple[int, int]:
    if move.split:
        return move.split.a, move.split.b
    return (move.steps or 0, 0) if move.pawn == "a" else (0, move.steps or 0)
