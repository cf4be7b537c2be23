"""The values of items in attack and defence. [UC-7.2, 7.3]"""

from __future__ import annotations

from sessions.game import demand

from .state import CharacterState, NpcState


def weapons(figure: CharacterState | NpcState) -> range:
    """Return the indices of a figure's weapons: an NPC has one. [UC-8.2]"""
    return range(1 if isinstance(figure, NpcState) else len(figure.weapons))


def weapon_value(figure: CharacterState | NpcState, index: int | None) -> int:
    """Return q of an attack: bare hands are 0, and an NPC's one weapon is index 0. [UC-7.2, 8.2]

    :raises IllegalMove: ``unknown_weapon``.
    """
    values = (figure.weapon,) if isinstance(figure, NpcState) else [item.value for item in figure.weapons]
    if index is None:
        return 0
    demand(index < len(values), "unknown_weapon", "UC-8.2")
    return values[index]


def armour_value(figure: CharacterState | NpcState) -> int:
    """Return q of a defence; for armour and shield together, the higher value plus 1. [UC-7.2, 7.3]"""
    if isinstance(figure, NpcState):
        return figure.armour
    if figure.armour is not None and figure.shield is not None:
        return max(figure.armour, figure.shield) + 1
    return figure.armour or figure.shield or 0
