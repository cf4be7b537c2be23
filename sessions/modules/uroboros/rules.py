"""The entry point for moves: the question to each seat, and the dispatch of its moves.

Contests 対抗判定 [UC-6], attacks and supports 援護 [UC-8], and interrupts 割り込み [UC-9] are carried out
here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from sessions.game import Event, Fate, IllegalMove, Outcome, Seat, demand

from . import cards, gm, moves, tasks, telling, turns
from .cards import adjust, take
from .checks import actor, armour_value, character_of, demand_up, figure_of, seat_of, weapon_value
from .moves import AnyMove
from .state import GM, InterruptRequest, Scene, Side, State, Task
from .tasks import announce, begin, resume, turn_once
from .turns import act, acting_figure, asked_seat, asked_side, demand_no_task, turn_seat


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
        if task and not cards.knows(seat, seat, task.secrecy):
            level = None
        required = turns.required_chain_length(task) if task else None
        if state.adjusting:
            required = cards.surplus(state, seat)
        return [number, stage, level, required, *field]
    rounds = [state.combat.round, state.combat.turn] if state.combat else None
    if seat == turn_seat(state):
        return [number, "turn", rounds, *field]
    if seat == GM:
        return [number, "task" if task else "discard" if state.adjusting else "idle", rounds]
    return None


def outcome(state: State) -> Outcome | None:
    return Outcome((), "ended") if state.ended else None


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events. RULES.md has the codes of refusals."""
    scene = Scene(state, fate)
    telling.begin_move(state, seat)
    match move:
        case moves.GmMove():
            demand(seat == GM, "gm_only", "UC-4.1")
            RULINGS[type(move)](scene, move)
        case moves.Action():
            ACTIONS[type(move)](scene, seat, move)
        case _:
            _answer(scene, seat, move)
    combat = state.combat
    if combat and combat.done and not turns.busy(state):  # hands are adjusted [UC-8.1, 8.8]
        turns.pass_turn(scene, combat)
    return scene.events


def _answer(scene: Scene, seat: Seat, move: AnyMove) -> None:
    state = scene.state
    demand(asked_seat(state) == seat, "not_asked", "UC-4.1")
    match state.task, move:
        case None, moves.Discard():
            cards.discard(scene, seat, move)
        case Task(stage="name") as task, moves.NameSuit():
            tasks.name_suit(scene, task, move)
        case Task(stage="raise" | "name") | None, _:
            raise IllegalMove("not_now", rule="UC-4.1")
        case Task() as task, moves.Play():
            tasks.play(scene, task, seat, move)
        case Task() as task, moves.Draw():
            tasks.draw(scene, task)
        case Task() as task, moves.GiveUp():
            tasks.give_up(scene, task)
        case Task() as task, moves.Stop():
            tasks.stop(scene, task)
        case Task(stage="active") as task, moves.Raise():
            ask_raise(scene, task, seat, move)
        case _:
            raise IllegalMove("not_now", rule="UC-4.1")


def attack(scene: Scene, seat: Seat, move: moves.Attack) -> None:
    """Attack another figure, even one that is down. No skill helps in a defence. [UC-8.2]"""
    state = scene.state
    attacker = acting_figure(state, seat, move.npc)
    demand(move.target != (move.npc or seat), "own_target", "UC-8.2")
    target = figure_of(state, move.target)
    demand(move.skill is None or move.skill < len(attacker.skills), "unknown_skill", "UC-8.2")
    struck, weapon = seat_of(move.target), weapon_value(attacker, move.weapon)
    sides = [
        Side(seat, move.npc, skill=move.skill is not None, q=weapon),
        Side(struck, None if struck == move.target else move.target, q=armour_value(target)),
    ]
    task = Task("attack", "attack", sides, move.difficulty, move.difficulty, target=move.target)
    task.chain, task.text = move.chain, move.text
    begin(scene, task)


def support(scene: Scene, seat: Seat, move: moves.Support) -> None:
    """Give a card in one's own combat turn, or in an allowed interrupt, which sets ``owes`` for the giver."""
    state = scene.state
    task = state.task
    interrupt = task if task and task.kind == "interrupt" and asked_side(task).seat == seat else None
    if interrupt is None:
        acting_figure(state, seat, move.npc)
    else:
        demand(asked_side(interrupt).npc == move.npc, "not_asked", "UC-9.4")
        demand_up(actor(state, seat, move.npc))
    _give(scene, seat, move)
    if interrupt is None:
        act(state, seat, move.npc)
        adjust(scene, [seat])
    else:
        state.hands[seat].owes = True
        resume(state)


def _give(scene: Scene, seat: Seat, move: moves.Support) -> None:
    state = scene.state
    demand(move.to != seat, "to_oneself", "UC-8.5")
    if move.to != GM:
        demand_up(character_of(state, move.to))
    take(state, seat, move.card)
    state.hands[move.to].cards.append(move.card)
    state.hands[move.to].extra += 1
    state.declared[seat] = move.text
    scene.tell("supported", seat=seat, npc=move.npc, to=move.to, text=move.text)
    scene.whisper(seat, "given", seat=seat, to=move.to, card=move.card)
    scene.whisper(move.to, "received", seat=move.to, cards=[move.card])


