"""The state of the card table, and its options.

The options are the ladder 難易度表, the jokers, and the characters as plain values. Only ``view.py``
decides which seat sees which part.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from companion.cards import Card, Suit
from sessions.game import Scene as AnyScene
from sessions.game import Seat

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\A[^\x00]*\Z")]
Value = Annotated[int, Meta(ge=0, le=8)]
Suits = Annotated[tuple[Suit, ...], Meta(max_length=3)]
Skills = Annotated[tuple[Name, ...], Meta(max_length=20)]
PlayerSeat = Annotated[str, Meta(pattern=r"\Ap[1-8]\Z")]
HP_LOWEST = -99
GM: Seat = "gm"
TaskKind = Literal["check", "chain", "contest", "attack", "treat", "interrupt"]
Stage = Literal["play", "active", "raise", "passive", "attack", "defend", "name", "discard"]
#: Whether only the GM knows a secret check's difficulty and result, or its own player too. [UC-4.11]
Secrecy = Literal["gm", "own"]
#: A card of a masked state: it counts as a card, but its identity is hidden.
FACE_DOWN: Card = "?"


class Rung(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the ladder: when a card succeeds at this level. [UC-4.2]"""

    flip: bool  # the top card of the deck is first turned onto the field
    link: Literal["any", "colour", "suit", "near"]
    near: Annotated[int, Meta(ge=0, le=12)]


STANDARD_LADDER = (
    Rung(False, "any", 0),
    Rung(False, "colour", 0),
    Rung(False, "suit", 0),
    Rung(True, "near", 5),
    Rung(True, "near", 2),
    Rung(True, "near", 0),
)


