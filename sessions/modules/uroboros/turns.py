"""Rounds and turns of a combat. [UC-8.1, 8.4 to 8.6]"""

from __future__ import annotations

from sessions.game import IllegalMove, Seat, demand

from . import telling
from .asking import busy, free
from .figures import actor, is_up, npc_of, standing
from .hands import adjust, end_debts, take
from .moves import Observe, Other
from .piles import draw_to_hand, lay
from .scene import Scene
from .state import GM, CharacterState, Combat, NpcState, State


def start_combat(scene: Scene) -> None:
    """Begin the first round. [UC-8.1]

    :raises IllegalMove: ``task_running``, ``combat_running``.
    """
    state = scene.state
    free(state)
    demand(not state.combat, "combat_running", "UC-8.1")
    state.combat = Combat(0, GM)
    scene.tell("combat_started")
    _pass_turn(scene, state.combat)


def end_combat(scene: Scene) -> None:
    """End the rounds. [UC-8.1]

    :raises IllegalMove: ``task_running``, ``no_combat``.
    """
    free(scene.state)
    running(scene.state)
    scene.state.combat = None
    scene.tell("combat_ended")


def end_turn(scene: Scene) -> None:
    """End the GM's turn, or the turn of a player who does not act or has done something else. [UC-8.1, 8.5]

    :raises IllegalMove: ``task_running``, ``no_combat``.
    """
    state = scene.state
    free(state)
    combat = running(state)
    combat.done = True
    scene.tell("turn_ended", seat=combat.turn)
    if not (combat.turn == GM and combat.npc_acted):
        end_debts(state, combat.turn)
        adjust(scene, [combat.turn])


def running(state: State) -> Combat:
    """Return the combat.

    :raises IllegalMove: ``no_combat``.
    """
    if state.combat is None:
        raise IllegalMove("no_combat", rule="UC-8.1")
    return state.combat


def acting_figure(state: State, seat: Seat, npc: str | None) -> CharacterState | NpcState:
    """Return the figure that acts in its own combat turn. [UC-8.1]

    :raises IllegalMove: ``no_combat``, ``task_running``, ``not_your_turn``, ``has_acted``, ``down``, and
        those of actor.
    """
    combat = running(state)
    figure = actor(state, seat, npc)
    free(state)
    demand(combat.turn == seat, "not_your_turn", "UC-8.1")
    acted = combat.stays or (isinstance(figure, NpcState) and figure.acted)
    demand(not acted, "has_acted", "UC-8.1")
    standing(figure)
    return figure


def act(state: State, seat: Seat, npc: str | None) -> None:
    """Spend the action of an NPC, or a player's turn; ``owes`` and ``extra`` end. [UC-8.1, 8.5]"""
    combat = running(state)
    end_debts(state, seat)
    if npc is None:
        combat.done = True
    else:
        combat.npc_acted = npc_of(state, npc).acted = True


def observe(scene: Scene, seat: Seat, move: Observe) -> None:
    """様子を見る: discard one card and draw one, or just watch. [UC-8.4]

    :raises IllegalMove: ``not_in_hand``, and those of acting_figure.
    """
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
    """その他: an action in words. A player's turn then waits until the GM ends it. [UC-8.6]

    The GM may call checks before ending the turn.

    :raises IllegalMove: those of acting_figure.
    """
    state = scene.state
    acting_figure(state, seat, move.npc)
    state.declared[seat] = move.text
    scene.tell("acted", seat=seat, npc=move.npc, text=move.text)
    if move.npc is None:
        running(state).stays = True
    else:
        act(state, seat, move.npc)
        adjust(scene, [seat])


def go_on(scene: Scene) -> None:
    """Pass the turn when its action is over and hands are adjusted. [UC-8.1, 8.8]"""
    combat = scene.state.combat
    if combat and combat.done and not busy(scene.state):
        _pass_turn(scene, combat)


def _pass_turn(scene: Scene, combat: Combat) -> None:
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
