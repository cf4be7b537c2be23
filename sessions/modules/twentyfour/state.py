"""The contents of the box [TF-1], the options, and the whole state of a game.

Only ``view.py`` decides which parts a seat sees.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from sessions.game import Outcome, Seat
from sessions.game import Scene as AnyScene

Suit = Literal["red", "blue", "green", "yellow", "purple", "white"]
SUITS: tuple[Suit, ...] = get_args(Suit)
EventCard = Annotated[str, Meta(pattern=r"\A(?:red|blue|green|yellow|purple|white)-(?:2|3a|3b|4|6)\Z")]
_SUITS: dict[str, Suit] = {f"{one}-{number}": one for one in SUITS for number in ("2", "3a", "3b", "4", "6")}
EVENTS: tuple[str, ...] = tuple(_SUITS)
_VALUES = {card: int(card.partition("-")[2][0]) for card in EVENTS}
Detective = Literal["scotch", "wolf", "hibachi", "lloyd", "dokaben"]
DETECTIVES: tuple[Detective, ...] = get_args(Detective)  # by registration number
Action = Literal["0", "1", "2", "3", "4", "5", "6", "hero"]
HERO: Action = "hero"
ACTIONS: tuple[Action, ...] = ("0", "0", "1", "2", "3", "3", "4", "5", "6", "hero")
Dice = Literal["green", "red", "both"]
Rank = Literal["main", "sub"]
SIDES = 8
NPC = "npc"
Who = str  # a seat, or NPC
Phase = Literal["detectives", "place1", "place2", "challenge", "take", "discard", "style", "over"]
JUDGING: tuple[Phase, ...] = ("challenge", "take", "discard")
INCIDENTS = 5
SEASONS = 3


def suit(event: str) -> Suit:
    return _SUITS[event]


def value(event: str) -> int:
    return _VALUES[event]


def is_mastermind(event: str) -> bool:
    """True if this is a 黒幕, the 6 of its suit."""
    return value(event) == 6


def registration(detective: Detective) -> int:
    """Return a detective's registration number. [TF-1.2]"""
    return DETECTIVES.index(detective) + 1


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    detectives: Literal["choose", "random"] = "choose"  # [TF-2.1]


class Player(Struct):
    detective: Detective | None = None
    hand: list[Action] = []  # not placed yet
    first: list[Action] | None = None
    second: list[Action] | None = None
    shown: int = 0  # the number of second cards turned up
    stand: list[str] = []
    coop: list[str] = []
    gained: list[str] = []  # event cards of this season
    assists: int = 0
    damage: int = 0  # of this season
    hurt: bool = False
    dead: bool = False
    out: bool = False
    duty_vp: int = 0
    style: list[str] | None = None  # the cards for Stand, None until chosen


class Column(Struct):
    """The two event cards of an incident; None after they are gone."""

    main: str | None = None
    sub: str | None = None


class ChallengeRoll(Struct, frozen=True):
    """A challenge and its result."""

    season: int
    incident: int
    seat: Seat
    dice: Dice
    green: int | None
    red: int | None
    bonus: int
    damage: int
    prevented: int


class Judgement(Struct):
    """The incident being judged."""

    number: int
    main: str
    sub: str
    powers: dict[Who, int]  # of those present, with bonuses so far
    hero: Who | None  # the only one with a hero card here
    clash: list[Who]  # all with a hero card, if they are two or more
    deciders: list[Seat]  # those that may still decide, the first now
    challenges: list[ChallengeRoll] = []
    declined: list[Seat] = []


class Solved(Struct, frozen=True):
    """A finished incident: the takers of its cards, and the ties for a rank."""

    number: int
    main: str
    sub: str
    main_to: Who | None
    sub_to: Who | None
    tied_first: tuple[Who, ...]
    tied_second: tuple[Who, ...]


class VpOutcome(Outcome, frozen=True):
    """The winners, and the VP of all. [TF-10.3]"""

    vp: dict[Seat, int]


class State(Struct):
    seats: list[Seat]
    players: dict[Who, Player]  # the NPC too, once it has a detective
    pile: list[str]  # the first is on top
    layout: list[Column]
    options: Options
    phase: Phase = "detectives"
    season: int = 1
    discards: list[str] = []
    judgement: Judgement | None = None
    taker: Seat | None = None  # Hibachi, while choosing
    owing: Seat | None = None  # the seat that is hurt and has to choose a card
    dice: ChallengeRoll | None = None  # the last challenge of the game
    solved: list[Solved] = []  # of this season
    result: VpOutcome | None = None  # once the third season is over [TF-8.4, 10.3]


def everybody(state: State) -> list[Who]:
    """Return all players in seat order, and the NPC last."""
    return [*state.seats, NPC] if NPC in state.players else list(state.seats)


def present(state: State) -> list[Who]:
    """Return all who are not out of this season, the NPC included."""
    return [who for who in everybody(state) if not state.players[who].out]


def number_of(state: State, who: Who) -> int:
    """Return the registration number of a player's or the NPC's detective, which must be chosen."""
    detective = state.players[who].detective
    assert detective
    return registration(detective)


def has_skill(state: State, who: Who, detective: Detective) -> bool:
    """True if this is that detective with the skill at work: from season 2 on, never the NPC. [TF-9]"""
    return state.season > 1 and who != NPC and state.players[who].detective == detective


def hidden_row(state: State, column: int, row: str) -> bool:
    """True if an event card lies face down: column 5, or in season 3 the main row. [TF-3.2, 3.3, 4.2]"""
    if state.phase != "place1":
        return False
    return row == "main" if state.season == SEASONS else column == INCIDENTS - 1


class TwentyFourScene(AnyScene[State]):
    @property
    def judgement(self) -> Judgement:
        """The incident being judged. There must be one."""
        assert self.state.judgement
        return self.state.judgement
