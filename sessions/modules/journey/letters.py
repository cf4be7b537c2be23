"""Letters: memories of locations and of adventures. [JO-4]"""

from __future__ import annotations

from sessions.engine.contract import IllegalMove

from . import deck, turns
from .components import BLACKS, Black
from .moves import AdventureMemory, LocationMemory
from .ring import stepped
from .scene import Scene
from .state import State


def location_memory(scene: Scene, move: LocationMemory) -> None:
    """Move black pawns as far as there are letters. [JO-4.1]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    state = scene.state
    _spendable(state)
    steps = _steps(state, move)
    if sum(abs(count) for count in steps.values()) != state.letters:
        raise IllegalMove("wrong_steps", rule="JO-4.1", need=state.letters)
    for pawn in BLACKS:
        if steps[pawn]:
            state.pawns[pawn] = stepped(state.day(pawn), steps[pawn])
            scene.tell("moved", pawn=pawn, to=state.day(pawn), by="letter")
    _spend(scene)


def adventure_memory(scene: Scene, move: AdventureMemory) -> None:
    """Put a discard on top of the deck. [JO-4.2]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``not_discarded``.
    """
    state = scene.state
    _spendable(state)
    if move.card not in state.discards:
        raise IllegalMove("not_discarded", rule="JO-4.2")
    state.discards.remove(move.card)
    deck.put_on_top(state, move.card)
    scene.tell("remembered", card=move.card)
    _spend(scene)


def _steps(state: State, move: LocationMemory) -> dict[Black, int]:
    if move.split:
        if "map" not in state.items:
            raise IllegalMove("no_map", rule="JO-4.1")
        return {"a": move.split.a, "b": move.split.b}
    if "map" in state.items:
        raise IllegalMove("split_needed", rule="JO-4.1")
    return {pawn: move.steps or 0 if pawn == move.pawn else 0 for pawn in BLACKS}


def _spendable(state: State) -> None:
    if state.phase == "pack":
        raise IllegalMove("not_now", rule="JO-4.3")
    if not state.letters:
        raise IllegalMove("no_letter", rule="JO-4.1")


def _spend(scene: Scene) -> None:
    scene.state.letters -= 1
    turns.letter_spent(scene)
