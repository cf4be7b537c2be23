"""For the leak test: another state that ``seat`` cannot tell from this one."""

from __future__ import annotations

from random import Random

from sessions.engine.contract import Seat

from .options import Item
from .state import GM, State


def resample(state: State, seat: Seat | None, rng: Random) -> State:
    """Deal the cards this seat cannot see anew, and change the gear and HP it cannot see."""
    hidden = [hand for owner, hand in state.hands.items() if owner != seat]
    unknown = [*state.deck, *(card for hand in hidden for card in hand.cards)]
    rng.shuffle(unknown)
    state.deck, unknown = unknown[: len(state.deck)], unknown[len(state.deck) :]
    for hand in hidden:
        count = len(hand.cards)
        hand.cards, unknown = unknown[:count], unknown[count:]
    for owner, character in state.characters.items():
        if seat not in (owner, GM):
            character.weapons = (Item("another", rng.randint(0, 8)),)
            character.armour = rng.randint(0, 8)
    for npc in state.npcs:
        if seat != GM:
            npc.weapon, npc.armour = rng.randint(0, 8), rng.randint(0, 8)
        if npc.hidden and seat != GM:
            npc.hp, npc.hp_max = rng.randint(-9, 9), rng.randint(9, 99)
    for task in (state.task, state.under):
        for side in task.sides if task and task.kind == "attack" else []:
            if side.seat != seat:
                side.q = rng.randint(0, 9)
    return state
