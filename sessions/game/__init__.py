"""All names that a game may import from Takujō, besides playing cards (``companion.cards``). Pure Python.

``docs/games.md`` explains each name. Everything else may change at any time.
"""

from companion.fate import Fate
from sessions.game.vocabulary import Scene, Sheets, allows, demand, kind_of, kinds, refusal

from .module import (
    CONTRACT,
    AnyModule,
    Bots,
    Cover,
    FirstGame,
    Module,
    OtherContract,
    Reactions,
    Seated,
    Secrets,
    Study,
    Tables,
    Telling,
    nothing_hidden,
    nothing_sealed,
)
from .vocabulary import BadTable, Digest, Event, GameFailed, IllegalMove, Json, Mark, Move, Outcome, Seat

__all__ = [
    "CONTRACT",
    "AnyModule",
    "BadTable",
    "Bots",
    "Cover",
    "Digest",
    "Event",
    "Fate",
    "FirstGame",
    "GameFailed",
    "IllegalMove",
    "Json",
    "Mark",
    "Module",
    "Move",
    "OtherContract",
    "Outcome",
    "Reactions",
    "Scene",
    "Seat",
    "Seated",
    "Secrets",
    "Sheets",
    "Study",
    "Tables",
    "Telling",
    "allows",
    "demand",
    "kind_of",
    "kinds",
    "nothing_hidden",
    "nothing_sealed",
    "refusal",
]
