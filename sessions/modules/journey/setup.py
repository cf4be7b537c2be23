"""Opening the table and packing; packing lays everything out. [JO-2]"""

from __future__ import annotations

from sessions.game import Fate, Seat, demand

from . import deck, turns
from .components import CARDS, ITEMS, LAST, ROOM
from .moves import Pack
from .options import Options
from .scene import JourneyScene
from .state import State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table; nothing is laid out before the traveller has packed. [JO-2.1]"""
    return State(seats=list(seats), single_key=options.single_key)


def pack(scene: JourneyScene, move: Pack) -> None:
    """Choose the items, lay the locations out, deal, and begin the first turn. [JO-2.1 to 2.3]

    :raises IllegalMove: ``item_twice``.
    """
    state, fate = scene.state, scene.fate
    demand(len(set(move.items)) == len(move.items), "item_twice", "JO-2.1")
    state.items = tuple(item for item in ITEMS if item in move.items)
    scene.tell("packed", items=list(state.items))
    state.locations = (*fate.shuffle("locations", [one for one in ROOM if one != LAST]), LAST)
    state.deck = fate.shuffle("events", CARDS)
    scene.tell("laid_out", locations=list(state.locations))
    for _ in range(2 if "rucksack" in state.items else 1):
        deck.draw(scene)
    turns.begin(scene)
