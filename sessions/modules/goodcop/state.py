"""The state of a game with its options, the context of one move, and what follows from the state.

Teams are calculated from the current cards (chapter 3, GC-8.1). Other functions return the seats that are
asked now, with their questions, neighbours and possible aims. None of these functions changes the state.
Only ``view.py`` decides which parts of the state each seat sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct, to_builtins

from sessions.game import Outcome, Seat, demand
from sessions.game import Scene as AnyScene

from .moves import (
    LEADERS,
    POSITIONS,
    Action,
    Armed,
    Card,
    CardPosition,
    EquipmentId,
    Face,
    Pass,
    Position,
    Team,
)

Phase = Literal["action", "reaction", "discard", "aim", "shield", "dice", "end_reaction", "over"]
Dice = Literal["infection", "zombie"]
#: The step that follows once all tasks are done.
Then = Literal[
    "action", "reaction", "resolve", "dice", "faces", "turn_end", "infection", "end_reaction", "next"
]
WINDOWS: tuple[Phase, ...] = ("reaction", "dice", "end_reaction")


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    zombies: bool = False  # [chapter 8]
    react_only_to_shots: bool = False  # [GC-6.2]
    auto_pass: bool = True  # the table passes for a seat without equipment [GC-6.2]
    start: Literal["fate", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"] = "fate"  # [GC-2.3]


class Player(Struct):
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
    result: Outcome | None = None  # the reason is honest, crooked, zombie or alone [GC-9.1]


class GoodCopScene(AnyScene[State]):
    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    @property
    def over(self) -> bool:
        """True if the game has ended, maybe in the middle of an effect."""
        return self.state.result is not None

    def end(self, reason: str, winners: Iterable[Seat]) -> None:
        """End the game. [GC-9.1]"""
        self.state.result = Outcome(tuple(winners), reason)
        self.tell("ended", winners=list(self.state.result.winners), reason=reason)


def places(*seats: Seat) -> list[CardPosition]:
    """Return the places of the integrity cards of these seats."""
    return [CardPosition(seat, position) for seat in seats for position in POSITIONS]


def face_down_places(state: State, *seats: Seat) -> list[CardPosition]:
    return [place for place in places(*seats) if not card_at(state, place).up]


def card_at(state: State, place: CardPosition) -> Card:
    return state.players[place.seat].cards[place.position]


def living(state: State) -> list[Seat]:
    """Return the seats that are not eliminated, in seat order."""
    return [seat for seat in state.seats if state.players[seat].alive]


def leader_card(player: Player) -> Card | None:
    """Return the leader card that a player holds; a player with both has already won. [GC-3.3]"""
    return next((card for card in player.cards if card.face in LEADERS), None)


def leads(state: State, seat: Seat) -> bool:
    return leader_card(state.players[seat]) is not None


def shows(player: Player, *, leader: bool = False, infector: bool = False) -> bool:
    """True if a player has a face-up card of one of the kinds that are set to True."""
    return any(
        card.up and ((leader and card.face in LEADERS) or (infector and card.face == "infector"))
        for card in player.cards
    )


def infector_hidden(state: State) -> bool:
    """True if the infector is in play and face down; all players know this. [GC-8.2]"""
    return any(
        card.face == "infector" and not card.up for one in state.players.values() for card in one.cards
    )


def infection_tokens(player: Player) -> int:
    return sum(card.infected for card in player.cards)


def face_down(player: Player) -> list[Position]:
    return [position for position in POSITIONS if not player.cards[position].up]


def free_of_token(player: Player) -> list[Position]:
    """Return the positions of the cards without an infection token, the leftmost first."""
    return [position for position in POSITIONS if not player.cards[position].infected]


def team(state: State, seat: Seat) -> Team:
    """Return the team of a player: zombie, then the leader card, then the majority. [GC-3.1, GC-3.2]"""
    player = state.players[seat]
    if player.zombie or any(card.face == "infector" for card in player.cards):
        return "zombie"
    leader = leader_card(player)
    if leader:
        return LEADERS[leader.face]
    honest = sum(card.face == "honest" for card in player.cards) >= 2
    return "honest" if honest is not ("planted_evidence" in player.active) else "crooked"


def in_window(state: State) -> bool:
    """True if all living players may play equipment at the same time. [GC-6.2, GC-6.7, GC-8.2]"""
    return state.phase in WINDOWS


def timeout_move(state: State, seat: Seat) -> Pass | None:
    """Return the move of a seat that gives no answer in time: in a window a pass, with any hand. [GC-6.2]"""
    return Pass() if in_window(state) and seat in state.asked else None


def task(state: State) -> PendingTask | None:
    """Return the task that has to be decided before anything else. [GC-4.4]"""
    return state.tasks[0] if state.tasks else None


def waiting_for(state: State) -> set[Seat]:
    """Return the seats that are asked; in a window all that have not passed."""
    if state.phase == "over":
        return set()
    if in_window(state):
        return set(state.asked)
    first = task(state)
    return {first.seat if first else state.turn}


def question(state: State, seat: Seat) -> Any:
    """Return the values that identify the question to a seat: phase, number, turn, pending action, dice.

    No value depends on which other seats have passed, or on face-down cards.
    """
    if seat not in waiting_for(state):
        return None
    first = task(state)
    return [
        state.phase,
        state.question,
        state.turn,
        to_builtins(state.declared) if state.declared else None,
        state.target,
        list(state.dice.faces) if state.dice else None,
        first.but if first else None,
    ]


def can_fire(state: State, seat: Seat) -> bool:
    """True if a seat may fire: its gun or arms aim at another living player and did not come by Taser."""
    player = state.players[seat]
    aim = player.aim
    return bool(player.armed and aim and aim != seat and not player.tasered and state.players[aim].alive)


def others(state: State, seat: Seat) -> list[Seat]:
    """Return the other living players."""
    return [other for other in living(state) if other != seat]


def living_after(state: State, seat: Seat, step: int) -> Seat:
    """Return the next living player after a seat; ``step`` is 1 along the turn order, -1 against it."""
    order = state.order
    here = order.index(seat)
    ring = [order[(here + step * far) % len(order)] for far in range(1, len(order) + 1)]
    return next(other for other in ring if state.players[other].alive)


def neighbours(state: State, seat: Seat) -> list[Seat]:
    """Return the living neighbours on both sides, in the order of the seats. [GC-6.4]"""
    near = {living_after(state, seat, 1), living_after(state, seat, -1)} - {seat}
    return [other for other in state.seats if other in near]


def aims(state: State, seat: Seat) -> list[Seat]:
    """Return the seats that a seat may aim at now. [GC-4.7, GC-6.4, GC-8.9]"""
    first = task(state)
    return [other for other in others(state, seat) if not first or other != first.but]


def from_turn(state: State) -> list[Seat]:
    """Return the living players in turn order, from the turn player on."""
    order, here = state.order, state.order.index(state.turn)
    ring = [order[(here + state.direction * far) % len(order)] for far in range(len(order))]
    return [seat for seat in ring if state.players[seat].alive]


def demand_living_other(state: State, seat: Seat, named: Seat, rule: str, myself: str) -> None:
    """Refuse a seat that is not at the table, is one's own (with the code ``myself``), or is eliminated."""
    demand(named in state.players, "no_such_seat", rule)
    demand(named != seat, myself, rule)
    demand(state.players[named].alive, "eliminated", rule)
