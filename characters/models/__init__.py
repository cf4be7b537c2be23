"""The models of ``characters``. Import them from here, not from the files inside."""

from characters.models.creation import Creation, Draw
from characters.models.experience import ExperienceChecklist, ExperienceLine, LedgerEntry, Revision
from characters.models.reference import ItemPower, NpcRank
from characters.models.sheets import Character, FacePicture, Item, Skill

__all__ = [
    "Character",
    "Creation",
    "Draw",
    "ExperienceChecklist",
    "ExperienceLine",
    "FacePicture",
    "Item",
    "ItemPower",
    "LedgerEntry",
    "NpcRank",
    "Revision",
    "Skill",
]
