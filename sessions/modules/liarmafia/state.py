"""The state of a game. Only ``view.py`` decides which parts each seat sees."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from sessions.game import Outcome, Seat

from .cards import Action, Character, Laid
from .options import Options

Slot = Literal[0, 1]
SLOTS: tuple[Slot, ...] = (0, 1)
Phase = Literal["place", "declare", "react", "rereact", "penalty", "resolve", "replace", "adjust", "over"]


class Player(Struct):
    """One side of the table."""

    chips: list[int]  # their values, ascending
    hand: list[Character]
    slots: list[Laid | None]  # the field, face down
    removed: list[Character] = []  # in the order of leaving
    ready: bool = False  # has placed its field cards
    #: By slot, the card in it if it was shown and not exchanged since.
    seen: list[Laid | None] = msgspec.field(default_factory=lambda: [None, None])


class Claim(Struct):
    """The declared action, and whether a block was declared against it."""

    seat: Seat
    action: Action
    blocked: bool = False


class ShownCard(Struct, frozen=True):
    """A card that is shown to all because the claim on it was true."""

    seat: Seat
    slot: Slot
    card: Character
    facing: Literal["up", "down"]


class Adjusted(Struct, frozen=True):
    """The last 反転 or 交換. [LM-3.7]"""

    seat: Seat
    slot: Slot
    how: Literal["rotate", "exchange"]


class State(Struct):
    seats: list[Seat]
    players: dict[Seat, Player]
    turn: Seat
    options: Options
    stock: int = 2
    phase: Phase = "place"
    turns: int = 0  # the number of turns that have ended
    claim: Claim | None = None
    shown: ShownCard | None = None
    loser: Seat | None = None  # the seat that removes a card or lays the next one
    then: Literal["resolve", "adjust"] = "adjust"  # the next phase once the loser has laid it
    adjusted: Adjusted | None = None
    result: Outcome | None = None


def opponent(state: State, seat: Seat) -> Seat:
    """Return the other seat."""
    return next(other for other in state.seats if other != seat)


def field(player: Player) -> list[Laid]:
    """Return the cards that lie on a field."""
    return [laid for laid in player.slots if laid]


def card_in_slot(player: Player, slot: Slot) -> Laid:
    """Return the card in a full slot. Slots are empty only in ``place``, in ``replace`` and at the end."""
    laid = player.slots[slot]
    assert laid is not None
    return laid
