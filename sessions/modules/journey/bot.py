"""The bots for the traveller, which look two turns ahead in an imagined deck.

They use only their own view. The number of journeys of 200 that came home with these items:

- none 28, rucksack 28, radio 29, map 32, lantern 63, tent 160
- lantern, map, rucksack (packed by ``bot``): 86
- lantern, map, rucksack, tent (packed by ``strong_bot``): 38 of 40, but the tent costs 10 VP

Measure with ``python -m sessions.modules.journey.tests.measure lantern,map,rucksack 200``; ``none`` for none.

First comes the value of a turn's end to a player who cannot see the deck; ``planning.js`` calculates the
same. A set of positions of both black pawns (``Rows``) has seven rows, one for each day of A, of seven
bits, one for each day of B.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from itertools import islice
from typing import NamedTuple

from sessions.game import Fate

from .legal import legal_moves
from .moves import AnyMove, Blue, Concede, LocationMemory, Memory, Pack
from .rules import apply
from .state import (
    CARDS,
    DAYS,
    SUITS,
    TRAVELLER,
    Card,
    Pawn,
    State,
    add_steps,
    number_of,
    score,
    solvable,
    suit_of,
)
from .turns import place_of
from .view import View

Rows = list[int]
ALL = (1 << DAYS) - 1
TOLD, LETTER, CARD = 100.0, 14.0, 10.0  # a solved story, a letter in hand, a card in the deck
NEXT, HOME = 55.0, 150.0  # the chance that the next turn solves a story, or brings all pawns home
PLACED, PLACES = 6.0, 4.0  # placed events of an unsolved story, and days with such events, three at most
WON = 2000.0
ITEMS = ("lantern", "map", "rucksack")
STRONG_ITEMS = (*ITEMS, "tent")
ENDS_SEEN, ENDS_WEIGHED = 100, 12  # ends of a turn that are tried; the best are judged by the next turn
ENDS_FOLLOWED = 3  # of these, the best are followed into the next turn
ENDS_SEEN_AFTER, ENDS_WEIGHED_AFTER = 32, 6
_NO_FATE = Fate("nothing is shuffled once everything is laid out", 0)


def worth(state: State) -> float:
    """Return the value of a turn's end, without the value that the next turn promises."""
    if state.reason:
        return WON + score(state).total if state.reason == "home" else -WON
    value = TOLD * len(state.solved) + LETTER * state.letters + CARD * len(state.deck)
    for suit in SUITS:
        if suit not in state.solved:
            counts = [sum(suit_of(card) == suit for card in cards) for cards in state.days]
            value += PLACED * min(sum(counts), 3) + PLACES * min(sum(map(bool, counts)), 3)
    return value


def promise(state: State, unseen: Collection[Card]) -> float:
    """Return the expected value of the next turn, in which any card of ``unseen`` may be drawn."""
    if state.reason:
        return 0.0
    return (NEXT if len(state.solved) < len(SUITS) else HOME) * chance(state, unseen)


def chance(state: State, unseen: Collection[Card]) -> float:
    """Return the chance that the next turn solves a story, or brings all pawns home if all are solved."""
    known = [card for card in state.hand if card not in unseen]
    if state.phase == "draw" and state.deck and state.deck[0] not in unseen:
        known.append(state.deck[0])
    if any(_does(state, card) for card in known):
        return 1.0
    draws = len(known) < len(state.hand) or (state.phase == "draw" and state.deck)
    if not draws or not unseen:
        return 0.0
    return sum(_does(state, card) for card in unseen) / len(unseen)


def _does(state: State, card: Card) -> bool:
    day = add_steps(state.pawns["white"], number_of(card))
    if len(state.solved) < len(SUITS):
        return _reaches(state, card, _telling(state, card, day))
    return day == DAYS and _reaches(state, card, _home(state.letters))


def _reaches(state: State, card: Card, rows: Rows) -> bool:
    """True if the black pawns' move of a card leads to one of these positions."""
    total, a, b = DAYS - number_of(card), state.pawns["a"] - 1, state.pawns["b"] - 1
    shares = range(total + 1) if "map" in state.items else (0, total)
    return any(rows[(a + share) % DAYS] >> ((b + total - share) % DAYS) & 1 for share in shares)


def stand(rows: Rows, a: int, b: int) -> bool:
    """True if black pawns on these days are in one of these positions."""
    return bool(rows[a - 1] >> (b - 1) & 1)


def telling_places(state: State) -> Rows:
    """Return the positions of the black pawns in which a story can be solved now."""
    rows, here = [0] * DAYS, [suit_of(card) for card in state.events_here()]
    for suit in {*here} - {*state.solved}:
        _add_places(rows, state, suit, state.pawns["white"], here.count(suit))
    return rows


