"""Who is asked, and what a move does. Each noun has its own file; here they come together."""

from __future__ import annotations

from typing import Any

from companion.fate import Fate
from sessions.engine.contract import Event, IllegalMove, Outcome, Seat

from . import hands, rulings, tasks
from .moves import (
    AddPlayer,
    AnyMove,
    Call,
    Cancel,
    Deal,
    Declare,
    Discard,
    Draw,
    End,
    Flip,
    GiveUp,
    GmMove,
    NameSuit,
    Play,
    SetHp,
)
from .scene import Scene
from .state import GM, State, Task


def waiting_for(state: State) -> set[Seat]:
    """Return the seat that is asked, the GM while nobody is, and nobody after the end."""
    return set() if state.ended else {tasks.asked_seat(state) or GM}


def asked(state: State, seat: Seat) -> Any:
    """Return what ``seat`` is asked and against what: task number, stage, field card, cards to discard.

    The GM, while not asked for an NPC, has the running task's number, so that a move meant for one task
    is not applied to the next.
    """
    if state.ended:
        return None
    stage = state.task.stage if state.task else "discard" if state.adjusting else "idle"
    if seat == tasks.asked_seat(state):
        return [state.task_number, stage, state.pile[-1], state.field_suit, tasks.need(state)]
    if seat == GM:
        running = "task" if state.task else stage
        return [state.task_number, running]
    return None


def outcome(state: State) -> Outcome | None:
    """Return the outcome once the GM has ended the table."""
    return Outcome((), "ended") if state.ended else None


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return what happened.

    :raises IllegalMove: ``gm_only``, ``not_asked``, ``not_now``, and the codes of each move.
    """
    scene = Scene(state, fate)
    match move:
        case GmMove():
            if seat != GM:
                raise IllegalMove("gm_only")
            _rule(scene, move)
        case Declare():
            rulings.declare(scene, seat, move)
        case _:
            _answer(scene, seat, move)
    return scene.events


def _rule(scene: Scene, move: GmMove) -> None:
    match move:
        case Call():
            tasks.call(scene, move)
        case SetHp():
            rulings.set_hp(scene, move)
        case Flip():
            rulings.flip(scene)
        case Deal():
            rulings.deal(scene, move)
        case AddPlayer():
            rulings.add_player(scene, move)
        case Cancel():
            tasks.cancel(scene)
        case End():
            rulings.end(scene)


def _answer(scene: Scene, seat: Seat, move: AnyMove) -> None:
    """Carry out a move of whoever is asked."""
    state = scene.state
    if tasks.asked_seat(state) != seat:
        raise IllegalMove("not_asked", rule="UC-4.1")
    match state.task, move:
        case None, Discard():
            hands.discard(scene, seat, move)
        case Task(stage="name") as task, NameSuit():
            tasks.name_suit(scene, task, move)
        case Task(stage="play") as task, Play():
            tasks.play(scene, task, seat, move)
        case Task(stage="play") as task, Draw():
            tasks.draw(scene, task)
        case Task(stage="play") as task, GiveUp():
            tasks.give_up(scene, task)
        case _:
            raise IllegalMove("not_now")