def contest(scene: Scene, move: moves.Contest) -> None:
    """Set two sides against each other, the active 能動者 first. [UC-6.1]"""
    state = scene.state
    demand_no_task(state)
    sides = [Side(party.seat, party.npc, party.skill, party.q) for party in (move.active, move.passive)]
    figure, _ = [actor(state, side.seat, side.npc) for side in sides]
    demand_up(figure)
    active, passive = sides
    target = passive.npc or passive.seat
    demand(target != (active.npc or active.seat), "same_side", "UC-6.1")
    begin(scene, Task("contest", "active", sides, move.difficulty, move.difficulty, move.label, target))


def ask_raise(scene: Scene, task: Task, seat: Seat, move: moves.Raise) -> None:
    """Ask for a higher difficulty, once, before any card. One for an NPC is granted at once. [UC-6.2]"""
    demand(task.raise_to is None, "already_asked", "UC-6.2")
    demand(move.difficulty > task.difficulty, "not_higher", "UC-6.2")
    task.raise_to, task.stage = move.difficulty, "raise"
    scene.tell("raise_asked", seat=seat, npc=task.sides[0].npc, difficulty=move.difficulty)
    if seat == GM:
        answer_raise(scene, allow=True)


def answer_raise(scene: Scene, *, allow: bool) -> None:
    """Grant or refuse a raise; then the active side plays. A grant turns a card if none was. [UC-6.2]"""
    task = scene.state.task
    if task is None or task.stage != "raise" or task.raise_to is None:
        raise IllegalMove("not_now", rule="UC-6.2")
    task.stage = "active"
    scene.tell("raise_answered", allow=allow, difficulty=task.raise_to)
    if allow:
        task.difficulty = task.level = task.raise_to
        turn_once(scene, task)


def ask_to_interrupt(scene: Scene, seat: Seat, move: moves.Interrupt) -> None:
    """Ask to interrupt the running task, without stopping it. [UC-9.1]"""
    may_ask(scene.state, seat, move.npc)
    demand(not open_request(scene.state, seat), "request_open", "UC-9.1")
    scene.state.requests.append(InterruptRequest(seat, move.npc, move.text))
    scene.tell("interrupt_asked", seat=seat, npc=move.npc, text=move.text)


def may_ask(state: State, seat: Seat, npc: str | None) -> None:
    """Refuse a request to interrupt that is not possible. [UC-9.1, 9.3]"""
    if state.task is None:
        raise IllegalMove("no_task", rule="UC-9.1")
    demand(not state.under, "interrupt_running", "UC-9.3")
    demand(state.task.sides[0].seat != seat, "own_action", "UC-9.3")
    demand(asked_seat(state) != seat, "asked_now", "UC-9.1")
    demand_up(actor(state, seat, npc))


def withdraw_request(scene: Scene, seat: Seat) -> None:
    """Take one's own request back. [UC-9.1]"""
    scene.state.requests.remove(_request(scene.state, seat))
    scene.tell("withdrawn", seat=seat)


def answer_interrupt(scene: Scene, move: moves.AnswerInterrupt) -> None:
    """Allow or refuse a request; the GM may answer requests in any order. [UC-9.1]"""
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
    """Refuse to allow a request that is not possible at this moment. [UC-9.1]"""
    demand(not state.under, "interrupt_running", "UC-9.3")
    demand(not state.task or state.task.stage != "name", "naming", "UC-9.1")
    demand(asked_seat(state) != request.seat, "asked_now", "UC-9.1")
    demand_up(actor(state, request.seat, request.npc))


def open_request(state: State, seat: Seat) -> InterruptRequest | None:
    return next((request for request in state.requests if request.seat == seat), None)


def _request(state: State, seat: Seat) -> InterruptRequest:
    request = open_request(state, seat)
    if request is None:
        raise IllegalMove("no_request", rule="UC-9.1")
    return request


#: The functions that carry out the moves of the GM.
RULINGS: dict[type[moves.GmMove], Callable[[Scene, Any], None]] = {
    moves.Call: tasks.call,
    moves.Contest: contest,
    moves.Treat: gm.treat,
    moves.AnswerRaise: lambda scene, move: answer_raise(scene, allow=move.allow),
    moves.AnswerInterrupt: answer_interrupt,
    moves.AddNpc: gm.add_npc,
    moves.RemoveNpc: gm.remove_npc,
    moves.StartCombat: lambda scene, move: turns.start_combat(scene),
    moves.EndCombat: lambda scene, move: turns.end_combat(scene),
    moves.EndTurn: lambda scene, move: turns.end_turn(scene),
    moves.SetHp: gm.set_hp,
    moves.Flip: lambda scene, move: gm.flip(scene),
    moves.Stack: gm.stack,
    moves.Deal: gm.deal,
    moves.Rest: gm.let_days_pass,
    moves.AddPlayer: gm.add_player,
    moves.Cancel: lambda scene, move: tasks.cancel(scene),
    moves.Reveal: cards.reveal,
    moves.Peek: lambda scene, move: gm.peek(scene, move.seat),
    moves.End: lambda scene, move: gm.end_table(scene),
}
#: The functions that carry out the moves that a seat makes without being asked.
ACTIONS: dict[type[moves.Action], Callable[[Scene, Seat, Any], None]] = {
    moves.Attack: attack,
    moves.Observe: turns.observe,
    moves.Support: support,
    moves.Other: turns.act_otherwise,
    moves.Interrupt: ask_to_interrupt,
    moves.Withdraw: lambda scene, seat, move: withdraw_request(scene, seat),
    moves.Declare: lambda scene, seat, move: tasks.declare(scene, seat, move.text),
}
