"""All equipment designs by their id; each is defined beside its effect. [chapters 7 and 8]"""

from __future__ import annotations

from ..moves import EquipmentId
from . import base_game, zombies
from .design import Design

BASE: dict[EquipmentId, Design] = {
    "blackmail": base_game.blackmail,
    "coffee": base_game.coffee,
    "defibrillator": base_game.defibrillator,
    "disguise": base_game.disguise,
    "evidence_bag": base_game.evidence_bag,
    "k9_unit": base_game.k9_unit,
    "med_kit": base_game.med_kit,
    "metal_detector": base_game.metal_detector,
    "planted_evidence": base_game.planted_evidence,
    "polygraph": base_game.polygraph,
    "restraining_order": base_game.restraining_order,
    "riot_shield": base_game.riot_shield,
    "smoke_grenade": base_game.smoke_grenade,
    "surveillance_camera": base_game.surveillance_camera,
    "taser": base_game.taser,
    "truth_serum": base_game.truth_serum,
    "walkie_talkie": base_game.walkie_talkie,
    "wiretap": base_game.wiretap,
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
