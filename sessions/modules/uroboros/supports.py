"""Support 援護: giving a hand card to another seat. [UC-8.5, 9.4]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .asking import asked_side
from .figures import actor, character_of, standing
from .hands import adjust, take
from .moves import Support
from .scene import Scene
from .state import GM, State, Task
from .tasks import resume
from .turns import act, acting_figure


def support(scene: Scene, seat: Seat, move: Support) -> None:
    """Give a card in one's own combat turn, or in an allowed interrupt, which sets ``owes`` for the giver.

    :raises IllegalMove: ``down``, ``to_oneself``, ``not_in_hand``, ``not_asked``, and those of acting_figure.
    """
    state = scene.state
    interrupt = interrupting(state, seat)
    if interrupt is None:
        acting_figure(state, seat, move.npc)
    else:
        demand(asked_side(interrupt).npc == move.npc, "not_asked", "UC-9.4")
        standing(actor(state, seat, move.npc))
    _give(scene, seat, move)
    if interrupt is None:
        act(state, seat, move.npc)
        adjust(scene, [seat])
    else:
        state.hands[seat].owes = True
        resume(state)


def interrupting(state: State, seat: Seat) -> Task | None:
    """Return the allowed interrupt in which ``seat`` acts now."""
    task = state.task
    return task if task and task.kind == "interrupt" and asked_side(task).seat == seat else None


def _give(scene: Scene, seat: Seat, move: Support) -> None:
    state = scene.state
    demand(move.to != seat, "to_oneself", "UC-8.5")
    if move.to != GM:
        standing(character_of(state, move.to))
    take(state, seat, move.card)
    state.hands[move.to].cards.append(move.card)
    state.hands[move.to].extra += 1
    state.declared[seat] = move.text
    scene.tell("supported", seat=seat, npc=move.npc, to=move.to, text=move.text)
    scene.whisper(seat, "given", seat=seat, to=move.to, card=move.card)
    scene.whisper(move.to, "received", seat=move.to, cards=[move.card])
