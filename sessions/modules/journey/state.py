"""The state of a journey. Only ``view.py`` decides which seat sees which part."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from sessions.game import Seat

from .components import CARDS, DAYS, LAST, ROOM, Black, Card, Item, Location, Suit

Phase = Literal[
    "pack",
    "draw",
    "move",
    "before_events",
    "red",
    "blue",
    "yellow",
    "green",
    "white",
    "before_solve",
    "solve",
    "end",
    "over",
]
Reason = Literal["home", "deck", "concede"]
Pawn = Literal["white", "a", "b"]

TRAVELLER: Seat = "p1"
EFFECTS: tuple[Phase, ...] = ("red", "blue", "yellow", "green", "white")
PAUSES: tuple[Phase, ...] = ("draw", "before_events", "before_solve", "end")


class State(Struct):
    """Everything about one journey; days are counted from 1, lists of days from 0."""

    seats: list[Seat]
    single_key: Literal[1, "full"] = 1
    phase: Phase = "pack"
    turn: int = 0
    items: tuple[Item, ...] = ()
    locations: tuple[Location | None, ...] = (*(None for _ in range(DAYS - 1)), LAST)
    days: list[list[Card]] = field(
        default_factory=lambda: [[] for _ in range(DAYS)]
    )  # the events of each day, nearest first
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

    def day(self, pawn: Pawn) -> int:
        return self.pawns[pawn]

    def events_here(self) -> list[Card]:
        """Return the events at the white pawn's location."""
        return self.days[self.pawns["white"] - 1]

    def black_pawns_away(self) -> list[Black]:
        """Return the black pawns that stand elsewhere than the white one."""
        blacks: tuple[Black, ...] = ("a", "b")
        return [pawn for pawn in blacks if self.pawns[pawn] != self.pawns["white"]]

    def capacity(self, day: int) -> int:
        """Return the room for events on a day, the lantern included. [JO-1.2, 3.5]"""
        location = self.locations[day - 1]
        if location is None:
            return 0
        room = ROOM[location]
        return room.black + (room.red if "lantern" in self.items else 0)