def _telling(state: State, card: Card, day: int) -> Rows:
    """Return the positions from which a story can be solved once this card is placed on this day."""
    here = [suit_of(one) for one in [card, *state.days[day - 1]][: state.capacity(day)]]
    rows = [0] * DAYS
    for suit in {*here} - {*state.solved}:
        _add_places(rows, state, suit, day, here.count(suit))
    if not any(rows):
        return rows
    if state.letters:
        rows = _widen(rows, state.letters)
    if "white" in here:
        rows = [(ALL if row >> (day - 1) & 1 else row) | rows[day - 1] for row in rows]
    return _widen(rows, 1) if "red" in here else rows


def _add_places(rows: Rows, state: State, suit: str, day: int, mine: int) -> None:
    """Add the positions that solve a story with ``mine`` events at the white pawn."""
    one, two, here = 0, 0, 1 << (day - 1)
    for number, cards in enumerate(state.days):
        count = sum(suit_of(card) == suit for card in cards) if number != day - 1 else 0
        one |= (count > 0) << number
        two |= (count > 1) << number
    for a in range(DAYS):
        if a == day - 1:
            rows[a] |= (one if mine > 1 else 0) | (here if mine > 2 else 0)
        elif one >> a & 1:
            rows[a] |= (one & ~(1 << a)) | (two & 1 << a) | (here if mine > 1 else 0)


def _home(letters: int) -> Rows:
    """Return the positions from which letters alone bring both black pawns to day 7."""
    rows = [0] * (DAYS - 1) + [1 << (DAYS - 1)]
    for left in range(1, letters + 1):
        rows = _widen(rows, left)
    return rows


def _widen(rows: Rows, steps: int) -> Rows:
    """Add the positions from which one black pawn needs this number of steps, forward or back."""
    steps %= DAYS
    return [
        row
        | rows[(a + steps) % DAYS]
        | rows[(a - steps) % DAYS]
        | ((row << steps | row >> (DAYS - steps)) & ALL)
        | ((row << (DAYS - steps) | row >> steps) & ALL)
        for a, row in enumerate(rows)
    ]


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

    def value(end: TurnEnd) -> float:
        after = end if end.state.reason else turn_ends(end.state, ENDS_SEEN_AFTER, ENDS_WEIGHED_AFTER)[0]
        return end.worth + after.worth

    return max(turn_ends(state, ENDS_SEEN, ENDS_WEIGHED)[:ENDS_FOLLOWED], key=value).path


def turn_ends(state: State, most: int, weighed: int) -> list[TurnEnd]:
    """Return the best ends of this turn, the best first.

    All first moves get an equal share of the ends that are tried, so that a card with many trades does not
    hide the others.
    """
    unseen = frozenset(state.deck[state.known_top : len(state.deck) - state.known_bottom])
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
    asked: list[AnyMove] = [move for move in moves if not isinstance(move, Memory)]
    match state.phase:
        case "draw" if len(state.deck) <= 1:
            return moves
        case "blue":
            return [move for move in asked if not isinstance(move, Blue) or _matters(state, move)]
        case "before_solve" if not solvable(state):
            return asked + _telling_memories(state, moves)
        case "end" if len(state.solved) == len(SUITS) and state.pawns["white"] == DAYS:
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
            a, b = move.black_steps
            if stand(rows, add_steps(state.pawns["a"], a), add_steps(state.pawns["b"], b)):
                found.append(move)
    return found


def imagine_state(view: View, fate: Fate) -> State:
    """Return a state that has this view; ``fate`` guesses the order of the unseen cards."""
    open_cards = [*view.hand, *view.discards, *(card for day in view.days for card in day.events)]
    if view.reason == "deck" and view.played:
        open_cards.append(view.played)
    seen = {*open_cards, *view.known_top, *view.known_bottom}
    unseen = [card for card in CARDS if card not in seen]
    pawns: dict[Pawn, int] = {"white": view.pawns.white, "a": view.pawns.a, "b": view.pawns.b}
    return State(
        seats=[TRAVELLER],
        single_key=view.single_key,
        phase=view.phase,
        turn=view.turn,
        items=view.items,
        locations=tuple(day.location for day in view.days),
        days=[list(day.events) for day in view.days],
        pawns=pawns,
        deck=[*view.known_top, *fate.shuffle("unseen", unseen), *view.known_bottom],
        known_top=len(view.known_top),
        known_bottom=len(view.known_bottom),
        hand=list(view.hand),
        discards=list(view.discards),
        solved=[suit for suit, solved in view.stories.items() if solved],
        letters=view.letters,
        played=view.played,
        to_come=list(view.to_come),
        applied=list(view.applied),
        acting=view.acting,
        reason=view.reason,
    )


def apply_to_copy(state: State, move: AnyMove) -> State:
    """Return a copy of the state on which a legal move was carried out."""
    then = copy(state)
    then.days = [list(cards) for cards in state.days]
    then.pawns = dict(state.pawns)
    then.deck, then.hand, then.discards = list(state.deck), list(state.hand), list(state.discards)
    then.solved, then.to_come, then.applied = list(state.solved), list(state.to_come), list(state.applied)
    apply(then, TRAVELLER, move, _NO_FATE)
    return then
