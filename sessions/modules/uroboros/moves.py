"""The moves and their JSON. Ranges and patterns are checked before any rule sees a move."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from companion.cards import CARD_PATTERN, Suit
from companion.cards import Card as AnyCard
from sessions.engine.contract import Move

from .options import HP_LOWEST, Sheet

Card = Annotated[AnyCard, Meta(pattern=CARD_PATTERN)]
SeatId = Annotated[str, Meta(pattern=r"\A(?:gm|p[1-8])\Z")]
NpcId = Annotated[str, Meta(pattern=r"\An[1-9][0-9]{0,5}\Z")]
Who = Annotated[str, Meta(pattern=r"\A(?:p[1-8]|n[1-9][0-9]{0,5})\Z")]
Difficulty = Annotated[int, Meta(ge=0, le=5)]
Value = Annotated[int, Meta(ge=0, le=9)]
Count = Annotated[int, Meta(ge=1, le=10)]
Hp = Annotated[int, Meta(ge=HP_LOWEST, le=99)]
Label = Annotated[str, Meta(max_length=80, pattern=r"\A[^\x00]*\Z")]
Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\A[^\x00]*[^\s\x00][^\x00]*\Z")]


class GmMove(Move, frozen=True):
    """Base of the moves that are the GM's alone."""


class Call(GmMove, frozen=True, tag="call"):
    """Ask a seat, or the GM for an NPC, for a check. [UC-4.1]

    ``{"type": "call", "seat": "p1", "npc": null, "difficulty": 2, "label": "a high wall", "skill": false,
    "q": 0, "tool_missing": false, "chain": false}``
    """

    seat: SeatId
    npc: NpcId | None
    difficulty: Difficulty
    label: Label
    skill: bool
    q: Value
    tool_missing: bool
    chain: bool


class SetHp(GmMove, frozen=True, tag="set_hp"):
    """Damage or heal by the GM's word. ``{"type": "set_hp", "who": "p1", "hp": 2}`` [UC-10.6]"""

    who: Who
    hp: Hp


class Flip(GmMove, frozen=True, tag="flip"):
    """Turn a new field card from the deck. ``{"type": "flip"}``"""


class Deal(GmMove, frozen=True, tag="deal"):
    """Give extra cards, kept until the next adjusting. ``{"type": "deal", "seat": "p1", "count": 2}``"""

    seat: SeatId
    count: Count


class AddPlayer(GmMove, frozen=True, tag="add_player"):
    """Let a latecomer in. ``{"type": "add_player", "character": {"name": "Kei", "ca": 9}}`` [UC-3.5]"""

    character: Sheet


class Cancel(GmMove, frozen=True, tag="cancel"):
    """Break off the running task, or the rest of the adjusting. ``{"type": "cancel"}``"""


class End(GmMove, frozen=True, tag="end"):
    """End the table. ``{"type": "end"}``"""


class Play(Move, frozen=True, tag="play"):
    """Play a hand card; a joker names its suit. [UC-4.4, 4.5]

    ``{"type": "play", "card": "x01", "suit": "h"}``
    """

    card: Card
    suit: Suit | UnsetType = UNSET


class Draw(Move, frozen=True, tag="draw"):
    """山引: play the top card of the deck unseen. ``{"type": "draw"}`` [UC-4.6]"""


class NameSuit(Move, frozen=True, tag="name_suit"):
    """Name the suit of a joker that came by 山引. ``{"type": "name_suit", "suit": "h"}`` [UC-4.6]"""

    suit: Suit


class GiveUp(Move, frozen=True, tag="give_up"):
    """Fail without a card. ``{"type": "give_up"}`` [UC-4.7]"""


class Discard(Move, frozen=True, tag="discard"):
    """Lay surplus cards onto the field, the last one on top.

    ``{"type": "discard", "cards": ["h03", "s11"]}`` [UC-4.8]
    """

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=54)]


class Declare(Move, frozen=True, tag="declare"):
    """Say to all what one does. ``{"type": "declare", "text": "I climb the wall."}`` [UC-4.1]"""

    text: Text


AnyMove = (
    Call
    | SetHp
    | Flip
    | Deal
    | AddPlayer
    | Cancel
    | End
    | Play
    | Draw
    | NameSuit
    | GiveUp
    | Discard
    | Declare
)
