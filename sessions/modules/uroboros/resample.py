"""Another state that some seats cannot tell from this one."""

from __future__ import annotations

from collections.abc import Collection

from companion.fate import Fate
from sessions.engine.contract import Seat

from .options import Item
from .state import GM, State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal the cards that none of ``seats`` sees anew; change gear, HP and abilities that none sees."""
    hidden = [hand for owner, hand in state.hands.items() if owner not in seats]
    unknown = fate.shuffle("cards", [*state.deck, *(card for hand in hidden for card in hand.cards)])
    for pile in (state.deck, *(hand.cards for hand in hidden)):
        count = len(pile)
        pile[:], unknown = unknown[:count], unknown[count:]
    for owner, character in state.characters.items():
        if GM not in seats and owner not in seats:
            character.weapons = (Item("another", _value(fate)),)
            character.armour = _value(fate)
    for npc in state.npcs:
        if GM not in seats:
            npc.weapon, npc.armour = _value(fate), _value(fate)
            npc.special = f"another {_value(fate)}"
        if GM not in seats and npc.hidden:
            npc.hp_max = fate.roll("HP", 99)
            npc.hp = npc.hp_max - fate.roll("damage", 99)
    for task in (state.task, state.under):
        for side in task.sides if task and task.kind == "attack" else []:
            if side.seat not in seats:
                side.q = _value(fate)


def _value(fate: Fate) -> int:
    return fate.roll("value", 9) - 1
