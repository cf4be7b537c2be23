"""The state of a game, with the cards, the abilities and the options. [LM-1]

Only ``view.py`` decides which parts each seat sees.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from sessions.game import Outcome, Seat
from sessions.game import Scene as AnyScene

Character = Literal["boss", "police", "hitman"]
Facing = Literal["up", "down"]  # 正位置, 逆位置
Action = Literal["embezzle", "smuggle", "allout", "murder", "assassinate"]
Reaction = Literal["inform", "fix", "guard"]
CHARACTERS: tuple[Character, ...] = ("boss", "police", "hitman")
FACINGS: tuple[Facing, ...] = ("up", "down")
ACTIONS: tuple[Action, ...] = ("embezzle", "smuggle", "allout", "murder", "assassinate")
Slot = Literal[0, 1]
SLOTS: tuple[Slot, ...] = (0, 1)
Phase = Literal["place", "declare", "react", "rereact", "penalty", "resolve", "replace", "adjust", "over"]


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


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    first: Literal["fate", "p1", "p2"] = "fate"  # [LM-2.1]
    adjust_optional: bool = False  # ``pass`` may end the turn without turning or exchanging a card [LM-3.7]
    second_edition: bool = False  # only abilities of own field cards can be claimed


class Player(Struct):
    chips: list[int]  # their values, ascending
    hand: list[Character]
    slots: list[Laid | None]  # the field, face down
    removed: list[Character] = []  # in the order of leaving
    ready: bool = False  # has placed its field cards
    #: By slot, the card in it if it was shown and not exchanged since.
    seen: list[Laid | None] = msgspec.field(default_factory=lambda: [None, None])


class Claim(Struct):
    """The declared action, and whether a block was declared against it."""

    seat: Seat
    action: Action
    blocked: bool = False


class ShownCard(Struct, frozen=True):
    """A card that is shown to all because the claim on it was true."""

    seat: Seat
    slot: Slot
    card: Character
    facing: Literal["up", "down"]


class Adjusted(Struct, frozen=True):
    """The last 反転 or 交換. [LM-3.7]"""

    seat: Seat
    slot: Slot
    how: Literal["rotate", "exchange"]


class State(Struct):
    seats: list[Seat]
    players: dict[Seat, Player]
    turn: Seat
    options: Options
    stock: int = 2
    phase: Phase = "place"
    turns: int = 0  # the number of turns that have ended
    claim: Claim | None = None
    shown: ShownCard | None = None
    loser: Seat | None = None  # the seat that removes a card or lays the next one
    then: Literal["resolve", "adjust"] = "adjust"  # the next phase once the loser has laid it
    adjusted: Adjusted | None = None
    result: Outcome | None = None  # the reason is boss, two, allout or concede [LM-5.1]


def opponent(state: State, seat: Seat) -> Seat:
    return next(other for other in state.seats if other != seat)


def field_cards(player: Player) -> list[Laid]:
    return [laid for laid in player.slots if laid]


def card_in_slot(player: Player, slot: Slot) -> Laid:
    """Return the card in a full slot. Slots are empty only in ``place``, in ``replace`` and at the end."""
    laid = player.slots[slot]
    assert laid is not None
    return laid


Scene = AnyScene[State]
