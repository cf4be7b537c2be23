"""Advance the game without input until a seat is asked, or until the game is over.

``state.tasks`` come first; when there are none, ``state.then`` names the next step, a key of ``STATIONS``.
"""

from __future__ import annotations

from collections.abc import Callable

from . import actions, bites, turns
from .looking import draw, zombify
from .moves import Bite, Shoot
from .scene import GoodCopScene
from .state import PendingTask, Phase, State, Then
from .teams import living

#: The step that follows a window, once all asked seats have passed.
AFTER_WINDOW: dict[Phase, Then] = {"reaction": "resolve", "dice": "faces", "end_reaction": "next"}


def go_on(scene: GoodCopScene) -> None:
    """Run tasks and steps until a seat has to decide. Call this only when no open question is left."""
    state = scene.state
    while not scene.over:
        if state.tasks:
            if _decide(scene):
                return
        elif STATIONS[state.then](scene):
            return
    state.phase, state.declared, state.target, state.dice = "over", None, None, None
    state.asked, state.tasks = [], []


def _ask(state: State, phase: Phase) -> bool:
    state.phase = phase
    state.question += 1
    return True


def _decide(scene: GoodCopScene) -> bool:
    """Process the first pending task; return whether it asks a seat."""
    task = scene.state.tasks[0]
    match task.kind:
        case "found":
            scene.state.tasks.pop(0)
            draw(scene, task.seat)
            scene.state.tasks.append(PendingTask("turn", task.seat))
        case "turn":
            scene.state.tasks.pop(0)
            zombify(scene, task.seat)
        case kind:
            return _ask(scene.state, kind)
    return False


def _action(scene: GoodCopScene) -> bool:
    return _ask(scene.state, "action")


def _window(scene: GoodCopScene, phase: Phase) -> bool:
    """Ask all living players, with ``auto_pass`` only those with equipment in hand. [GC-6.2]"""
    state = scene.state
    state.asked = [seat for seat in living(state) if state.players[seat].hand or not state.options.auto_pass]
    _ask(state, phase)
    if not state.asked:
        state.then = AFTER_WINDOW[phase]
    return bool(state.asked)


def _reaction(scene: GoodCopScene) -> bool:
    """Open the window before an action resolves; with ``react_only_to_shots`` only before a shot or bite."""
    state = scene.state
    if state.options.react_only_to_shots and not isinstance(state.declared, Shoot | Bite):
        state.then = "resolve"
        return False
    return _window(scene, "reaction")


def _resolve(scene: GoodCopScene) -> bool:
    state = scene.state
    action, target = state.declared, state.target
    assert action
    state.declared, state.target = None, None
    state.then = actions.resolve(scene, state.turn, action, target)
    return False


def _dice(scene: GoodCopScene) -> bool:
    return _window(scene, "dice")


def _faces(scene: GoodCopScene) -> bool:
    kind = bites.read_dice(scene)
    scene.state.then = "turn_end" if kind == "zombie" else "end_reaction"
    return False


def _turn_end(scene: GoodCopScene) -> bool:
    """Ask an armed turn player for a new aim. [GC-4.7]"""
    state = scene.state
    if state.players[state.turn].armed:  # eliminated players have no gun
        return _ask(state, "aim")
    state.then = "infection"
    return False


def _infection(scene: GoodCopScene) -> bool:
    """Roll the infection die if it is due, after aiming and before the end window. [GC-8.2]"""
    state = scene.state
    state.then = "end_reaction"
    if bites.rolls_infection(state):
        bites.roll_dice(scene, "infection", state.turn, 1)
        state.then = "dice"
    return False


def _end_reaction(scene: GoodCopScene) -> bool:
    return _window(scene, "end_reaction")


def _next(scene: GoodCopScene) -> bool:
    turns.next_turn(scene)
    scene.state.then = "action"
    return False


#: The steps of a turn. Each returns whether a seat is asked now.
STATIONS: dict[Then, Callable[[GoodCopScene], bool]] = {
    "action": _action,
    "reaction": _reaction,
    "resolve": _resolve,
    "dice": _dice,
    "faces": _faces,
    "turn_end": _turn_end,
    "infection": _infection,
    "end_reaction": _end_reaction,
    "next": _next,
}
