"""The seats that are asked now, and their questions. Nothing here changes the state."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from sessions.game import Seat

from .moves import Pass
from .state import PendingTask, Phase, State
from .teams import living

WINDOWS: tuple[Phase, ...] = ("reaction", "dice", "end_reaction")


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
    """Return the living players other than ``seat``."""
    return [other for other in living(state) if other != seat]


def living_after(state: State, seat: Seat, step: int) -> Seat:
    """Return the next living player after a seat; ``step`` is 1 along the turn order, -1 against it."""
    order = state.order
    here = order.index(seat)
    ring = [order[(here + step * far) % len(order)] for far in range(1, len(order) + 1)]
    return next(other for other in ring if state.players[other].alive)


def following(state: State, seat: Seat) -> Seat:
    """Return the next living player in the current direction. [GC-4.8]"""
    return living_after(state, seat, state.direction)


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
