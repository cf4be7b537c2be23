"""Previews of the effects of choices. Nothing here reads the deck's cards."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .components import BLACKS, DAYS, Black, Card, Suit, number_of, suit_of
from .effects import pairs, place_of
from .legal import shares_of_letters
from .ring import add_steps, loops
from .solving import solvable
from .state import State


class PawnMove(Struct, frozen=True):
    """One way for the black pawns to move: the steps, the days reached, and the stories that could be solved.

    ``solves`` is correct if no effect moves a pawn or an event before.
    """

    a: int
    b: int
    to_a: int
    to_b: int
    solves: tuple[Suit, ...]


class CardPreview(Struct, frozen=True):
    """The effect of playing a hand card."""

    card: Card
    number: int
    rest: int  # the steps of the black pawns
    day: int  # the day that the white pawn reaches
    loop: Literal["discard", "bottom", "lost"] | None  # for the deck's top card, on passing day 7
    discarded: bool  # on day 7 the card itself goes to the discards
    falls: Card | None  # the event that is pushed out
    effects: tuple[Suit, ...]  # in their order
    ways: tuple[PawnMove, ...]


def previews(state: State) -> tuple[CardPreview, ...]:
    """Return a preview of each hand card while one is to be played."""
    return tuple(_preview(state, card) for card in state.hand) if state.phase == "move" else ()


def _preview(state: State, card: Card) -> CardPreview:
    number = number_of(card)
    day = add_steps(state.day("white"), number)
    events = [card, *state.days[day - 1]]
    room = state.capacity(day)
    return CardPreview(
        card=card,
        number=number,
        rest=DAYS - number,
        day=day,
        loop=_loop(state) if loops(state.day("white"), number) else None,
        discarded=room == 0,
        falls=events[-1] if 0 < room < len(events) else None,
        effects=tuple(dict.fromkeys(map(suit_of, events[:room]))),
        ways=tuple(_way(state, day, events[:room], share) for share in shares(state, DAYS - number)),
    )


def _loop(state: State) -> Literal["discard", "bottom", "lost"]:
    if not state.deck:
        return "lost"
    return "bottom" if "tent" in state.items else "discard"


def shares(state: State, total: int) -> list[dict[Black, int]]:
    """Return the ways to move black pawns forward by a card. [JO-3.3]"""
    if "map" in state.items:
        return [{"a": a, "b": total - a} for a in range(total, -1, -1)]
    return [{pawn: total if pawn == one else 0 for pawn in BLACKS} for one in BLACKS]


def _way(state: State, day: int, events: list[Card], share: dict[Black, int]) -> PawnMove:
    days = [events if number == day else cards for number, cards in enumerate(state.days, 1)]
    return _make_way(state, day, days, share)


def _make_way(state: State, day: int, days: list[list[Card]], share: dict[Black, int]) -> PawnMove:
    to_a, to_b = (add_steps(state.day(pawn), share[pawn]) for pawn in BLACKS)
    then = State(seats=[], days=days, pawns={"white": day, "a": to_a, "b": to_b}, solved=list(state.solved))
    return PawnMove(share["a"], share["b"], to_a, to_b, tuple(solvable(then)))


def red_ways(state: State) -> tuple[PawnMove, ...]:
    """Return the ways that the red effect offers. [JO-3.7]"""
    steps: list[dict[Black, int]] = [{"a": -1, "b": 0}, {"a": 1, "b": 0}, {"a": 0, "b": -1}, {"a": 0, "b": 1}]
    return tuple(_make_way(state, state.day("white"), state.days, share) for share in steps)


def memories(state: State) -> tuple[PawnMove, ...]:
    """Return the ways that a letter's location memory offers. [JO-4.1]"""
    if not state.letters or state.phase in ("pack", "over"):
        return ()
    shares = shares_of_letters(state)
    return tuple(_make_way(state, state.day("white"), state.days, {"a": a, "b": b}) for a, b in shares)


class Trade(Struct, frozen=True):
    """Two events that can trade places, their days, and the stories that could then be solved."""

    first: Card
    second: Card
    first_day: int
    second_day: int
    solves: tuple[Suit, ...]


def trades(state: State) -> tuple[Trade, ...]:
    """Return the trades that the blue effect offers; those that help to solve come first. [JO-3.8]"""
    found = (_trade(state, first, second) for first, second in pairs(state))
    return tuple(sorted(found, key=lambda trade: not trade.solves))


def _trade(state: State, first: Card, second: Card) -> Trade:
    swapped = {first: second, second: first}
    days = [[swapped.get(card, card) for card in cards] for cards in state.days]
    then = State(seats=[], days=days, pawns=state.pawns, solved=state.solved)
    return Trade(first, second, place_of(state, first)[0], place_of(state, second)[0], tuple(solvable(then)))
