"""All names that a game may import from Takujō, besides playing cards (``companion.cards``). Pure Python.

First come the types that every game uses, then the contract between a game and the rest of the program.
``docs/games.md`` explains each name. Everything else may change at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.fate import Fate

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
    "highlight_most",
    "kind_of",
    "kinds",
    "nothing_hidden",
    "nothing_sealed",
    "refusal",
]

Json = dict[str, Any]
Seat = str  # "p1" … "p8", and "gm" where the module has one
T = TypeVar("T")


class Move(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of every move; its JSON is {"type": tag, …exactly these fields}."""


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, for the log and for animations. ``to`` None means everybody.

    ``kind`` is a past participle; ``data`` is small and JSON-serializable. An event for some seats may be
    ``sealed`` under a number: everybody may read it once the game opens that number (``Secrets.opened``).
    """

    kind: str
    data: dict[str, Any] = {}
    to: tuple[Seat, ...] | None = None
    sealed: int | msgspec.UnsetType = msgspec.UNSET


class Outcome(msgspec.Struct, frozen=True):
    """The result of a table; a game may add fields in a subclass."""

    winners: tuple[Seat, ...]
    reason: str


class Digest(msgspec.Struct, frozen=True):
    """The part of a report that is about one table: its highlights, and counts by seat and name.

    ``story`` has the turning points in their order. The game's ``_highlight.jinja`` renders them and the
    highlights; its ``_count.jinja`` renders the name of a count. ``met`` has the names of the NPCs that came.
    """

    highlights: tuple[Event, ...] = ()
    counts: dict[Seat, dict[str, int]] = {}
    story: tuple[Event, ...] = ()
    met: tuple[str, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """A notable fact about a finished game, e.g. how close it was, that can be ranked among other games.

    Among marks whose events have the same kind, the overview of many games shows the one with the highest
    ``rank``. The game's ``_highlight.jinja`` renders its event.
    """

    event: Event
    rank: int


def highlight_most(kind: str, name: str, counts: Mapping[Seat, Mapping[str, int]]) -> list[Event]:
    """Return a highlight of this kind for the seat with most of a count; none on a tie."""
    most = max((mine[name] for mine in counts.values()), default=0)
    seats = [seat for seat, mine in counts.items() if mine[name] == most]
    return [Event(kind, {"seat": seats[0], "count": most})] if most and len(seats) == 1 else []


class IllegalMove(Exception):
    """The rules refuse this move now.

    ``code`` is stable, and the caller translates it. ``details`` may hold ``rule``, the id of the rule
    that refuses. Neither may depend on anything that is hidden from the seat.
    """

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code, self.details = code, details


class BadTable(ValueError):
    """A table cannot be opened with these seats or options."""


class GameFailed(ValueError):
    """A game raised an exception that it must not raise, or reached a state in which no seat can move."""

    def __init__(self, key: str, doing: str) -> None:
        super().__init__(f"the game {key} failed in {doing}")
        self.key, self.doing = key, doing


def kind_of(move: Move | type[Move]) -> str:
    """Return the ``type`` of a move in JSON."""
    return str(move.__struct_config__.tag)


def kinds(moves: Iterable[Move]) -> tuple[str, ...]:
    """Return the types of these moves in their order, without duplicates."""
    return tuple(dict.fromkeys(map(kind_of, moves)))


def demand(holds: object, code: str, rule: str, **details: Any) -> None:
    """Refuse the move unless the condition holds.

    :param rule: the id of the rule that demands it.
    :raises IllegalMove: ``code``, if the condition does not hold.
    """
    if not holds:
        raise IllegalMove(code, rule=rule, **details)


def refusal(check: Callable[..., object], *given: Any) -> str | None:
    """Call a check with these arguments; return the code of its refusal, None if it does not refuse."""
    try:
        check(*given)
    except IllegalMove as refused:
        return refused.code
    return None


def allows(check: Callable[..., object], *given: Any) -> bool:
    """True if a check does not refuse these arguments."""
    return refusal(check, *given) is None


@dataclass(frozen=True)
class Scene(Generic[T]):
    """The context of one move: the state that it changes, its randomness, and its events so far."""

    state: T
    fate: Fate
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, /, **data: Any) -> None:
        """Add an event for everybody."""
        self.events.append(Event(kind, data))

    def seal(self, number: int, to: tuple[Seat, ...], kind: str, /, **data: Any) -> None:
        """Add an event for some seats; everybody may read it once the state opens this number."""
        self.events.append(Event(kind, data, to, number))

    def whisper(self, to: Seat, kind: str, /, **data: Any) -> None:
        """Add an event for one seat."""
        self.events.append(Event(kind, data, (to,)))


@dataclass(frozen=True, kw_only=True)
class Sheets:
    """Functions that bring character sheets to a table, and write changes at the table back to the sheets.

    Moves are JSON, so that the module's decoder checks them: their names and numbers are user input.
    """

    #: The options of a table for these sheets.
    options: Callable[[Mapping[Seat, Json]], Json]
    #: The GM's move that seats a latecomer with a sheet.
    latecomer: Callable[[Json], Json]
    #: The seat that the events of such a move name. Raises ValueError if they seat no latecomer.
    seat_of: Callable[[Sequence[Event]], Seat]
    #: The characters of a view by seat. Each has a name, ``hp`` and ``hp_max``.
    characters: Callable[[Any], dict[Seat, Any]]
    #: The NPCs of a view by id, with the same fields.
    npcs: Callable[[Any], dict[str, Any]]
    #: The ids of the NPCs that these events added.
    npcs_added: Callable[[Sequence[Event]], list[str]]
    #: The number of favoured suits that the table chooses at random for an NPC of this rank.
    suits_drawn: Callable[[int], int]
    #: The GM's move that sets the HP of a figure; a seat is given if its player entered it for the GM.
    set_hp: Callable[[str, int, Seat | None], Json]
    #: By seat, the fields of a sheet that these events changed, with their values afterwards.
    after: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: The same fields, with their values before the events.
    before: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: The options with all texts of a seat's sheet replaced by a name.
    options_without: Callable[[Json, Seat, str], Json]
    #: A latecomer's move with all texts of its sheet replaced by a name.
    latecomer_without: Callable[[Json, str], Json]
    #: The GM's checks among these events, each with ``label`` and ``chain``, with ``difficulty`` and
    #: ``secret`` if the event has them, and with ``contest`` if it is one.
    checks_called: Callable[[Sequence[Event]], list[Json]] = lambda events: []


#: The number of this contract. It increases when a change here breaks games that were correct.
CONTRACT = 2


class Seated(Protocol):
    """The part of a state that the engine itself reads."""

    seats: list[Seat]  # the seats of the table now; a move of the game may add one


S = TypeVar("S", bound=Seated)
M = TypeVar("M", bound=Move)


class OtherContract(ValueError):
    """A game was written for a contract that is not supported here."""


def nothing_hidden(state: Any, seats: Collection[Seat], fate: Fate) -> None:
    """``resample`` of a game without hidden information: no state has a twin."""


def nothing_sealed(state: Any) -> Collection[int]:
    """``opened`` of a game that seals no events."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Secrets(Generic[S]):
    """Secrets that are revealed later, or that a GM may look at."""

    #: The numbers of the sealed events that everybody may read now (``Event.sealed``).
    opened: Callable[[S], Collection[int]] = nothing_sealed
    #: For games whose moves end with drawing cards. Given the states before and after a move, return the
    #: state after it with all cards face down that came to a hand; None if there are none, or if the move
    #: cannot be taken back. Screens are rendered from this masked state for a few seconds (undo_window.py).
    #: The state before and the public part of the state after must determine which cards are face down.
    #: Counts stay the same. A move is accepted on the masked state exactly if it is accepted on the true
    #: state and names no card that is face down.
    veil: Callable[[S, S], S | None] | None = None
    #: The GM's move that announces a look at a seat's hand; None if the GM may not look.
    peek: Callable[[Seat], Json] | None = None


