"""The value of a turn's end to a player who cannot see the deck. [for the bot; planning.js does the same]

A set of positions of both black pawns (``Rows``) has seven rows, one for each day of A, of seven bits, one
for each day of B.
"""

from __future__ import annotations

from collections.abc import Collection

from .components import DAYS, SUITS, Card, number_of, suit_of
from .ring import add_steps
from .scoring import score
from .state import State

Rows = list[int]

ALL = (1 << DAYS) - 1
TOLD, LETTER, CARD = 100.0, 14.0, 10.0  # a solved story, a letter in hand, a card in the deck
NEXT, HOME = 55.0, 150.0  # the chance that the next turn solves a story, or brings all pawns home
PLACED, PLACES = 6.0, 4.0  # placed events of an unsolved story, and days with such events, three at most
WON = 2000.0


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
    day = add_steps(state.day("white"), number_of(card))
    if len(state.solved) < len(SUITS):
        return _reaches(state, card, _telling(state, card, day))
    return day == DAYS and _reaches(state, card, _home(state.letters))


def _reaches(state: State, card: Card, rows: Rows) -> bool:
    """True if the black pawns' move of a card leads to one of these positions."""
    total, a, b = DAYS - number_of(card), state.day("a") - 1, state.day("b") - 1
    shares = range(total + 1) if "map" in state.items else (0, total)
    return any(rows[(a + share) % DAYS] >> ((b + total - share) % DAYS) & 1 for share in shares)


def stand(rows: Rows, a: int, b: int) -> bool:
    """True if black pawns on these days are in one of these positions."""
    return bool(rows[a - 1] >> (b - 1) & 1)


def telling_places(state: State) -> Rows:
    """Return the positions of the black pawns in which a story can be solved now."""
    rows, here = [0] * DAYS, [suit_of(card) for card in state.events_here()]
    for suit in {*here} - {*state.solved}:
        _add_places(rows, state, suit, state.day("white"), here.count(suit))
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