class GearItem(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon or a tool with its value 性能値."""

    name: Name
    value: Value


Items = Annotated[tuple[GearItem, ...], Meta(max_length=20)]


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A character as it comes to the table; fields that are left out have default values."""

    name: Name | UnsetType = UNSET
    ca: Annotated[int, Meta(ge=0, le=99)] = 8
    hp_max: Annotated[int, Meta(ge=1, le=20)] = 3
    hp: Annotated[int, Meta(ge=HP_LOWEST, le=20)] | None = None
    suits: Suits = ()
    skills: Skills = ()
    weapons: Items = ()
    armour: Value | None = None
    shield: Value | None = None
    tools: Items = ()

    def __post_init__(self) -> None:
        if self.hp is not None and self.hp > self.hp_max:
            raise ValueError("hp is above hp_max")
        if len(set(self.suits)) < len(self.suits):
            raise ValueError("a favoured suit is named twice")


class Practice(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts that the script of a practice session uses. [UC-12.2]"""

    check: Name  # the newcomer's attempt
    foe: Name
    bite: Name  # the foe's skill
    help: Name  # the companion's words when giving a card away


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    jokers: Literal[1, 2] = 2
    ladder: Annotated[tuple[Rung, ...], Meta(min_length=6, max_length=6)] = STANDARD_LADDER
    characters: dict[PlayerSeat, Sheet] = {}
    practice: Practice | None = None  # a practice session: the script in bot.py plays the GM and p2 [UC-12.2]
    rehearsal: bool = False  # a GM's rehearsal: the GM may stack the deck [UC-12.1]


class Hand(Struct):
    """The cards of one seat in order of arrival, and its exceptions for adjusting."""

    cards: list[Card] = []
    extra: int = 0  # cards above the limit that may stay, by support [UC-8.5]
    owes: bool = False  # no refill until the end of the next own action [UC-8.7, 9.3]

    @property
    def visible_cards(self) -> list[Card]:
        return [card for card in self.cards if card != FACE_DOWN]


class CharacterState(Struct):
    name: str
    ca: int
    hp_max: int
    hp: int
    suits: tuple[Suit, ...]
    skills: tuple[str, ...]
    weapons: tuple[GearItem, ...]
    armour: int | None
    shield: int | None
    tools: tuple[GearItem, ...]


class NpcState(Struct):
    """A figure the GM plays from the one GM hand. [UC-10.4, 10.5]"""

    id: str
    name: str
    rank: int
    hp: int
    hp_max: int
    suits: tuple[Suit, ...]
    skills: tuple[str, ...]
    weapon: int
    armour: int
    hidden: bool
    acted: bool = False
    special: str = ""  # 特殊能力 in words, for the GM alone


class Side(Struct):
    """One side of a task: the figure that checks, its help, and the cards that it has played so far."""

    seat: Seat
    npc: str | None
    skill: bool = False
    q: int = 0
    asked: bool = False
    cards: list[Card] = []
    successes: int = 0
    drew: bool = False  # the card came by 山引


class Link(Struct, frozen=True):
    """A card of the chain, and how it fits the card before it."""

    card: Card
    suit: Suit | None = None  # the suit that a joker stands for
    played: bool = False  # false: turned up or discarded, without a verdict
    by: str = ""  # the bond of a played card with the one before, "" if there is none; see checks.Bond
    gap: int | None = None


class Task(Struct):
    """A check, or a task that is made of checks, from its announcement until it is decided."""

    kind: TaskKind
    stage: Stage
    sides: list[Side]  # the acting side first
    difficulty: int
    level: int
    label: str = ""
    target: str | None = None  # passive side, defender or patient
    chain: bool = False
    number: int = 0
    turned: bool = False  # a card was turned; at most once a task
    now: int = 0  # the index of the side to move
    touched: list[Seat] = []  # the seats whose HP was set during the task; they adjust afterwards
    raise_to: int | None = None  # the one raise that was asked for, granted or not [UC-6.2]
    text: str = ""  # the description of an attack [UC-8.2]
    secrecy: Secrecy | None = None  # of a secret check [UC-4.11]
    face_down: list[Link] = []  # the target of a secret check, and the card laid


class TaskResult(Struct, frozen=True):
    """The outcome of a decided task; public."""

    kind: TaskKind
    seat: Seat
    npc: str | None
    difficulty: int
    card: Card | None
    success: bool
    count: int | None
    damage: int | None
    target: str | None


class SecretCheck(Struct):
    """A secret check that is decided and not revealed. [UC-4.11]"""

    number: int  # the task's
    secrecy: Secrecy
    deed: str
    result: TaskResult
    links: list[Link]  # the target and the card; empty if it was given up
    drew: bool  # the card came by 山引
    lies: bool  # the card is in the pile, under the field card


class Beat(Struct, frozen=True):
    """A consequence of a move besides its result: a figure fell or rose, the last foe fell, a joker came.

    ``secret`` and ``revealed`` are about a secret check that was decided or revealed. The ``who`` of a
    ``round`` is the seat with its first turn; that of ``ended`` is the GM.
    """

    kind: Literal["fell", "rose", "last_foe", "joker", "secret", "revealed", "round", "ended"]
    who: str


class HpChange(Struct, frozen=True):
    who: str
    was: int
    hp: int
    hp_max: int


class Cue(Struct):
    """The animation that everybody sees after a move: a card that was played, a result, beats."""

    number: int  # grows from one moment to the next
    seat: Seat | None = None
    npc: str | None = None
    deed: str = ""
    links: list[Link] = []  # the card that was played, after the one before it; empty if none was played
    count: int | None = None  # the fitting cards of a chain so far
    result: TaskResult | None = None  # None while the task goes on
    beats: list[Beat] = []
    changes: list[HpChange] = []  # the HP that a hit, a treatment, a fall or a rescue changed
    helpers: list[Seat] = []  # the players who can still treat the fallen player
    treated: bool = False  # no player can, because the fallen player was treated today [UC-10.2]
    round: int | None = None  # the round that begins
    ring: list[Link] = []  # the chain when the last foe falls; at the end, the longest run


class RecentMoves(Struct):
    """A record of the last moves for the screens. No rule reads it."""

    moves: int = 0
    chain: list[Link] = []  # the last cards laid, the field card last
    run: list[Link] = []  # the cards played since the last one that did not fit, the field card last
    best: list[Link] = []  # the longest run of the table
    moment: Cue | None = None
    deeds: dict[str, str] = {}  # the descriptions of the running tasks, by task number
    deed: str = ""  # the description of the newest result
    peeked: list[Seat] = []  # the seats whose hands the GM has looked at since their last move


class InterruptRequest(Struct, frozen=True):
    """An open request to interrupt. [UC-9.1]"""

    seat: Seat
    npc: str | None
    text: str


class Combat(Struct):
    """Rounds in seating order, the GM last. [UC-8.1]"""

    round: int
    turn: Seat
    npc_acted: bool = False  # in this turn of the GM
    stays: bool = False  # a player did something else 「その他」 and waits for the GM [UC-8.6]
    done: bool = False  # the turn passes once no seat is asked any more


class State(Struct):
    seats: list[Seat]
    seating: list[Seat]  # the players, by ascending CA from the GM's left
    ladder: tuple[Rung, ...]
    characters: dict[Seat, CharacterState]
    hands: dict[Seat, Hand]
    deck: list[Card]  # the first is on top
    pile: list[Card] = []  # the last is the field card 場札
    field_suit: Suit | None = None  # the named suit when the field card is a joker
    npcs: list[NpcState] = []
    npc_ids: int = 0  # the number of ids given out
    task: Task | None = None
    under: Task | None = None  # the task an interrupt interrupts
    adjusting: list[Seat] = []  # the seats that still adjust; the first is asked to discard
    task_number: int = 0
    results: list[TaskResult] = []
    result_text: str = ""  # how the attack of the newest result was made [UC-8.2]
    requests: list[InterruptRequest] = []
    declared: dict[Seat, str] = {}
    combat: Combat | None = None
    treated: list[str] = []  # seats and NPC ids treated today [UC-10.2]
    ended: bool = False
    practice: Practice | None = None
    rehearsal: bool = False
    secrets: list[SecretCheck] = []  # decided, and not revealed [UC-4.11]
    opened: list[int] = []  # the tasks whose secret results have been revealed
    told: RecentMoves = field(default_factory=RecentMoves)


Scene = AnyScene[State]
