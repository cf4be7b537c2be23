"""Letters: memories of locations and of adventures. [JO-4]"""

from __future__ import annotations

from sessions.game import demand

from . import deck, turns
from .components import BLACKS, Black
from .moves import AdventureMemory, LocationMemory
from .ring import add_steps
from .scene import JourneyScene
from .state import State


def location_memory(scene: JourneyScene, move: LocationMemory) -> None:
    """Move black pawns by as many steps as there are letters. [JO-4.1]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    state = scene.state
    _spendable(state)
    steps = _letter_steps(state, move)
    demand(sum(map(abs, steps.values())) == state.letters, "wrong_steps", "JO-4.1", need=state.letters)
    for pawn in BLACKS:
        if steps[pawn]:
            state.pawns[pawn] = add_steps(state.day(pawn), steps[pawn])
            scene.tell("moved", pawn=pawn, to=state.day(pawn), by="letter")
    _spend(scene)


def adventure_memory(scene: JourneyScene, move: AdventureMemory) -> None:
    """Put a discard on top of the deck. [JO-4.2]

    :raises IllegalMove: ``not_now``, ``no_letter``, ``not_discarded``.
    """
    state = scene.state
    _spendable(state)
    demand(move.card in state.discards, "not_discarded", "JO-4.2")
    state.discards.remove(move.card)
    deck.put_on_top(state, move.card)
    scene.tell("remembered", card=move.card)
    _spend(scene)


def _letter_steps(state: State, move: LocationMemory) -> dict[Black, int]:
    if move.split:
        demand("map" in state.items, "no_map", "JO-4.1")
        return {"a": move.split.a, "b": move.split.b}
    demand("map" not in state.items, "split_needed", "JO-4.1")
    return {pawn: move.steps or 0 if pawn == move.pawn else 0 for pawn in BLACKS}


def _spendable(state: State) -> None:
    demand(state.phase != "pack", "not_now", "JO-4.3")
    demand(state.letters, "no_letter", "JO-4.1")


def _spend(scene: JourneyScene) -> None:
    scene.state.letters -= 1
    turns.letter_spent(scene)
