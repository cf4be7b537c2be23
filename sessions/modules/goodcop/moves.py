"""The cards, and every move with its JSON. [GC-1.1, chapter 7, the table of moves in RULES.md]"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from sessions.game import Move, Seat

Face = Literal["honest", "crooked", "agent", "kingpin", "infector"]
Team = Literal["honest", "crooked", "zombie"]
Position = Literal[0, 1, 2]
Armed = Literal["gun", "arms"]
POSITIONS: tuple[Position, ...] = (0, 1, 2)
#: The leader cards and the team that each leads. [GC-3.1]
LEADERS: dict[Face, Team] = {"agent": "honest", "kingpin": "crooked"}
#: By number of players: the count of honest cards and also of crooked ones, (without, with) zombies. [GC-1.1]
NUMBERS: dict[int, tuple[int, int]] = {4: (5, 5), 5: (7, 6), 6: (8, 8), 7: (10, 9), 8: (11, 11)}
EquipmentId = Literal[
    "blackmail",
    "coffee",
    "defibrillator",
    "disguise",
    "evidence_bag",
    "k9_unit",
    "med_kit",
    "metal_detector",
    "planted_evidence",
    "polygraph",
    "restraining_order",
    "riot_shield",
    "smoke_grenade",
    "surveillance_camera",
    "taser",
    "truth_serum",
    "walkie_talkie",
    "wiretap",
    "crossbow",
    "transfusion_tube",
    "zombie_serum",
    "flamethrower",
    "chainsaw",
    "zombie_mask",
    "machete",
    "weapon_crate",
    "alarm_clock",
]


class CardPosition(Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """The place of an integrity card: ``{"seat": "p2", "position": 0}``."""

    seat: Seat
    position: Position


class Card(Struct):
    """An integrity card and its tokens. ``seen`` stays with the card when it moves to another player."""

    face: Face
    seen: list[Seat]  # the seats that know its face: owners, current and former, and those that looked at it
    up: bool = False
    wounded: bool = False
    infected: bool = False


class Investigate(Move, frozen=True, tag="investigate"):
    """調査. ``{"type": "investigate", "seat": "p2", "position": 0}`` [GC-4.2]"""

    seat: Seat
    position: Position


class Arm(Move, frozen=True, tag="arm"):
    """武装. ``{"type": "arm", "reveal": 1, "aim": "p3"}``; null ``reveal``: no card is down. [GC-4.3]"""

    reveal: Position | None
    aim: Seat


class Equip(Move, frozen=True, tag="equip"):
    """装備. ``{"type": "equip", "reveal": 1}`` [GC-4.4]"""

    reveal: Position | None


class Shoot(Move, frozen=True, tag="shoot"):
    """射撃. ``{"type": "shoot"}`` [GC-4.5]"""


class Bite(Move, frozen=True, tag="bite"):
    """噛みつき. ``{"type": "bite", "position": 2}``; null: no card is free of a token. [GC-8.8]"""

    position: Position | None


class Weapon(Move, frozen=True, tag="weapon"):
    """武器. ``{"type": "weapon", "aim": "p3"}`` [GC-8.7]"""

    aim: Seat


class Skip(Move, frozen=True, tag="skip"):
    """Skip the action because none is possible. ``{"type": "skip"}`` [GC-4.8]"""


class Transfusion(Struct, frozen=True, forbid_unknown_fields=True):
    """The transfer of one token: ``{"from": {"seat", "position"}, "to": {"seat", "position"}}``."""

    source: CardPosition = field(name="from")
    to: CardPosition


class Swap(Struct, frozen=True, forbid_unknown_fields=True):
    """Two cards that trade places: ``{"a": {"seat", "position"}, "b": {"seat", "position"}}``."""

    a: CardPosition
    b: CardPosition


class Play(Move, frozen=True, tag="play"):
    """Play equipment. ``{"type": "play", "card": "k9_unit", "seat": "p2"}``; fields by card. [chapter 7]"""

    card: EquipmentId
    seat: Seat | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    a: CardPosition | UnsetType = UNSET
    b: CardPosition | UnsetType = UNSET
    source: Seat | UnsetType = field(default=UNSET, name="from")
    active: EquipmentId | UnsetType = UNSET
    to: Seat | UnsetType = UNSET
    looks: Annotated[tuple[CardPosition, ...], Meta(max_length=8)] | UnsetType = UNSET
    moves: Annotated[tuple[Transfusion, ...], Meta(max_length=3)] | UnsetType = UNSET
    pairs: Annotated[tuple[Swap, ...], Meta(max_length=3)] | UnsetType = UNSET

    @property
    def target(self) -> Seat:
        """The named player, for a card whose target is one."""
        assert isinstance(self.seat, str)
        return self.seat

    @property
    def place(self) -> CardPosition:
        """The named integrity card, for a card whose target is one."""
        assert isinstance(self.position, int)
        return CardPosition(self.target, self.position)


class Pass(Move, frozen=True, tag="pass"):
    """Play nothing in this window. ``{"type": "pass"}`` [GC-6.2]"""


class Discard(Move, frozen=True, tag="discard"):
    """Put one of two cards under the deck. ``{"type": "discard", "card": "coffee"}`` [GC-4.4]"""

    card: EquipmentId


class Aim(Move, frozen=True, tag="aim"):
    """Aim at a player. ``{"type": "aim", "seat": "p4"}`` [GC-4.7]"""

    seat: Seat


class Keep(Move, frozen=True, tag="keep"):
    """Keep the aim at the turn's end. ``{"type": "keep"}`` [GC-4.7]"""


class Shield(Move, frozen=True, tag="shield"):
    """Name the neighbour who is shot instead. ``{"type": "shield", "seat": "p1"}`` [chapter 7]"""

    seat: Seat


Action = Investigate | Arm | Equip | Shoot | Bite | Weapon

AnyMove = Action | Skip | Play | Pass | Discard | Aim | Keep | Shield
