"""The view of a journey. It starts empty and adds what may be seen; only the deck's order is hidden."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sessions.game import Seat, kinds

from .components import COST, DAYS, SUITS, Black, Card, Item, Key, Location, Suit, key_of, number_of, suit_of
from .effects import copyable
from .legal import legal_moves
from .previews import CardPreview, PawnMove, Trade, memories, previews, red_ways, trades
from .rules import waiting_for
from .scoring import JourneyScore, key_points, score
from .solving import events_of, lacking, solvable
from .state import EFFECTS, Phase, State


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
    """The print on an event."""

    suit: Suit
    number: int
    key: Key


class MyView(Struct, frozen=True):
    """The choices of the traveller now."""

    can: tuple[str, ...]  # the types of the legal moves
    previews: tuple[CardPreview, ...]
    steps: tuple[PawnMove, ...]  # of the red effect
    trades: tuple[Trade, ...]
    copies: tuple[Card, ...]
    calls: tuple[Black, ...]
    solves: tuple[Suit, ...]
    memories: tuple[PawnMove, ...]
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
    pending: tuple[Suit, ...]
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
    """Return the view of a seat; None is a spectator."""
    top = state.deck[: state.known_top]
    bottom = state.deck[max(len(top), len(state.deck) - state.known_bottom) :]
    now = score(state)
    won = state.reason == "home"
    return View(
        phase=state.phase,
        waiting_for=tuple(sorted(waiting_for(state))),
        turn=state.turn,
        days=tuple(_day(state, day) for day in range(1, DAYS + 1)),
        pawns=PawnsView(state.day("white"), state.day("a"), state.day("b")),
        hand=tuple(state.hand),
        deck_count=len(state.deck),
        top=state.deck[0] if "radio" in state.items and state.deck else None,
        discards=tuple(state.discards),
        stories={suit: suit in state.solved for suit in SUITS},
        letters=state.letters,
        items=state.items,
        played=state.played,
        pending=_pending(state),
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


def _pending(state: State) -> tuple[Suit, ...]:
    """Return the suits still to apply after the current one, each once. [JO-3.6]"""
    if state.phase not in EFFECTS:
        return ()
    return tuple(dict.fromkeys(suit for suit in map(suit_of, state.to_come) if suit not in state.applied))


def _story(state: State, suit: Suit) -> StoryView:
    days = sorted(set(state.pawns.values()))
    needs = (
        NeedView(day, events_of(state, day, suit), sum(on == day for on in state.pawns.values()))
        for day in days
    )
    return StoryView(suit, suit in state.solved, sum(lacking(state, suit).values()), tuple(needs))


def _faces(state: State, known: list[Card]) -> dict[Card, FaceView]:
    placed = [card for cards in state.days for card in cards]
    played = [state.played] if state.played else []
    cards = sorted({*placed, *state.hand, *state.discards, *played, *known})
    return {card: FaceView(suit_of(card), number_of(card), key_of(card)) for card in cards}


def _me(state: State, seat: Seat) -> MyView:
    return MyView(
        can=kinds(legal_moves(state, seat)),
        previews=previews(state),
        steps=red_ways(state) if state.phase == "red" else (),
        trades=trades(state) if state.phase == "blue" else (),
        copies=tuple(copyable(state)) if state.phase == "green" else (),
        calls=tuple(state.black_pawns_away()) if state.phase == "white" else (),
        solves=tuple(solvable(state)) if state.phase == "solve" else (),
        memories=memories(state),
        costs=COST if state.phase == "pack" else {},
    )
