"""The integrity cards, the names of the equipment, and places on the table. [GC-1.1, chapter 7]"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sessions.game import Seat

Face = Literal["honest", "crooked", "agent", "kingpin", "infector"]
Team = Literal["honest", "crooked", "zombie"]
Position = Literal[0, 1, 2]
Armed = Literal["gun", "arms"]

POSITIONS: tuple[Position, ...] = (0, 1, 2)

#: The leader cards and the team that each leads. [GC-3.1]
LEADERS: dict[Face, Team] = {"agent": "honest", "kingpin": "crooked"}

PLAIN: tuple[Face, ...] = ("honest", "crooked")

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