@dataclass(frozen=True, kw_only=True)
class Bots(Generic[M]):
    """Players for empty seats. Each chooses a move from its seat's own view and legal moves.

    Where the legal moves are a sample, it may return any move that the rules accept. It uses Fate to break
    ties only. A game without these still has a bot that plays at random (engine/bots.py).
    """

    #: A bot that sometimes beats a beginner, and almost always beats random play.
    plain: Callable[[Any, Sequence[M], Fate], M] | None = None
    #: A bot that beats ``plain`` measurably; a test of the game says by how much.
    strong: Callable[[Any, Sequence[M], Fate], M] | None = None
    #: A bot that plays the GM and the companions in a practice session, or the other seats in a first game.
    script: Callable[[Any, Sequence[M], Fate], M] | None = None


@dataclass(frozen=True, kw_only=True)
class Cover:
    """A game's entry in the list of games; without a cover the list shows its name alone.

    The picture is ``static/tables/<key>/cover.svg``: 4 by 3, and readable on a light and a dark background.
    ``_about.jinja`` tells people why the game is fun.
    """

    #: The shortest and the longest duration of a game, in minutes.
    minutes: tuple[int, int]
    #: How hard the game is to learn.
    difficulty: Literal[1, 2, 3]


@dataclass(frozen=True, kw_only=True)
class FirstGame(Generic[S]):
    """A newcomer's first five minutes with a game: a fixed deal, and scripts on all seats but the first.

    Its result counts nowhere, and no clock runs. The ``script`` of its ``bots`` plays the other seats, and
    must have an answer to every move of the newcomer. ``_first_game.jinja`` has the text of each step,
    ``_first_game_over.jinja`` the text of the end.
    """

    #: The number of players. The newcomer is one of them, at ``p1``.
    players: int
    #: The text from which all randomness is derived, so that everybody is dealt the same cards. The author
    #: of the game finds it by trying.
    deal: str
    #: The name of the current step, given a view of the newcomer's seat.
    step: Callable[[Any], str]
    #: The name of the end that a state has reached, "" while the first game goes on.
    ends: Callable[[S], str]
    #: The options of its table.
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The kinds of tables of this game that can be opened."""

    #: True if there is a game of the day: its randomness is the same for everybody that day, and its scores
    #: are kept. One person plays on the first seat; plain bots play the other seats that the game needs.
    daily: bool = False
    #: The score of a seat at the end, None if it has none. Without this function the outcome has a ``score``.
    score: Callable[[Any, Seat], int | None] | None = None
    #: Summarize the public events of a game of the day for a seat, in one line of signs. People send this
    #: line to others who have not played it yet, so it must not reveal the deal.
    signs: Callable[[Sequence[Event], Seat], str] | None = None
    #: The options that a campaign may set for all its tables.
    house_rules: Collection[str] = ()
    #: The options that only the tables of a practice session or a rehearsal may have.
    trial_options: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Telling:
    """The texts and summaries of a game, in its log and afterwards."""

    #: The part of a report about a table, from its public events and its options.
    digest: Callable[[Sequence[Event], Any], Digest] | None = None
    #: The notable facts of a finished game for the overview of many games, from a spectator's view of its
    #: end and the public events. The events of an old game may have been deleted.
    marks: Callable[[Any, Sequence[Event]], Sequence[Mark]] | None = None
    #: The names of a view's figures by seat or id, where they differ from the names of their players.
    names: Callable[[Any], dict[str, str]] = lambda view: {}
    #: The fields of moves that hold text in people's own words. No rule reads them.
    texts: Collection[str] = ()
    #: Shorten the events since a player's own last move. The function is given the events that the player may
    #: read, in their order, and returns events that ``_event.jinja`` renders as one sentence each. Without it
    #: the newest lines of the log are shown.
    gist: Callable[[Sequence[Event]], Sequence[Event]] | None = None
    #: The fields of the state that only describe the last moves. No rule reads them. A table that was played
    #: before its game had such a field lacks it, and the table's proof ignores these fields.
    fields: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Reactions(Generic[S, M]):
    """The reaction timeout of a game that asks all seats at once whether they react, and most do not."""

    #: The move that a seat makes if it does not answer, e.g. a pass; None where it must answer. All seats
    #: that are asked have the same few seconds (table/bots.py), so it must not depend on hidden
    #: information.
    silence: Callable[[S, Seat], M | None] = lambda state, seat: None


@dataclass(frozen=True, kw_only=True)
class Study:
    """Data for the designer's lab, beyond the data that the lab has for every game.

    The lab sees whole states, including hidden cards. ``_study.jinja`` has the labels: for ``kind`` alone,
    and for ``kind`` and ``value``.
    """

    #: The types of the moves by which seats choose what they play with, e.g. items. The lab can make these
    #: moves at random, so that every choice occurs equally often.
    openings: Collection[str] = ()
    #: The traits of each seat that may help it to win, by kind and seat: ``{"detective": {"p1": ["wolf"]}}``.
    traits: Callable[[Any], Mapping[str, Mapping[Seat, Sequence[str]]]] | None = None
    #: The number of the season, day or turn, counted from 1.
    chapter: Callable[[Any], int] | None = None
    #: The progress of each seat towards winning, e.g. its points so far.
    standing: Callable[[Any], Mapping[Seat, float]] | None = None
    #: By rule id, a test whether an event shows that this rule had an effect.
    rules: Mapping[str, Callable[[Event], bool]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class Module(Generic[S, M]):
    """The rules of one game: plain functions on plain data.

    ``apply`` and ``resample`` change the state that they are given, which is a copy. No other function
    changes a state.
    """

    def __new__(cls, *, contract: int, **fields: Any) -> Module[S, M]:
        # Check this before the fields, because other contracts have other field names.
        if contract != CONTRACT:
            raise OtherContract(f"it is written for contract {contract}, and this Takujō has {CONTRACT}")
        return super().__new__(cls)

    #: The number of the contract that the game is written for.
    contract: int
    #: The name of the game in folders, addresses and translation contexts, in lowercase letters.
    key: str
    #: The possible numbers of players, not counting a GM.
    seats: range
    #: True if there is an additional seat "gm", the first in the list.
    gm: bool = False
    #: The choices that people have when they open a table.
    options: type[msgspec.Struct]
    #: The whole state of a game, including hidden cards. It has ``seats``.
    state: type[S]
    #: A union of Move subclasses, e.g. ``Lay | Concede``.
    move: Any

    #: Deal the first cards for these seats and options. Raises BadTable if the options contradict each other.
    setup: Callable[[list[Seat], Any, Fate], S]
    #: The seats that have to move now. Without a GM there is at least one until the end.
    waiting_for: Callable[[S], set[Seat]]
    #: All moves that the rules accept from a seat now, or a sample if there are too many.
    legal_moves: Callable[[S, Seat], list[M]]
    #: Carry out a move and return its events, or raise IllegalMove.
    apply: Callable[[S, Seat, M, Fate], list[Event]]
    #: The outcome of the game, None before its end.
    outcome: Callable[[S], Outcome | None]

    #: The view of a seat, None being a spectator. It starts empty and adds only what the seat may know.
    view: Callable[[S, Seat | None], msgspec.Struct]
    #: The question that a seat has to answer now and the facts that it depends on; None if there is none.
    #: A move made on an older version of the table is applied only if this value is unchanged. It must not
    #: contain anything that is hidden from the seat.
    asked: Callable[[S, Seat], Any]
    #: Turn a state into a twin that these seats cannot tell from it: deal again everything that none of them
    #: can see, and keep their views, questions and legal moves the same to the byte. Undo uses twins to find
    #: out what a seat can know (engine/undo.py), and tests use them to find leaks.
    resample: Callable[[S, Collection[Seat], Fate], None]

    secrets: Secrets[S] = Secrets()
    bots: Bots[M] = Bots()
    pace: Reactions[S, M] = Reactions()
    cover: Cover | None = None
    tables: Tables = Tables()
    first_game: FirstGame[S] | None = None
    telling: Telling = Telling()
    #: The functions for character sheets, if the game is played with them.
    sheets: Sheets | None = None
    study: Study = Study()

    def load(self, snapshot: bytes) -> S:
        """Decode a snapshot into a new state object.

        :raises GameFailed: the game cannot read it (any more).
        """
        try:
            return self._snapshots.decode(snapshot)
        except ValueError as problem:
            raise GameFailed(self.key, "reading a state") from problem

    @cached_property
    def _snapshots(self) -> msgspec.json.Decoder[S]:
        return msgspec.json.Decoder(self.state)

    @cached_property
    def moves(self) -> msgspec.json.Decoder[Any]:
        """The decoder of this game's moves, cached because creating it takes longer than decoding a move."""
        return msgspec.json.Decoder(self.move)

    def seat_list(self, players: int) -> list[Seat]:
        """Return the seats of a table for this number of players, in the table's order.

        :raises BadTable: the game does not support this number of players.
        """
        if players not in self.seats:
            raise BadTable(f"{self.key} is for {self.seats.start} to {self.seats.stop - 1} players")
        return [*(["gm"] if self.gm else []), *(f"p{n}" for n in range(1, players + 1))]


AnyModule = Module[Any, Any]
