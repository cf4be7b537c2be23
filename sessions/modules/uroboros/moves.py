"""The moves and their JSON. Ranges and patterns are checked before any rule sees a move."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from companion.cards import CARD_PATTERN, Suit
from companion.cards import Card as AnyCard
from sessions.game import Move

from .state import HP_LOWEST, Name, PlayerSeat, Secrecy, Sheet, Skills, Suits
from .state import Value as ItemValue

Card = Annotated[AnyCard, Meta(pattern=CARD_PATTERN)]
SeatId = Annotated[str, Meta(pattern=r"\A(?:gm|p[1-8])\Z")]
NpcId = Annotated[str, Meta(pattern=r"\An[1-9][0-9]{0,5}\Z")]
Who = Annotated[str, Meta(pattern=r"\A(?:p[1-8]|n[1-9][0-9]{0,5})\Z")]
Difficulty = Annotated[int, Meta(ge=0, le=5)]
Value = Annotated[int, Meta(ge=0, le=9)]
Count = Annotated[int, Meta(ge=1, le=10)]
Days = Annotated[int, Meta(ge=1, le=99)]
Index = Annotated[int, Meta(ge=0, le=19)]  # of a weapon or a skill
Hp = Annotated[int, Meta(ge=HP_LOWEST, le=99)]
Label = Annotated[str, Meta(max_length=80, pattern=r"\A[^\x00]*\Z")]
Special = Annotated[str, Meta(max_length=200, pattern=r"\A[^\x00]*\Z")]
Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\A[^\x00]*\Z")]


class GmMove(Move, frozen=True):
    """Base of the moves that only the GM may make."""


class Action(Move, frozen=True):
    """Base of the moves that a seat makes without being asked."""


class Call(GmMove, frozen=True, tag="call", omit_defaults=True):
    """Call for a check, open or secret, by a player or by an NPC that the GM plays. [UC-4.1, 4.11]

    ``{"type": "call", "seat": "p1", "npc": null, "difficulty": 2, "label": "a high wall", "skill": false,
    "q": 0, "tool_missing": false, "chain": false, "secret": "own"}``
    """

    seat: SeatId
    npc: NpcId | None
    difficulty: Difficulty
    label: Label
    skill: bool
    q: Value
    tool_missing: bool
    chain: bool
    secret: Secrecy | None = None


class Party(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a contest. ``{"seat": "gm", "npc": "n1", "skill": false, "q": 0}``"""

    seat: SeatId
    npc: NpcId | None
    skill: bool
    q: Value


class Contest(GmMove, frozen=True, tag="contest"):
    """Set two sides against each other. [UC-6.1]

    ``{"type": "contest", "active": {"seat": "p1", "npc": null, "skill": false, "q": 0},
    "passive": {"seat": "gm", "npc": "n1", "skill": false, "q": 0}, "difficulty": 2, "label": "a race"}``
    """

    active: Party
    passive: Party
    difficulty: Difficulty
    label: Label


class Treat(GmMove, frozen=True, tag="treat"):
    """Ask a healer to treat a patient. [UC-10.2]

    ``{"type": "treat", "seat": "p1", "npc": null, "patient": "p2", "difficulty": 1, "skill": true, "q": 0}``
    """

    seat: SeatId
    npc: NpcId | None
    patient: Who
    difficulty: Difficulty
    skill: bool
    q: Value


class AnswerRaise(GmMove, frozen=True, tag="answer_raise"):
    """Allow or refuse a higher difficulty. ``{"type": "answer_raise", "allow": true}`` [UC-6.2]"""

    allow: bool


class AnswerInterrupt(GmMove, frozen=True, tag="answer_interrupt"):
    """Allow a seat's interrupt at a difficulty that the GM sets, or refuse it. [UC-9.1, 9.2]

    ``{"type": "answer_interrupt", "seat": "p1", "allow": true, "difficulty": 2, "skill": false, "q": 0}``,
    ``{"type": "answer_interrupt", "seat": "p1", "allow": false}``
    """

    seat: SeatId
    allow: bool
    difficulty: Difficulty | UnsetType = UNSET
    skill: bool | UnsetType = UNSET
    q: Value | UnsetType = UNSET

    def __post_init__(self) -> None:
        if any((field is not UNSET) is not self.allow for field in (self.difficulty, self.skill, self.q)):
            raise ValueError("difficulty, skill and q are there exactly when the interrupt is allowed")


class AddNpc(GmMove, frozen=True, tag="add_npc", omit_defaults=True):
    """Bring an NPC to the table; missing fields get the values of its rank. [UC-10.4]

    ``{"type": "add_npc", "name": "wolf", "rank": 3, "hp_max": 4, "suits": ["s"], "skills": ["bite"],
    "weapon": 1, "armour": 0, "hidden": true, "special": "sees in the dark"}``
    """

    name: Name
    rank: Annotated[int, Meta(ge=1, le=6)]
    hp_max: Annotated[int, Meta(ge=1, le=99)] | UnsetType = UNSET
    suits: Suits | UnsetType = UNSET
    skills: Skills | UnsetType = UNSET
    weapon: ItemValue | UnsetType = UNSET
    armour: ItemValue | UnsetType = UNSET
    hidden: bool = False
    special: Special = ""

    def __post_init__(self) -> None:
        if self.suits is not UNSET and len(set(self.suits)) < len(self.suits):
            raise ValueError("a favoured suit is named twice")


