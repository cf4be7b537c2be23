"""The three characters, and the abilities at each end of their cards. [LM-1.1, 1.3, 1.4]"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Character = Literal["boss", "police", "hitman"]
Facing = Literal["up", "down"]  # 正位置, 逆位置
Action = Literal["embezzle", "smuggle", "allout", "murder", "assassinate"]
Reaction = Literal["inform", "fix", "guard"]

CHARACTERS: tuple[Character, ...] = ("boss", "police", "hitman")
FACINGS: tuple[Facing, ...] = ("up", "down")
ACTIONS: tuple[Action, ...] = ("embezzle", "smuggle", "allout", "murder", "assassinate")


class Laid(Struct, frozen=True, forbid_unknown_fields=True):
    """A card on the field and its facing. ``{"card": "boss", "facing": "down"}``"""

    card: Character
    facing: Facing


class Ability(Struct, frozen=True):
    """An ability's card, and the facings in which the card has it."""

    card: Character
    facings: tuple[Facing, ...]

    def shown_by(self, laid: Laid) -> bool:
        """True if a card, with its facing, has this ability on the end that faces the opponent."""
        return laid.card == self.card and laid.facing in self.facings


ABILITIES: dict[Action | Reaction, Ability] = {
    "embezzle": Ability("police", ("up",)),
    "smuggle": Ability("boss", ("up",)),
    "allout": Ability("boss", ("up", "down")),
    "murder": Ability("hitman", ("up",)),
    "assassinate": Ability("hitman", ("down",)),
    "inform": Ability("police", ("down",)),
    "fix": Ability("boss", ("down",)),
    "guard": Ability("hitman", ("up",)),
}

BLOCKED_BY: dict[Action, Reaction] = {"embezzle": "inform", "smuggle": "fix", "murder": "guard"}


def turn_around(laid: Laid) -> Laid:
    """Return a card turned around 反転."""
    return Laid(laid.card, "down" if laid.facing == "up" else "up")
