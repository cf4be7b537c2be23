"""A task from its announcement to its result: the common part of checks, chains, contests and attacks."""

from __future__ import annotations

from sessions.game import IllegalMove, Seat

from . import hp, results, secret_checks, telling, turns
from .asking import asked_side, free, required_chain_length, won
from .figures import actor, is_up, seat_of, standing
from .hands import adjust, end_debts
from .moves import Call
from .piles import turn_up
from .scene import Scene
from .state import Side, Stage, State, Task, TaskKind, TaskResult

SECOND_STAGE: dict[str, Stage] = {"contest": "passive", "attack": "defend"}


def call(scene: Scene, move: Call) -> None:
    """Ask for a check, maybe a secret one, or a chain. [UC-4.1, 4.2, 4.10, 4.11, 5.1]

    :raises IllegalMove: ``task_running``, ``down``, and those of actor and
        may_be_secret.
    """
    free(scene.state)
    secret_checks.may_be_secret(scene.state, move)
    standing(actor(scene.state, move.seat, move.npc))
    side = Side(move.seat, move.npc, move.skill, move.q)
    level = min(move.difficulty + move.tool_missing, 5)
    kind: TaskKind = "chain" if move.chain else "check"
    task = Task(kind, "play", [side], move.difficulty, level, move.label, chain=move.chain)
    task.secrecy = move.secret
    begin(scene, task)


def begin(scene: Scene, task: Task) -> None:
    """Begin a task, and turn a card if its level requires it. [UC-4.2]"""
    acting = task.sides[0]
    said = scene.state.declared.get(acting.seat, "") if acting.npc is None else ""
    scene.state.declared.clear()
    if task.text:
        declare(scene, acting.seat, task.text)
    announce(scene, task, said)
    turn_once(scene, task)
    _ask(scene, task)


def announce(scene: Scene, task: Task, said: str = "") -> None:
    """Make this the running task and tell everybody.

    :param said: the acting player's last declaration.
    """
    state, acting = scene.state, task.sides[0]
    state.task_number += 1
    state.task, task.number = task, state.task_number
    telling.attempt(state, task, said)
    scene.tell(
        "called",
        number=task.number,
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        target=task.target,
        difficulty=None if task.secrecy else task.difficulty,
        level=None if task.secrecy else task.level,
        label=task.label,
        chain=task.chain,
        **({"secret": task.secrecy} if task.secrecy else {}),
    )


def declare(scene: Scene, seat: Seat, text: str) -> None:
    """Show everybody the action that a seat declares, until the next task begins. [UC-4.1]"""
    scene.state.declared[seat] = text
    scene.tell("declared", seat=seat, text=text)


def turn_once(scene: Scene, task: Task) -> None:
    """Turn a card if the level requires it and none was turned for this task yet. [UC-4.2, 6.2]

    A secret check turns no card, because that would reveal the level. [UC-4.11]
    """
    if task.secrecy:
        return
    if scene.state.ladder[task.level].flip and not task.turned:
        task.turned = turn_up(scene)


def laid(scene: Scene, task: Task, *, success: bool) -> None:
    """Continue after a card: a chain goes on while it succeeds, has cards and needs more. [UC-5.2, 8.7]"""
    side = asked_side(task)
    more = task.chain and success and side.successes != required_chain_length(task)
    if not more or not scene.state.hands[side.seat].cards:
        side_done(scene, task)


def side_done(scene: Scene, task: Task) -> None:
    """Continue with the other side, or with the result, once a side is done. [UC-6.1, 8.2]"""
    if task.now + 1 < len(task.sides) and won(task, task.now):
        task.now += 1
        task.stage = SECOND_STAGE[task.kind]
        _ask(scene, task)
    else:
        _decide(scene, task)


def cancel(scene: Scene) -> None:
    """Break off the interrupt, else the task, else the rest of the adjusting.

    :raises IllegalMove: ``no_task``.
    """
    state = scene.state
    if state.adjusting:
        scene.tell("cancelled", number=state.task_number, kind="adjust")
        state.adjusting = []
    elif state.task is None:
        raise IllegalMove("no_task", rule="UC-4.1")
    else:
        scene.tell("cancelled", number=state.task.number, kind=state.task.kind)
        if state.under:
            resume(state)
        else:
            _close(scene, state.task, _asked_seats(state.task))


def resume(state: State) -> None:
    """Continue the interrupted task; hands are adjusted after it. [UC-9.2, 9.3]"""
    state.task, state.under = state.under, None


def _ask(scene: Scene, task: Task) -> None:
    """Ask the current side for a card, unless it fails at once. [UC-4.10, 5.2]"""
    side = asked_side(task)
    fallen = task.now > 0 and not is_up(actor(scene.state, side.seat, side.npc))
    side.asked = not fallen
    if fallen or (task.chain and not scene.state.hands[side.seat].cards):
        side_done(scene, task)


def _decide(scene: Scene, task: Task) -> None:
    """Record the result of a task, and carry out its consequences."""
    acting, success = task.sides[0], won(task, 0) and not won(task, 1)
    result = TaskResult(
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        difficulty=task.difficulty,
        card=acting.cards[0] if acting.cards else None,
        success=success,
        count=acting.successes if task.chain else None,
        damage=hp.damage_of(task) if task.kind == "attack" and success else None,
        target=task.target,
    )
    if task.secrecy:
        secret_checks.keep_secret(scene, task, result)
    else:
        results.add_result(scene.state, result, task.text)
        scene.tell("decided", number=task.number, **results.result_fields(result))
        telling.record_result(scene.state, task, result)
    if task.kind == "interrupt":
        scene.state.hands[acting.seat].owes |= bool(acting.cards)
        resume(scene.state)
        return
    adjusting = _asked_seats(task) + _change_target_hp(scene, task, result)
    _spend(scene, task)
    _close(scene, task, adjusting)


def _change_target_hp(scene: Scene, task: Task, result: TaskResult) -> list[Seat]:
    """Damage or heal the target; return the seat that adjusts for it. [UC-8.3, 10.2]"""
    if task.target is None:
        return []
    if result.damage is not None:
        hp.hurt(scene, task.target, result.damage)
    elif task.kind == "treat":
        hp.treat(scene, task.target, task.sides[0], success=result.success)
    else:
        return []
    return [seat_of(task.target)]


def _spend(scene: Scene, task: Task) -> None:
    """End the acting side's debts if it was its own action; a chain attack makes a new one. [UC-8.5, 8.7]"""
    state, acting = scene.state, task.sides[0]
    if task.kind == "attack":
        turns.act(state, acting.seat, acting.npc)
        state.hands[acting.seat].owes = task.chain
    elif state.combat is None:
        end_debts(state, acting.seat)


def _asked_seats(task: Task) -> list[Seat]:
    return [side.seat for side in task.sides if side.asked]


def _close(scene: Scene, task: Task, seats: list[Seat]) -> None:
    """End the task; let these seats adjust, then those whose HP was set during it. [UC-4.8, 9.1]"""
    scene.state.task, scene.state.requests = None, []
    adjust(scene, seats + task.touched)
