"""All equipment designs by their id; each is defined beside its effect. [chapters 7 and 8]"""

from __future__ import annotations

from ..cards import EquipmentId
from . import guns, looks, moving, people, zombies
from .design import Design

BASE: dict[EquipmentId, Design] = {
    "blackmail": moving.blackmail,
    "coffee": people.coffee,
    "defibrillator": people.defibrillator,
    "disguise": people.disguise,
    "evidence_bag": moving.evidence_bag,
    "k9_unit": guns.k9_unit,
    "med_kit": people.med_kit,
    "metal_detector": looks.metal_detector,
    "planted_evidence": people.planted_evidence,
    "polygraph": looks.polygraph,
    "restraining_order": guns.restraining_order,
    "riot_shield": guns.riot_shield,
    "smoke_grenade": people.smoke_grenade,
    "surveillance_camera": people.surveillance_camera,
    "taser": guns.taser,
    "truth_serum": looks.truth_serum,
    "walkie_talkie": guns.walkie_talkie,
    "wiretap": looks.wiretap,
}

ZOMBIES: dict[EquipmentId, Design] = {
    "crossbow": zombies.crossbow,
    "transfusion_tube": zombies.transfusion_tube,
    "zombie_serum": zombies.zombie_serum,
    "flamethrower": zombies.flamethrower,
    "chainsaw": zombies.chainsaw,
    "zombie_mask": zombies.zombie_mask,
    "machete": zombies.machete,
    "weapon_crate": zombies.weapon_crate,
    "alarm_clock": zombies.alarm_clock,
}

EQUIPMENT = BASE | ZOMBIES


def deck(designs: dict[EquipmentId, Design]) -> list[EquipmentId]:
    """Return the deck of these designs, unshuffled."""
    return [card for card, design in designs.items() for _ in range(design.copies)]
