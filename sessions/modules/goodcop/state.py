"""The state of a game. Only ``view.py`` decides which parts each seat sees."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sessions.game import Outcome, Seat

from .cards import Armed, Card, EquipmentId, Face
from .moves import Action
from .options import Options

Phase = Literal["action", "reaction", "discard", "aim", "shield", "dice", "end_reaction", "over"]
Dice = Literal["infection", "zombie"]

#: The step that follows once all tasks are done, see ``flow.STATIONS``.
Then = Literal[
    "action", "reaction", "resolve", "dice", "faces", "turn_end", "infection", "end_reaction", "next"
]


class Player(Struct):
    """One seat at the table."""

    cards: list[Card]
    hand: list[EquipmentId]  # in the order received
    active: list[EquipmentId] = []  # in front of the player
    alive: bool = True
    zombie: bool = False
    armed: Armed | None = None
    aim: Seat | None = None
    tasered: bool = False  # the gun was taken by Taser this turn


class PendingTask(Struct, frozen=True):
    """A decision that one seat must make before the game goes on. [GC-4.4]

    Two kinds are no decisions, but wait in the same queue: ``found`` draws a card for the infector that a
    player turned up as payment, and ``turn`` makes that player a zombie. [GC-8.6]
    """

    kind: Literal["discard", "aim", "shield", "found", "turn"]
    seat: Seat
    but: Seat | None = None  # the seat that must not be aimed at
    redirects: bool = False  # the aim also changes the target of the pending shot


class DiceRoll(Struct, frozen=True):
    """Dice on the table."""

    kind: Dice
    seat: Seat
    faces: list[int]


class State(Struct):
    seats: list[Seat]
    options: Options
    players: dict[Seat, Player]
    order: list[Seat]  # turn order
    turn: Seat
    deck: list[EquipmentId]  # the first is the top
    aside: list[Face]  # left out at setup
    direction: Literal[1, -1] = 1
    middle: list[EquipmentId] = []
    phase: Phase = "action"
    turns: int = 1
    question: int = 1  # increases with each question
    declared: Action | None = None
    target: Seat | None = None  # of the declared shot or bite
    dice: DiceRoll | None = None
    asked: list[Seat] = []  # in a window: the seats that have not passed
    tasks: list[PendingTask] = []
    then: Then = "action"
    result: Outcome | None = None
