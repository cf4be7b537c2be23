"""A traveller that plays by itself: it looks two turns ahead in a deck it imagines.

It knows nothing but its own view. Of journeys with these items it brought home:

- lantern, map, rucksack (what it packs for itself): 10 of 12
- all six: 10 of 10
- none: 2 of 10

Measure with ``python -m sessions.modules.journey.tests.measure lantern,map,rucksack 12``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.fate import Fate

from .components import DAYS, SUITS
from .effects import place_of
from .imagining import after, imagined
from .legal import legal_moves
from .moves import AdventureMemory, AnyMove, Blue, Concede, LocationMemory, Pack
from .scoring import score
from .solving import events_of, lacking, solvable
from .state import TRAVELLER, State
from .view import View

ITEMS = ("lantern", "map", "rucksack")
ENDS_SEEN = 400  # ends of a turn that are looked at
ENDS_FOLLOWED = 5  # of these, the best are followed into the next turn
ENDS_SEEN_AFTER = 80


_LETTERS = (LocationMemory, AdventureMemory)


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move that leads to the best end of the next turn, as far as it can be imagined."""
    for move in legal:
        if isinstance(move, Pack) and move.items == ITEMS:
            return move
    return plan(imagined(view, fate))[0]


def plan(state: State) -> tuple[AnyMove, ...]:
    """Return the moves to the end of this turn, or to where a card is drawn that could only be imagined."""
    ends = sorted(turn_ends(state, ENDS_SEEN), key=lambda end: worth(end[1]), reverse=True)
    return max(ends[:ENDS_FOLLOWED], key=lambda end: prospect(end[1]))[0]


def prospect(state: State) -> float:
    """Return the worth of a turn's end with the best end of the turn after it."""
    if state.reason:
        return worth(state)
    return worth(state) + 0.8 * max(worth(end) for _, end in turn_ends(state, ENDS_SEEN_AFTER))


def turn_ends(state: State, most: int) -> Iterator[tuple[tuple[AnyMove, ...], State]]:
    """Yield the ends of this turn that are worth a look, with the moves towards them."""
    open_ends: list[tuple[tuple[AnyMove, ...], State]] = [((), state)]
    seen = 0
    while open_ends and seen < most:
        path, here = open_ends.pop()
        for move in choices(here):
            then = after(here, move)
            if then.reason or then.turn > state.turn:
                seen += 1
                yield (*path, move), then
            else:
                open_ends.append(((*path, move), then))


def choices(state: State) -> list[AnyMove]:
    """Return the legal moves that are worth a look."""
    moves: list[AnyMove] = [move for move in legal_moves(state, TRAVELLER) if not isinstance(move, Concede)]
    asked: list[AnyMove] = [move for move in moves if not isinstance(move, _LETTERS)]
    match state.phase:
        case "draw" if not state.deck:
            return moves
        case "blue":
            return [move for move in asked if not isinstance(move, Blue) or _matters(state, move)]
        case "before_solve" if not solvable(state):
            return asked + [move for move in moves if _brings_a_story(state, move)]
        case "end" if len(state.solved) == len(SUITS) and state.day("white") == DAYS:
            return moves
    return asked


def _matters(state: State, trade: Blue) -> bool:
    """Tell whether a trade touches a day where pawns stand."""
    if trade.first is None or trade.second is None:
        return True
    days = {place_of(state, trade.first)[0], place_of(state, trade.second)[0]}
    return len(days) > 1 and not days.isdisjoint(state.pawns.values())


def _brings_a_story(state: State, move: AnyMove) -> bool:
    if not isinstance(move, LocationMemory):
        return False
    then = after(state, move)
    return len(then.solved) > len(state.solved) or bool(solvable(then))


def worth(state: State) -> float:
    """Return how good a turn's end looks."""
    if state.reason:
        return 2000.0 + score(state).total if state.reason == "home" else -2000.0
    value = 100.0 * len(state.solved) + 6.0 * state.letters + 1.5 * len(state.deck)
    missing = [sum(lacking(state, suit).values()) for suit in SUITS if suit not in state.solved]
    if not missing:
        return value + 0.2 * score(state).total + 15.0 * sum(day == DAYS for day in state.pawns.values())
    value -= 8.0 * min(missing) + 3.0 * sum(missing)
    for suit in SUITS:
        if suit not in state.solved:
            counts = [events_of(state, day, suit) for day in range(1, DAYS)]
            value += 9.0 * min(sum(counts), 3) + 3.0 * min(sum(map(bool, counts)), 3)
    return value