class RemoveNpc(GmMove, frozen=True, tag="remove_npc"):
    """Take an NPC off the table. ``{"type": "remove_npc", "npc": "n1"}`` [UC-10.4]"""

    npc: NpcId


class StartCombat(GmMove, frozen=True, tag="start_combat"):
    """Begin the first round. ``{"type": "start_combat"}`` [UC-8.1]"""


class EndCombat(GmMove, frozen=True, tag="end_combat"):
    """End the rounds. ``{"type": "end_combat"}`` [UC-8.1]"""


class EndTurn(GmMove, frozen=True, tag="end_turn"):
    """End the GM's own turn, or that of a player who does not act. ``{"type": "end_turn"}`` [UC-8.1]"""


class SetHp(GmMove, frozen=True, tag="set_hp"):
    """Damage or heal by the GM's ruling. ``{"type": "set_hp", "who": "p1", "hp": 2}`` [UC-10.6]

    ``by`` is the player who entered it in the GM's place.
    """

    who: Who
    hp: Hp
    by: PlayerSeat | None = None


class Flip(GmMove, frozen=True, tag="flip"):
    """Turn a new field card from the deck. ``{"type": "flip"}``"""


class Stack(GmMove, frozen=True, tag="stack"):
    """Choose the top card of the deck, in a rehearsal. ``{"type": "stack", "card": "h03"}`` [UC-12.1]"""

    card: Card


class Deal(GmMove, frozen=True, tag="deal"):
    """Give extra cards until the hand is next adjusted. ``{"type": "deal", "seat": "p1", "count": 2}``"""

    seat: SeatId
    count: Count


class Rest(GmMove, frozen=True, tag="rest"):
    """Let days go by: natural recovery 自然回復. ``{"type": "rest", "days": 1}`` [UC-10.1]"""

    days: Days


class AddPlayer(GmMove, frozen=True, tag="add_player"):
    """Let a latecomer in. ``{"type": "add_player", "character": {"name": "Kei", "ca": 9}}`` [UC-3.5]"""

    character: Sheet


class Cancel(GmMove, frozen=True, tag="cancel"):
    """Break off the running task, or the rest of adjusting hands 手札整理. ``{"type": "cancel"}``"""


class Reveal(GmMove, frozen=True, tag="reveal"):
    """Reveal the result of a secret check to everybody; ``number`` is that of its task. [UC-4.11]

    ``{"type": "reveal", "number": 12}``
    """

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Peek(GmMove, frozen=True, tag="peek"):
    """Look at a player's hand; everybody learns of it. ``{"type": "peek", "seat": "p1"}`` [UC-4.12]"""

    seat: PlayerSeat


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


class Stop(Move, frozen=True, tag="stop"):
    """End one's own chain. ``{"type": "stop"}`` [UC-5.2]"""


class Raise(Move, frozen=True, tag="raise"):
    """Ask to act at a higher difficulty. ``{"type": "raise", "difficulty": 4}`` [UC-6.2]"""

    difficulty: Difficulty


class Attack(Action, frozen=True, tag="attack", omit_defaults=True):
    """Attack in one's own combat turn; weapon and skill are indices in their lists, or null. [UC-8.2, 8.7]

    ``{"type": "attack", "npc": null, "target": "n1", "difficulty": 3, "weapon": 0, "skill": null,
    "chain": false, "text": "from the roof"}``
    """

    npc: NpcId | None
    target: Who
    difficulty: Annotated[int, Meta(ge=1, le=5)]
    weapon: Index | None
    skill: Index | None
    chain: bool
    text: Label = ""  # a description of the attack


class Observe(Action, frozen=True, tag="observe"):
    """様子を見る: discard one card and draw one, or just watch. [UC-8.4]

    ``{"type": "observe", "npc": null, "card": "h03"}``, ``{"type": "observe", "npc": null}``
    """

    npc: NpcId | None
    card: Card | None = None


class Support(Action, frozen=True, tag="support"):
    """援護: give a hand card to another player or the GM, saying what and how. [UC-8.5, 9.4]

    ``{"type": "support", "npc": null, "to": "p2", "card": "h03", "text": "I hold the ladder."}``
    """

    npc: NpcId | None
    to: SeatId
    card: Card
    text: Text


class Other(Action, frozen=True, tag="other"):
    """その他: a few seconds' action. ``{"type": "other", "npc": null, "text": "I shout."}`` [UC-8.6]"""

    npc: NpcId | None
    text: Text


class Interrupt(Action, frozen=True, tag="interrupt"):
    """割り込み: ask to step in. ``{"type": "interrupt", "npc": null, "text": "I throw sand."}`` [UC-9.1]"""

    npc: NpcId | None
    text: Text


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take one's own request back. ``{"type": "withdraw"}`` [UC-9.1]"""


class Declare(Action, frozen=True, tag="declare"):
    """Announce one's action to everybody. ``{"type": "declare", "text": "I climb the wall."}`` [UC-4.1]"""

    text: Text


CheckMove = Call | Contest | Treat | AnswerRaise | AnswerInterrupt
RulingMove = (
    AddNpc | RemoveNpc | SetHp | Flip | Stack | Deal | Rest | AddPlayer | Cancel | Reveal | Peek | End
)
CombatMove = StartCombat | EndCombat | EndTurn
AnswerMove = Play | Draw | NameSuit | GiveUp | Stop | Discard | Raise
ActionMove = Attack | Observe | Support | Other | Interrupt | Withdraw | Declare
AnyMove = CheckMove | RulingMove | CombatMove | AnswerMove | ActionMove
