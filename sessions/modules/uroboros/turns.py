"""The seat that has to move: in a task, and in the rounds and turns of a combat. [UC-8.1, 8.4 to 8.6]"""

from __future__ import annotations

from sessions.game import IllegalMove, Seat, demand

from . import telling
from .cards import adjust, can_draw, draw_to_hand, end_debts, lay, take
from .checks import Check, Means, actor, demand_up, field_target, is_up, npc_of
from .moves import Observe, Other
from .state import GM, CharacterState, Combat, NpcState, Scene, Side, State, Task

NO_CARD = ("raise", "name")  # the stages in which the seat does not answer with a card


def busy(state: State) -> bool:
    """True if a task runs, adjusting included."""
    return state.task is not None or bool(state.adjusting)


def demand_no_task(state: State) -> None:
    """Refuse a move that is not possible while a task runs."""
    demand(not busy(state), "task_running", "UC-4.1")


def asked_side(task: Task) -> Side:
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
    return state.task is not None and asked_seat(state) == seat and state.task.stage not in NO_CARD


def may_draw_now(state: State) -> bool:
    """True if 山引 is allowed now: not in a chain, nor in an interrupt. [UC-4.6, 5.2, 9.2]"""
    task = state.task
    return task is not None and task.stage not in NO_CARD and allows_draw(task) and can_draw(state)


def allows_draw(task: Task) -> bool:
    """True if this kind of task allows 山引. [UC-5.2, 8.7, 9.2]"""
    return not task.chain and task.kind != "interrupt"


def current_check(state: State, task: Task) -> Check:
    side = asked_side(task)
    means = Means(actor(state, side.seat, side.npc).suits, side.skill, side.q)
    return Check(state.ladder, task.level, field_target(state), means)


def required_successes(task: Task, index: int) -> int:
    """Return the number of successes this side needs. [UC-8.7 for a chain attack]"""
    if task.kind != "attack" or not task.chain:
        return 1
    return 2 if index == 0 else task.sides[0].successes


def won(task: Task, index: int) -> bool:
    return index < len(task.sides) and task.sides[index].successes >= required_successes(task, index)


def required_chain_length(task: Task) -> int | None:
    """Return the length that a chain defence needs. [UC-8.7]"""
    return required_successes(task, task.now) if task.chain and task.now > 0 else None


def start_combat(scene: Scene) -> None:
    """Begin the first round. [UC-8.1]"""
    state = scene.state
    demand_no_task(state)
    demand(not state.combat, "combat_running", "UC-8.1")
    state.combat = Combat(0, GM)
    scene.tell("combat_started")
    pass_turn(scene, state.combat)


def end_combat(scene: Scene) -> None:
    """End the rounds. [UC-8.1]"""
    demand_no_task(scene.state)
    running_combat(scene.state)
    scene.state.combat = None
    scene.tell("combat_ended")


def end_turn(scene: Scene) -> None:
    """End the GM's turn, or that of a player who does not act or has done something else. [UC-8.1, 8.5]"""
    state = scene.state
    demand_no_task(state)
    combat = running_combat(state)
    combat.done = True
    scene.tell("turn_ended", seat=combat.turn)
    if not (combat.turn == GM and combat.npc_acted):
        end_debts(state, combat.turn)
        adjust(scene, [combat.turn])


def running_combat(state: State) -> Combat:
    if state.combat is None:
        raise IllegalMove("no_combat", rule="UC-8.1")
    return state.combat


def acting_figure(state: State, seat: Seat, npc: str | None) -> CharacterState | NpcState:
    """Return the figure that acts in its own combat turn. [UC-8.1]"""
    combat = running_combat(state)
    figure = actor(state, seat, npc)
    demand_no_task(state)
    demand(combat.turn == seat, "not_your_turn", "UC-8.1")
    acted = combat.stays or (isinstance(figure, NpcState) and figure.acted)
    demand(not acted, "has_acted", "UC-8.1")
    demand_up(figure)
    return figure


def act(state: State, seat: Seat, npc: str | None) -> None:
    """Spend the action of an NPC, or a player's turn; ``owes`` and ``extra`` end. [UC-8.1, 8.5]"""
    combat = running_combat(state)
    end_debts(state, seat)
    if npc is None:
        combat.done = True
    else:
        combat.npc_acted = npc_of(state, npc).acted = True


def observe(scene: Scene, seat: Seat, move: Observe) -> None:
    """様子を見る: discard one card and draw one, or just watch. [UC-8.4]"""
    acting_figure(scene.state, seat, move.npc)
    if move.card:
        take(scene.state, seat, move.card)
        lay(scene.state, move.card)
    scene.tell("observed", seat=seat, npc=move.npc, card=move.card)
    if move.card:
        draw_to_hand(scene, seat, 1)
    act(scene.state, seat, move.npc)
    adjust(scene, [seat])


def act_otherwise(scene: Scene, seat: Seat, move: Other) -> None:
    """その他: an action in words. The GM may call checks, and then ends a player's turn. [UC-8.6]"""
    state = scene.state
    acting_figure(state, seat, move.npc)
    state.declared[seat] = move.text
    scene.tell("acted", seat=seat, npc=move.npc, text=move.text)
    if move.npc is None:
        running_combat(state).stays = True
    else:
        act(state, seat, move.npc)
        adjust(scene, [seat])


def pass_turn(scene: Scene, combat: Combat) -> None:
    """Give the turn to the next player who is up, or to the GM; a new round begins after the GM."""
    state = scene.state
    order = [*state.seating, GM]
    place = order.index(combat.turn) + 1
    is_new = place == len(order)
    if is_new:
        place = 0
        combat.round += 1
        for npc in state.npcs:
            npc.acted = False
    while order[place] != GM and not is_up(state.characters[order[place]]):
        end_debts(state, order[place])
        place += 1
    combat.turn = order[place]
    combat.npc_acted = combat.stays = combat.done = False
    scene.tell("turn_begun", round=combat.round, seat=combat.turn)
    if is_new:
        telling.record_round(state, combat)
