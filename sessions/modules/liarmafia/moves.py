"""Every move, with its JSON. [the table of moves in RULES.md]"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from sessions.game import Move

from .state import Action, Facing, Laid, Slot

Gain = Literal["take", "turn"]
Pay = Literal["one", "flip", "two", "ones"]


class Place(Move, frozen=True, tag="place"):
    """Lay two cards face down; the third is the hand. [LM-2.2]

    ``{"type": "place", "slots": [{"card": "boss", "facing": "down"}, {"card": "hitman", "facing": "up"}]}``
    """

    slots: tuple[Laid, Laid]


class Declare(Move, frozen=True, tag="declare"):
    """Claim an action, true or not. ``{"type": "declare", "action": "smuggle"}`` [LM-3.1]"""

    action: Action


class Pass(Move, frozen=True, tag="pass"):
    """スルー. ``{"type": "pass"}`` [LM-3.2, 3.3]"""


class Block(Move, frozen=True, tag="block"):
    """ブロック, true or not. ``{"type": "block"}`` [LM-3.2]"""


class Doubt(Move, frozen=True, tag="doubt"):
    """ダウト. ``{"type": "doubt"}`` [LM-3.2, 3.3]"""


class Remove(Move, frozen=True, tag="remove"):
    """Take an own card out of the game as a penalty. ``{"type": "remove", "slot": 0}`` [LM-3.4]"""

    slot: Slot


class GainChip(Move, frozen=True, tag="gain"):
    """Take a 1 from the stock, or turn an own 1 to 2. ``{"type": "gain", "how": "take"}`` [LM-3.5]"""

    how: Gain


class Hit(Move, frozen=True, tag="hit"):
    """Pay for a hit on a slot of the opponent. ``{"type": "hit", "slot": 1, "pay": "flip"}`` [LM-3.5]"""

    slot: Slot
    pay: Pay | UnsetType = UNSET


class Replace(Move, frozen=True, tag="replace"):
    """Lay the hand card into the empty slot. ``{"type": "replace", "facing": "up"}`` [LM-4.3]"""

    facing: Facing


class Rotate(Move, frozen=True, tag="rotate"):
    """反転: turn an own field card around. ``{"type": "rotate", "slot": 0}`` [LM-3.7]"""

    slot: Slot


class Exchange(Move, frozen=True, tag="exchange"):
    """交換: an own field card with the hand. ``{"type": "exchange", "slot": 0, "facing": "up"}`` [LM-3.7]"""

    slot: Slot
    facing: Facing


class Concede(Move, frozen=True, tag="concede"):
    """Concede the game. ``{"type": "concede"}`` [LM-3.8]"""


AnyMove = (
    Place | Declare | Pass | Block | Doubt | Remove | GainChip | Hit | Replace | Rotate | Exchange | Concede
)
