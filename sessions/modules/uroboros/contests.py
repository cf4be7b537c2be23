"""A contest 対抗判定, and its raise. [UC-6]"""

from __future__ import annotations

from sessions.game import IllegalMove, Seat, demand

from .asking import free
from .figures import actor, standing
from .moves import Contest, Party, Raise
from .scene import Scene
from .state import GM, Side, State, Task
from .tasks import begin, turn_once


def contest(scene: Scene, move: Contest) -> None:
    """Set two sides against each other, the active 能動者 first. [UC-6.1]

    :raises IllegalMove: ``task_running``, ``same_side``, ``down``, and those of actor.
    """
    state = scene.state
    free(state)
    sides = [_side(state, party) for party in (move.active, move.passive)]
    active, passive = sides
    standing(actor(state, active.seat, active.npc))
    target = passive.npc or passive.seat
    demand(target != (active.npc or active.seat), "same_side", "UC-6.1")
    begin(scene, Task("contest", "active", sides, move.difficulty, move.difficulty, move.label, target))


def ask_raise(scene: Scene, task: Task, seat: Seat, move: Raise) -> None:
    """Ask for a higher difficulty, once, before any card. A raise for a GM's NPC is granted at once. [UC-6.2]

    :raises IllegalMove: ``already_asked``, ``not_higher``.
    """
    demand(task.raise_to is None, "already_asked", "UC-6.2")
    demand(move.difficulty > task.difficulty, "not_higher", "UC-6.2")
    task.raise_to = move.difficulty
    task.stage = "raise"
    scene.tell("raise_asked", seat=seat, npc=task.sides[0].npc, difficulty=move.difficulty)
    if seat == GM:
        answer_raise(scene, allow=True)


def answer_raise(scene: Scene, *, allow: bool) -> None:
    """Grant or refuse a raise; then the active side plays. A grant turns a card if none was turned. [UC-6.2]

    :raises IllegalMove: ``not_now``.
    """
    task = scene.state.task
    if task is None or task.stage != "raise" or task.raise_to is None:
        raise IllegalMove("not_now", rule="UC-6.2")
    task.stage = "active"
    scene.tell("raise_answered", allow=allow, difficulty=task.raise_to)
    if allow:
        task.difficulty = task.level = task.raise_to
        turn_once(scene, task)


def _side(state: State, party: Party) -> Side:
    actor(state, party.seat, party.npc)
    return Side(party.seat, party.npc, party.skill, party.q)
