"""Interrupts 割り込み: requests to step in, and the GM's answers. [UC-9]"""

from __future__ import annotations

from msgspec import UNSET

from sessions.game import IllegalMove, Seat, demand

from .asking import asked_seat
from .figures import actor, standing
from .moves import AnswerInterrupt, Interrupt
from .scene import Scene
from .state import InterruptRequest, Side, State, Task
from .tasks import announce


def ask_to_interrupt(scene: Scene, seat: Seat, move: Interrupt) -> None:
    """Ask to interrupt the running task, without stopping it. [UC-9.1]

    :raises IllegalMove: ``request_open``, and those of may_ask.
    """
    may_ask(scene.state, seat, move.npc)
    demand(not open_request(scene.state, seat), "request_open", "UC-9.1")
    scene.state.requests.append(InterruptRequest(seat, move.npc, move.text))
    scene.tell("interrupt_asked", seat=seat, npc=move.npc, text=move.text)


def may_ask(state: State, seat: Seat, npc: str | None) -> None:
    """Refuse a request to interrupt that is not possible. [UC-9.1, 9.3]

    :raises IllegalMove: ``no_task``, ``interrupt_running``, ``own_action``, ``asked_now``, ``down``, and
        those of actor.
    """
    if state.task is None:
        raise IllegalMove("no_task", rule="UC-9.1")
    demand(not state.under, "interrupt_running", "UC-9.3")
    demand(state.task.sides[0].seat != seat, "own_action", "UC-9.3")
    demand(asked_seat(state) != seat, "asked_now", "UC-9.1")
    standing(actor(state, seat, npc))


def withdraw_request(scene: Scene, seat: Seat) -> None:
    """Take one's own request back. [UC-9.1]

    :raises IllegalMove: ``no_request``.
    """
    scene.state.requests.remove(_request(scene.state, seat))
    scene.tell("withdrawn", seat=seat)


def answer_interrupt(scene: Scene, move: AnswerInterrupt) -> None:
    """Allow or refuse a request; the GM may answer requests in any order. [UC-9.1]

    :raises IllegalMove: ``no_request``, and those of may_grant.
    """
    state = scene.state
    request = _request(state, move.seat)
    if move.allow:
        may_grant(state, request)
    state.requests.remove(request)
    scene.tell("interrupt_answered", seat=request.seat, npc=request.npc, allow=move.allow)
    if move.difficulty is UNSET or move.skill is UNSET or move.q is UNSET:
        return
    side = Side(request.seat, request.npc, move.skill, move.q, asked=True)
    state.under = state.task
    announce(scene, Task("interrupt", "play", [side], move.difficulty, move.difficulty, request.text))


def may_grant(state: State, request: InterruptRequest) -> None:
    """Refuse to allow a request that is not possible at this moment. [UC-9.1]

    :raises IllegalMove: ``interrupt_running``, ``naming``, ``asked_now``, ``down``.
    """
    demand(not state.under, "interrupt_running", "UC-9.3")
    demand(not state.task or state.task.stage != "name", "naming", "UC-9.1")
    demand(asked_seat(state) != request.seat, "asked_now", "UC-9.1")
    standing(actor(state, request.seat, request.npc))


def open_request(state: State, seat: Seat) -> InterruptRequest | None:
    return next((request for request in state.requests if request.seat == seat), None)


def _request(state: State, seat: Seat) -> InterruptRequest:
    request = open_request(state, seat)
    if request is None:
        raise IllegalMove("no_request", rule="UC-9.1")
    return request
