"""Treatment 手当て and natural recovery 自然回復. [UC-10.1, 10.2]"""

from __future__ import annotations

from sessions.game import demand

from .asking import free
from .figures import actor, figure_of, standing
from .hands import adjust, end_debts
from .hp import recover
from .moves import Rest, Treat
from .scene import Scene
from .state import GM, Side, Task
from .tasks import begin


def treat(scene: Scene, move: Treat) -> None:
    """Ask a healer to treat a patient or themselves. A patient is treated once a day. [UC-10.2]

    :raises IllegalMove: ``task_running``, ``down``, ``treated_today``, and those of actor.
    """
    state = scene.state
    free(state)
    standing(actor(state, move.seat, move.npc))
    figure_of(state, move.patient)
    demand(move.patient not in state.treated, "treated_today", "UC-10.2")
    side = Side(move.seat, move.npc, move.skill, move.q)
    begin(scene, Task("treat", "play", [side], move.difficulty, move.difficulty, target=move.patient))


def let_days_pass(scene: Scene, move: Rest) -> None:
    """Let days go by: all recover, debts end, all adjust, treatments are possible again. [UC-10.1]

    :raises IllegalMove: ``task_running``, ``combat_running``.
    """
    state = scene.state
    free(state)
    demand(not state.combat, "combat_running", "UC-8.1")
    scene.tell("rested", days=move.days)
    state.treated = []
    for who in [*state.seating, *(npc.id for npc in state.npcs)]:
        recover(scene, who, move.days)
    everybody = [*state.seating, GM]
    for seat in everybody:
        end_debts(state, seat)
    adjust(scene, everybody)
