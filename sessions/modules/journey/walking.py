"""Playing a card: the pawns move, and the card becomes an event. [JO-3.3 to 3.5]"""

from __future__ import annotations

from sessions.game import demand

from . import deck, turns
from .components import BLACKS, DAYS, Black, number_of
from .moves import Play
from .ring import add_steps, loops
from .scene import JourneyScene
from .state import State


def play_card(scene: JourneyScene, move: Play) -> None:
    """Play a hand card.

    :raises IllegalMove: ``not_in_hand``, ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    state = scene.state
    demand(move.card in state.hand, "not_in_hand", "JO-3.3")
    number = number_of(move.card)
    steps = _card_steps(state, move, DAYS - number)
    state.hand.remove(move.card)
    state.played = move.card
    scene.tell("played", card=move.card)
    looped = loops(state.day("white"), number)
    state.pawns["white"] = add_steps(state.day("white"), number)
    scene.tell("moved", pawn="white", to=state.day("white"), by="card")
    if looped and not deck.loop(scene):
        return
    for pawn in BLACKS:
        if steps[pawn]:
            state.pawns[pawn] = add_steps(state.day(pawn), steps[pawn])
            scene.tell("moved", pawn=pawn, to=state.day(pawn), by="card")
    place_card(scene, move.card)
    turns.continue_after_placing(scene)


def _card_steps(state: State, move: Play, total: int) -> dict[Black, int]:
    """Return how far each black pawn goes.

    :raises IllegalMove: ``split_needed``, ``no_map``, ``wrong_steps``.
    """
    if not move.split:
        demand("map" not in state.items, "split_needed", "JO-3.3")
        return {pawn: total if pawn == move.black else 0 for pawn in BLACKS}
    demand("map" in state.items, "no_map", "JO-3.3")
    a, b = move.split.a, move.split.b
    demand(min(a, b) >= 0 and a + b == total, "wrong_steps", "JO-3.3", need=total)
    return {"a": a, "b": b}


def place_card(scene: JourneyScene, card: str) -> None:
    """Make a card the nearest event on the white pawn's day; a full day discards the outermost. [JO-3.5]"""
    state = scene.state
    day, here = state.day("white"), state.events_here()
    room = state.capacity(day)
    here.insert(0, card)
    if room:
        scene.tell("placed", card=card, day=day)
    if len(here) > room:
        fallen = here.pop()
        state.discards.append(fallen)
        scene.tell("fell", card=fallen, day=day)
