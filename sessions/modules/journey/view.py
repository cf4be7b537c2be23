"""The view of a journey, with previews of the effects of choices.

The view starts empty and adds what may be seen; only the deck's order is hidden. No preview reads the cards
of the deck. ``resample`` makes other states that have the same views.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from msgspec import Struct

from sessions.game import Fate, Seat, kinds

from .legal import legal_moves, shares_of_card, shares_of_letters
from .rules import waiting_for
from .state import (
    COST,
    DAYS,
    SUITS,
    Black,
    Card,
    Item,
    JourneyScore,
    Key,
    Location,
    Phase,
    State,
    Suit,
    add_steps,
    events_of,
    key_of,
    key_points,
    lacking,
    loops,
    number_of,
    score,
    solvable,
    suit_of,
)
from .turns import copyable, pairs, place_of

RED_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


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
    card: Card
    number: int
    rest: int  # the steps of the black pawns
    day: int  # the day that the white pawn reaches
    loop: Literal["discard", "bottom", "lost"] | None  # for the deck's top card, on passing day 7
    discarded: bool  # on day 7 the card itself goes to the discards
    falls: Card | None  # the event that is pushed out
    effects: tuple[Suit, ...]  # in their order
    ways: tuple[PawnMove, ...]


class Trade(Struct, frozen=True):
    """Two events that can trade places, their days, and the stories that could then be solved."""

    first: Card
    second: Card
    first_day: int
    second_day: int
    solves: tuple[Suit, ...]


class DayView(Struct, frozen=True):
    """One day: its location, its events, nearest first, its free places, the VP of its key icons."""

    day: int
    location: Location | None
    capacity: int
    events: tuple[Card, ...]
    free: int
    points: int


class PawnsView(Struct, frozen=True):
    white: int
    a: int
    b: int


class NeedView(Struct, frozen=True):
    """A day where pawns stand, and how many events of a story it has and needs."""

    day: int
    have: int
    need: int


class StoryView(Struct, frozen=True):
    """The events that a story lacks where the pawns are now. With a pawn on day 7 none can be solved."""

    suit: Suit
    solved: bool
    missing: int
    days: tuple[NeedView, ...]


class FaceView(Struct, frozen=True):
    suit: Suit
    number: int
    key: Key


class MyView(Struct, frozen=True):
    """The choices of the traveller now."""

    can: tuple[str, ...]  # the types of the legal moves
    previews: tuple[CardPreview, ...]
    steps: tuple[PawnMove, ...]  # of the red effect [JO-3.7]
    trades: tuple[Trade, ...]
    copies: tuple[Card, ...]
    calls: tuple[Black, ...]
    solves: tuple[Suit, ...]
    memories: tuple[PawnMove, ...]  # of a letter's location memory [JO-4.1]
    costs: dict[Item, int]  # of the items while packing


class View(Struct, frozen=True):
    """The view of a journey. ``me`` is only for the traveller; the rest is public."""

    phase: Phase
    waiting_for: tuple[Seat, ...]
    turn: int
    days: tuple[DayView, ...]
    pawns: PawnsView
    hand: tuple[Card, ...]
    deck_count: int
    top: Card | None
    discards: tuple[Card, ...]
    stories: dict[Suit, bool]
    letters: int
    items: tuple[Item, ...]
    played: Card | None
    pending: tuple[Suit, ...]  # the suits to apply after the current one, each once [JO-3.6]
    result: Literal["won", "lost"] | None
    score: JourneyScore | None
    reason: Literal["home", "deck", "concede"] | None
    acting: Card | None  # the event whose effect waits for the traveller
    to_come: tuple[Card, ...]  # the events behind ``pending``, nearest first
    applied: tuple[Suit, ...]
    known_top: tuple[Card, ...]  # cards seen going to the top of the deck, the topmost first
    known_bottom: tuple[Card, ...]  # and to its bottom, the lowest last
    so_far: JourneyScore
    needs: tuple[StoryView, ...]
    faces: dict[Card, FaceView]  # of every open card
    single_key: Literal[1, "full"]
    me: MyView | None


def view(state: State, seat: Seat | None) -> View:
    top = state.deck[: state.known_top]
    bottom = state.deck[max(len(top), len(state.deck) - state.known_bottom) :]
    pending = map(suit_of, state.to_come) if state.phase in SUITS else ()
    now = score(state)
    won = state.reason == "home"
    return View(
        phase=state.phase,
        waiting_for=tuple(sorted(waiting_for(state))),
        turn=state.turn,
        days=tuple(_day(state, day) for day in range(1, DAYS + 1)),
        pawns=PawnsView(state.pawns["white"], state.pawns["a"], state.pawns["b"]),
        hand=tuple(state.hand),
        deck_count=len(state.deck),
        top=state.deck[0] if "radio" in state.items and state.deck else None,
        discards=tuple(state.discards),
        stories={suit: suit in state.solved for suit in SUITS},
        letters=state.letters,
        items=state.items,
        played=state.played,
        pending=tuple(dict.fromkeys(suit for suit in pending if suit not in state.applied)),
        result=("won" if won else "lost") if state.reason else None,
        score=now if won else None,
        reason=state.reason,
        acting=state.acting,
        to_come=tuple(state.to_come),
        applied=tuple(state.applied),
        known_top=tuple(top),
        known_bottom=tuple(bottom),
        so_far=now,
        needs=tuple(_story(state, suit) for suit in SUITS),
        faces=_faces(state, [*top, *bottom]),
        single_key=state.single_key,
        me=_me(state, seat) if seat in state.seats else None,
    )


def _day(state: State, day: int) -> DayView:
    cards, room = state.days[day - 1], state.capacity(day)
    return DayView(
        day=day,
        location=state.locations[day - 1],
        capacity=room,
        events=tuple(cards),
        free=room - len(cards),
        points=key_points(state, cards),
    )


def _story(state: State, suit: Suit) -> StoryView:
    days = sorted(set(state.pawns.values()))
    needs = (
        NeedView(day, events_of(state, day, suit), sum(on == day for on in state.pawns.values()))
        for day in days
    )
    return StoryView(suit, suit in state.solved, sum(lacking(state, suit).values()), tuple(needs))


def _faces(state: State, known: list[Card]) -> dict[Card, FaceView]:
    played = [state.played] if state.played else []
    cards = sorted({*state.placed_events(), *state.hand, *state.discards, *played, *known})
    return {card: FaceView(suit_of(card), number_of(card), key_of(card)) for card in cards}


def _me(state: State, seat: Seat) -> MyView:
    remembers = state.letters and state.phase not in ("pack", "over")
    return MyView(
        can=kinds(legal_moves(state, seat)),
        previews=tuple(_preview(state, card) for card in state.hand) if state.phase == "move" else (),
        steps=_ways(state, RED_STEPS) if state.phase == "red" else (),
        trades=trades(state) if state.phase == "blue" else (),
        copies=tuple(copyable(state)) if state.phase == "green" else (),
        calls=tuple(state.black_pawns_away()) if state.phase == "white" else (),
        solves=tuple(solvable(state)) if state.phase == "solve" else (),
        memories=_ways(state, shares_of_letters(state)) if remembers else (),
        costs=COST if state.phase == "pack" else {},
    )


def _preview(state: State, card: Card) -> CardPreview:
    number = number_of(card)
    day = add_steps(state.pawns["white"], number)
    events = [card, *state.days[day - 1]]
    room = state.capacity(day)
    days = [events[:room] if at == day else cards for at, cards in enumerate(state.days, 1)]
    loop: Literal["discard", "bottom", "lost"] | None = None
    if loops(state.pawns["white"], number):
        loop = ("bottom" if "tent" in state.items else "discard") if state.deck else "lost"
    return CardPreview(
        card=card,
        number=number,
        rest=DAYS - number,
        day=day,
        loop=loop,
        discarded=room == 0,
        falls=events[-1] if 0 < room < len(events) else None,
        effects=tuple(dict.fromkeys(map(suit_of, events[:room]))),
        ways=tuple(_way(state, day, days, a, b) for a, b in shares_of_card(state, card)),
    )


def _way(state: State, day: int, days: list[list[Card]], a: int, b: int) -> PawnMove:
    """Return these steps of the black pawns, with the white pawn on ``day`` and the events of ``days``."""
    to_a, to_b = add_steps(state.pawns["a"], a), add_steps(state.pawns["b"], b)
    then = State(seats=[], days=days, pawns={"white": day, "a": to_a, "b": to_b}, solved=list(state.solved))
    return PawnMove(a, b, to_a, to_b, tuple(solvable(then)))


def _ways(state: State, steps: Iterable[tuple[int, int]]) -> tuple[PawnMove, ...]:
    return tuple(_way(state, state.pawns["white"], state.days, a, b) for a, b in steps)


def trades(state: State) -> tuple[Trade, ...]:
    """Return the trades that the blue effect offers; those that help to solve come first. [JO-3.8]"""
    found = (_trade(state, first, second) for first, second in pairs(state))
    return tuple(sorted(found, key=lambda trade: not trade.solves))


def _trade(state: State, first: Card, second: Card) -> Trade:
    swapped = {first: second, second: first}
    days = [[swapped.get(card, card) for card in cards] for cards in state.days]
    then = State(seats=[], days=days, pawns=state.pawns, solved=state.solved)
    return Trade(first, second, place_of(state, first)[0], place_of(state, second)[0], tuple(solvable(then)))


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the part of the deck that is not known. Before packing the order has no meaning yet."""
    top, end = state.known_top, len(state.deck) - state.known_bottom
    state.deck[top:end] = fate.shuffle("unseen", state.deck[top:end])
