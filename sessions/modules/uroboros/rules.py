"""The question to each seat, and the dispatch of moves to the files that carry them out."""

from __future__ import annotations

from typing import Any

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat, demand

from . import (
    attacks,
    contests,
    hands,
    interrupts,
    npcs,
    plays,
    recovery,
    rulings,
    secret_checks,
    supports,
    tasks,
    telling,
    turns,
)
from .asking import asked_seat, required_count, turn_seat
from .moves import (
    AddNpc,
    AddPlayer,
    AnswerInterrupt,
    AnswerRaise,
    AnyMove,
    Attack,
    Call,
    Cancel,
    Contest,
    Deal,
    Declare,
    Discard,
    Draw,
    End,
    EndCombat,
    EndTurn,
    Flip,
    GiveUp,
    GmMove,
    Interrupt,
    NameSuit,
    Observe,
    Other,
    Peek,
    Play,
    Raise,
    RemoveNpc,
    Rest,
    Reveal,
    SetHp,
    Stack,
    StartCombat,
    Stop,
    Support,
    Treat,
    Withdraw,
)
from .scene import Scene
from .state import GM, State, Task


def question(state: State, seat: Seat) -> Any:
    """Return the question to ``seat`` and the facts that it depends on, including the field card.

    For a GM who is not asked, these are the number of the running task and the turn, so that a move meant
    for one task or turn is not applied to the next.
    """
    if state.ended:
        return None
    task, field = state.task, [state.pile[-1], state.field_suit]
    number = task.number if task else state.task_number
    if seat == asked_seat(state):
        stage, level = (task.stage, task.level) if task else ("discard", None)
        if task and not secret_checks.knows(seat, seat, task.secrecy):
            level = None
        return [number, stage, level, required_count(state), *field]
    rounds = [state.combat.round, state.combat.turn] if state.combat else None
    if seat == turn_seat(state):
        return [number, "turn", rounds, *field]
    if seat == GM:
        return [number, "task" if task else "discard" if state.adjusting else "idle", rounds]
    return None


def outcome(state: State) -> Outcome | None:
    """Return the outcome once the GM has ended the table."""
    return Outcome((), "ended") if state.ended else None


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events.

    :raises IllegalMove: ``gm_only``, ``not_asked``, ``not_now``, and the codes of each move.
    """
    scene = Scene(state, fate)
    telling.begin_move(state, seat)
    match move:
        case GmMove():
            demand(seat == GM, "gm_only", "UC-4.1")
            _rule(scene, move)
        case Attack() | Observe() | Support() | Other() | Interrupt() | Withdraw() | Declare():
            _act(scene, seat, move)
        case _:
            _answer(scene, seat, move)
    turns.go_on(scene)
    return scene.events


def _rule(scene: Scene, move: GmMove) -> None:
    """Carry out a move of the GM."""
    match move:
        case Call():
            tasks.call(scene, move)
        case Contest():
            contests.contest(scene, move)
        case Treat():
            recovery.treat(scene, move)
        case AnswerRaise(allow):
            contests.answer_raise(scene, allow=allow)
        case AnswerInterrupt():
            interrupts.answer_interrupt(scene, move)
        case AddNpc():
            npcs.add_npc(scene, move)
        case RemoveNpc():
            npcs.remove_npc(scene, move)
        case StartCombat():
            turns.start_combat(scene)
        case EndCombat():
            turns.end_combat(scene)
        case EndTurn():
            turns.end_turn(scene)
        case SetHp():
            rulings.set_hp(scene, move)
        case Flip():
            rulings.flip(scene)
        case Stack():
            rulings.stack(scene, move)
        case Deal():
            rulings.deal(scene, move)
        case Rest():
            recovery.let_days_pass(scene, move)
        case AddPlayer():
            rulings.add_player(scene, move)
        case Cancel():
            tasks.cancel(scene)
        case Reveal():
            secret_checks.reveal(scene, move)
        case Peek(peeked):
            rulings.peek(scene, peeked)
        case End():
            rulings.end_table(scene)


def _act(scene: Scene, seat: Seat, move: AnyMove) -> None:
    """Carry out a move that a seat makes without being asked."""
    match move:
        case Attack():
            attacks.attack(scene, seat, move)
        case Observe():
            turns.observe(scene, seat, move)
        case Support():
            supports.support(scene, seat, move)
        case Other():
            turns.act_otherwise(scene, seat, move)
        case Interrupt():
            interrupts.ask_to_interrupt(scene, seat, move)
        case Withdraw():
            interrupts.withdraw_request(scene, seat)
        case Declare(text):
            tasks.declare(scene, seat, text)


def _answer(scene: Scene, seat: Seat, move: AnyMove) -> None:
    """Carry out a move of the seat that is asked."""
    state = scene.state
    demand(asked_seat(state) == seat, "not_asked", "UC-4.1")
    match state.task, move:
        case None, Discard():
            hands.discard(scene, seat, move)
        case Task(stage="name") as task, NameSuit():
            plays.name_suit(scene, task, move)
        case Task(stage="raise" | "name") | None, _:
            raise IllegalMove("not_now", rule="UC-4.1")
        case Task() as task, Play():
            plays.play(scene, task, seat, move)
        case Task() as task, Draw():
            plays.draw(scene, task)
        case Task() as task, GiveUp():
            plays.give_up(scene, task)
        case Task() as task, Stop():
            plays.stop(scene, task)
        case Task(stage="active") as task, Raise():
            contests.ask_raise(scene, task, seat, move)
        case _:
            raise IllegalMove("not_now", rule="UC-4.1")
