"""The models of ``characters``. Import them from here, not from the files inside."""

from characters.models.creation import Creation, Draw
from characters.models.experience import ExperienceChecklist, ExperienceLine
from characters.models.faces import FacePicture
from characters.models.items import ItemPower
from characters.models.ledger import LedgerEntry
from characters.models.npcs import NpcRank
from characters.models.revisions import Revision
from characters.models.sheets import Character, Item, Skill

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
