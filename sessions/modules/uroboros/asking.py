"""Queries for the seat that is asked now, its question and its choices. Nothing here changes the state."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card
from sessions.game import Seat, demand

from .checks import Bond, Means, Miss, Target, Verdict, bond, field_target, judge, miss
from .figures import is_up, means_of
from .hands import surplus
from .options import Rung
from .piles import can_draw
from .state import GM, Side, State, Task

NO_CARD = ("raise", "name")  # the stages in which the seat does not answer with a card


def busy(state: State) -> bool:
    """True if a task runs, adjusting included."""
    return state.task is not None or bool(state.adjusting)


def free(state: State) -> None:
    """Refuse a move that is not possible while a task runs.

    :raises IllegalMove: ``task_running``.
    """
    demand(not busy(state), "task_running", "UC-4.1")


def asked_side(task: Task) -> Side:
    """Return the side whose move it is."""
    return task.sides[task.now]


def asked_seat(state: State) -> Seat | None:
    """Return the seat to move in the running task or adjusting."""
    if state.adjusting:
        return state.adjusting[0]
    if state.task is None:
        return None
    return GM if state.task.stage == "raise" else asked_side(state.task).seat


def turn_seat(state: State) -> Seat | None:
    """Return the seat that has to choose its combat action now, if there is one that is up. [UC-4.10, 8.1]"""
    if state.combat is None or busy(state) or state.combat.stays:
        return None
    seat = state.combat.turn
    return seat if seat == GM or is_up(state.characters[seat]) else None


def waiting_for(state: State) -> set[Seat]:
    """Return the seat that is asked or in turn, else the GM, and the GM if requests are open. [UC-9.1]"""
    if state.ended:
        return set()
    seat = asked_seat(state) or turn_seat(state) or GM
    return {seat, GM} if state.requests else {seat}


def must_play_card(state: State, seat: Seat) -> bool:
    """True if this seat has to answer with a card now."""
    return state.task is not None and asked_seat(state) == seat and state.task.stage not in NO_CARD


def allow_draw(state: State) -> bool:
    """True if 山引 is allowed now: not in a chain, nor in an interrupt. [UC-4.6, 5.2, 9.2]"""
    task = state.task
    return task is not None and task.stage not in NO_CARD and draws(task) and can_draw(state)


def draws(task: Task) -> bool:
    """True if this kind of task allows 山引. [UC-5.2, 8.7, 9.2]"""
    return not task.chain and task.kind != "interrupt"


def verdict_on(state: State, task: Task, card: Card) -> Verdict:
    """Return the verdict on ``card`` if the side that is asked played it now."""
    return judge(*_question(state, task, card))


def find_miss(state: State, task: Task, card: Card) -> Miss | None:
    """Return why ``card`` would fail now for the side that is asked, None if it would succeed."""
    return miss(*_question(state, task, card))


def _question(state: State, task: Task, card: Card) -> tuple[Sequence[Rung], int, Card, Target, Means]:
    return state.ladder, task.level, card, field_target(state), means_of(state, asked_side(task))


def joins(state: State, task: Task, card: Card) -> Bond:
    """Return the bond that ``card`` would have with the field card now, for the side that is asked."""
    return bond(*_question(state, task, card))


def required_successes(task: Task, index: int) -> int:
    """Return the number of successes this side needs. [UC-8.7 for a chain attack]"""
    if task.kind != "attack" or not task.chain:
        return 1
    return 2 if index == 0 else task.sides[0].successes


def won(task: Task, index: int) -> bool:
    """True if this side has the successes that it needs."""
    return index < len(task.sides) and task.sides[index].successes >= required_successes(task, index)


def count(task: Task) -> int | None:
    """Return the length of the chain of the side that is asked, None if the task is no chain."""
    return asked_side(task).successes if task.chain else None


def required_count(state: State) -> int | None:
    """Return the number of cards to discard now, or the length that a chain defence needs."""
    if state.adjusting:
        return surplus(state, state.adjusting[0])
    return required_chain_length(state.task) if state.task else None


def required_chain_length(task: Task) -> int | None:
    """Return the length that a chain defence needs. [UC-8.7]"""
    return required_successes(task, task.now) if task.chain and task.now > 0 else None
