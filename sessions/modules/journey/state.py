"""The components, the options and the state of a journey, and what follows from the state.

The components are locations, events with their key icons, and items; all reconstructed numbers are here. The
days are a ring: past day 7 comes day 1. Pure functions return the stories that can be solved where the pawns
stand (JO-3.12) and the score (JO-5). Only ``view.py`` decides which seat sees which part of the state.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from msgspec import Struct, field

from sessions.game import Scene as AnyScene
from sessions.game import Seat

Suit = Literal["red", "green", "blue", "yellow", "white"]
Key = Literal["moon", "star", "feather"]
Location = Literal["coast", "beach", "town", "city", "station", "mine", "tree"]
Item = Literal["lantern", "map", "radio", "camera", "rucksack", "tent"]
Black = Literal["a", "b"]
Card = str  # an event's id, "red-1" … "white-6"
SUITS: tuple[Suit, ...] = get_args(Suit)
KEYS: tuple[Key, ...] = get_args(Key)
ITEMS: tuple[Item, ...] = get_args(Item)
BLACKS: tuple[Black, ...] = get_args(Black)
CARDS: tuple[Card, ...] = tuple(f"{suit}-{number}" for suit in SUITS for number in range(1, 7))
CARD_PATTERN = r"\A(?:red|green|blue|yellow|white)-[1-6]\Z"
DAYS = 7
LAST: Location = "tree"
#: While the effect of an event waits for the traveller, the phase is its suit.
Phase = Literal[Suit, "pack", "draw", "move", "before_events", "before_solve", "solve", "end", "over"]
Reason = Literal["home", "deck", "concede"]
Pawn = Literal["white", "a", "b"]
TRAVELLER: Seat = "p1"


class LocationCapacity(NamedTuple):
    """The capacity of a location: its black icons, and the red ones that count only with the lantern."""

    black: int
    red: int


ROOM: dict[Location, LocationCapacity] = {  # reconstruction [JO-1.2]
    "coast": LocationCapacity(2, 1),
    "beach": LocationCapacity(2, 1),
    "town": LocationCapacity(2, 1),
    "city": LocationCapacity(3, 1),
    "station": LocationCapacity(2, 1),
    "mine": LocationCapacity(1, 1),
    "tree": LocationCapacity(0, 0),
}

COST: dict[Item, int] = {"lantern": 2, "map": 3, "radio": 2, "camera": 3, "rucksack": 2, "tent": 10}

_SUIT_OF: dict[Card, Suit] = {card: suit for suit in SUITS for card in CARDS if card.startswith(suit)}

_KEY_OF: dict[Card, Key] = {  # reconstruction [JO-1.4]
    f"{suit}-{number}": KEYS[(index + number) % len(KEYS)]
    for index, suit in enumerate(SUITS)
    for number in range(1, 7)
}


def suit_of(card: Card) -> Suit:
    """Return the suit of an event; the events of a suit are one story."""
    return _SUIT_OF[card]


def number_of(card: Card) -> int:
    return int(card[-1])


def key_of(card: Card) -> Key:
    return _KEY_OF[card]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """``single_key``: the points of a single event at a location, 1 or the full key bonus. [JO-5.2]"""

    single_key: Literal[1, "full"] = 1


class State(Struct):
    """Everything about one journey; days are counted from 1, lists of days from 0."""

    seats: list[Seat]
    single_key: Literal[1, "full"] = 1
    phase: Phase = "pack"
    turn: int = 0
    items: tuple[Item, ...] = ()
    locations: tuple[Location | None, ...] = (*(None for _ in range(DAYS - 1)), LAST)
    #: The events of each day, nearest first.
    days: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(DAYS)])
    pawns: dict[Pawn, int] = field(default_factory=lambda: {"white": 1, "a": 1, "b": 1})
    deck: list[Card] = field(default_factory=lambda: list(CARDS))  # the first is on top
    known_top: int = 0  # the number of cards on top of the deck that the traveller knows
    known_bottom: int = 0
    hand: list[Card] = []
    discards: list[Card] = []
    solved: list[Suit] = []
    letters: int = 0
    played: Card | None = None
    to_come: list[Card] = []  # events of this turn whose effect is still to come, nearest first [JO-3.6]
    applied: list[Suit] = []  # suits whose effect was applied in this turn
    acting: Card | None = None  # the event whose effect waits for the traveller
    reason: Reason | None = None

    def events_here(self) -> list[Card]:
        return self.days[self.pawns["white"] - 1]

    def placed_events(self) -> list[Card]:
        """Return all events by day, nearest first."""
        return [card for cards in self.days for card in cards]

    def black_pawns_away(self) -> list[Black]:
        return [pawn for pawn in BLACKS if self.pawns[pawn] != self.pawns["white"]]

    def capacity(self, day: int) -> int:
        """Return the room for events on a day, the lantern included. [JO-1.2, 3.5]"""
        location = self.locations[day - 1]
        if location is None:
            return 0
        room = ROOM[location]
        return room.black + (room.red if "lantern" in self.items else 0)


class JourneyScene(AnyScene[State]):
    """The context of one move. All its events are public."""

    def move_pawn(self, pawn: Pawn, steps: int, by: Literal["card", "letter", "red", "white"]) -> None:
        self.state.pawns[pawn] = add_steps(self.state.pawns[pawn], steps)
        self.tell("moved", pawn=pawn, to=self.state.pawns[pawn], by=by)

    def finish(self, reason: Reason) -> None:
        self.state.phase, self.state.reason = "over", reason
        self.tell("ended", reason=reason)


def add_steps(day: int, steps: int) -> int:
    """Return the day after this number of steps; negative steps go back. [JO-3.4, 3.7, 4.1]"""
    return (day - 1 + steps) % DAYS + 1


def loops(day: int, steps: int) -> bool:
    """True if going forward leaves day 7; stopping there is no loop. [JO-3.4]"""
    return day + steps > DAYS


def solvable(state: State) -> list[Suit]:
    """Return the unsolved suits that have enough events on every day with pawns."""
    if not all(state.days[day - 1] for day in state.pawns.values()):
        return []
    return [suit for suit in SUITS if suit not in state.solved and not lacking(state, suit)]


def lacking(state: State, suit: Suit) -> dict[int, int]:
    """Return the number of missing events of a suit by day; days that have enough are left out."""
    pawns = list(state.pawns.values())
    short = {day: pawns.count(day) - events_of(state, day, suit) for day in pawns}
    return {day: count for day, count in short.items() if count > 0}


def events_of(state: State, day: int, suit: Suit) -> int:
    return [suit_of(card) for card in state.days[day - 1]].count(suit)


class JourneyScore(Struct, frozen=True):
    deck: int
    letters: int
    keys: int
    items: int  # their costs, 0 or negative
    total: int


def score(state: State) -> JourneyScore:
    """Return the score of the journey so far; it counts only if the journey is won. [JO-5.1 to 5.3]"""
    camera = "camera" in state.items
    deck = len(state.deck) * (2 if camera else 1)
    letters = state.letters * (1 if camera else 2)
    keys = sum(key_points(state, cards) for cards in state.days)
    items = -sum(COST[item] for item in state.items)
    return JourneyScore(deck, letters, keys, items, deck + letters + keys + items)


def key_points(state: State, cards: list[Card]) -> int:
    """Return the VP for the events of one location. [JO-5.2]"""
    bonus = 6 if "camera" in state.items else 4
    if not cards or len({key_of(card) for card in cards}) > 1:
        return 0
    return bonus if len(cards) > 1 or state.single_key == "full" else 1
