"""The contract between a table module and the rest of the program. Pure Python, no Django."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.fate import Fate

Seat = str  # "p1" … "p8", and "gm" where the module has one


class Move(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of every move; its JSON is {"type": tag, …exactly these fields}."""


class Event(msgspec.Struct, frozen=True):
    """One line of what happened, for the log and for animation. ``to`` None means everybody.

    ``kind`` is a past participle, ``data`` small and JSON-able. An event that is not for everybody may be
    ``sealed`` under a number: once the state has it among those that are opened, it is for everybody.
    """

    kind: str
    data: dict[str, Any] = {}
    to: tuple[Seat, ...] | None = None
    sealed: int | msgspec.UnsetType = msgspec.UNSET


class Outcome(msgspec.Struct, frozen=True):
    """The end of a table; a module may add fields in a subclass."""

    winners: tuple[Seat, ...]
    reason: str


class Digest(msgspec.Struct, frozen=True):
    """The part of a report that is about one table: moments worth telling, and counts by seat and name.

    ``story`` has the turning points in their order. They and highlights are drawn by the game's
    ``_highlight.jinja``, the name of a count by its ``_count.jinja``.
    """

    highlights: tuple[Event, ...] = ()
    counts: dict[Seat, dict[str, int]] = {}
    story: tuple[Event, ...] = ()


class IllegalMove(Exception):
    """The rules refuse this move now.

    ``code`` is stable and translated by the caller. ``details`` may hold ``rule``, the id of the rule
    that refuses. Neither may depend on what the seat cannot know.
    """

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code, self.details = code, details


class BadTable(ValueError):
    """A table cannot be opened with these seats or options."""


class GameFailed(ValueError):
    """A game raised what it may not, or led its table to where nobody can play on."""

    def __init__(self, key: str, doing: str) -> None:
        super().__init__(f"the game {key} failed in {doing}")
        self.key, self.doing = key, doing


class Seated(Protocol):
    """The part of a state that the engine itself reads."""

    seats: list[Seat]  # all who sit at the table now; a module's move may add one


S = TypeVar("S", bound=Seated)
M = TypeVar("M", bound=Move)
Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Sheets:
    """The ways in which character sheets come to a table, and in which the table writes back on them.

    Moves are given as JSON, for the module's decoder to check: a name or a number may come from anywhere.
    """

    #: The options of a table for these sheets.
    options: Callable[[Mapping[Seat, Json]], Json]
    #: The GM's move that seats a latecomer with a sheet, and the seat that its events name.
    latecomer: Callable[[Json], Json]
    seat_of: Callable[[Sequence[Event]], Seat]  # ValueError: they seat nobody
    #: The characters of a view by seat, and its NPCs by id. Each has a name, ``hp`` and ``hp_max``.
    characters: Callable[[Any], dict[Seat, Any]]
    npcs: Callable[[Any], dict[str, Any]]
    #: The ids of the NPCs that came by these events.
    npcs_added: Callable[[Sequence[Event]], list[str]]
    #: The number of favoured suits that the table itself draws for an NPC of a rank.
    suits_drawn: Callable[[int], int]
    #: The GM's move that sets the HP of a figure, maybe for the player who wrote it down.
    set_hp: Callable[[str, int, Seat | None], Json]
    #: By seat, the fields of a sheet as they are after these events, and as they were before them.
    after: Callable[[Sequence[Event]], dict[Seat, Json]]
    before: Callable[[Sequence[Event]], dict[Seat, Json]]
    #: Options, and a latecomer's move, in which a name stands for all that a player wrote on their sheet.
    options_without: Callable[[Json, Seat, str], Json]
    latecomer_without: Callable[[Json, str], Json]


@dataclass(frozen=True, kw_only=True)
class Cover:
    """The shelf's words for a game: how many minutes one takes, and how hard it is to learn.

    Its picture is ``static/tables/<key>/cover.svg``, 4 by 3, and good on light and dark ground; what is fun
    about the game says ``_about.jinja``.
    """

    minutes: tuple[int, int]
    difficulty: Literal[1, 2, 3]


@dataclass(frozen=True, kw_only=True)
class Study:
    """A game's answers to a designer's lab beyond those of every game; any part may be missing.

    ``openings`` are the types of the moves by which seats choose what they play with; the lab lets chance
    make them, so that every choice is met alike. ``traits`` tells of a state, by kind and seat, what a seat
    has that may help it to win: ``{"detective": {"p1": ["wolf"]}}``. ``chapter`` is the season, day or turn,
    from 1 on, and ``standing`` what each seat has so far of what wins. ``rules`` tells by a rule's id whether
    an event shows that this rule decided something.

    The lab sees whole states, as no player does. ``_study.jinja`` has the words: for ``kind`` alone, and for
    ``kind`` and ``value``.
    """

    openings: Collection[str] = ()
    traits: Callable[[Any], Mapping[str, Mapping[Seat, Sequence[str]]]] | None = None
    chapter: Callable[[Any], int] | None = None
    standing: Callable[[Any], Mapping[Seat, float]] | None = None
    rules: Mapping[str, Callable[[Event], bool]] = field(default_factory=dict)


def nothing_hidden(state: Any, seats: Collection[Seat], fate: Fate) -> None:
    """``resample`` of a game in which everything lies open: no state has a twin."""


def nothing_sealed(state: Any) -> Collection[int]:
    """``opened`` of a game that seals no events."""
    return ()


def no_names(view: Any) -> dict[str, str]:
    """People go by their own names."""
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Module(Generic[S, M]):
    """The rules of one kind of table: plain functions on plain data.

    ``apply`` changes the state it is given or raises IllegalMove; whoever calls it hands over a copy
    (see step.py, which also refuses strangers and moves after the end). ``resample`` changes its state too;
    every other function leaves it as it was. ``setup`` may raise BadTable for options that do not fit
    together.

    ``asked`` says what a seat is asked now and against what, None when nothing: a move made on an older
    version of the table is applied only if this has not changed. It holds nothing the seat may not know.

    ``resample`` turns a state into a twin: what none of the given seats can see is dealt anew, and what any
    of them sees, is asked and may do stays byte for byte. It tells what a seat can know (see undo.py), and
    the tests use it to find what leaks.

    ``bot`` plays a seat for somebody: out of that seat's own view and its legal moves it returns one of
    them (where they are a sample, any that the rules accept), with fate only for ties. Every module has a
    random one without this (see bots.py). ``strong_bot`` is the same at a higher level: it beats ``bot``
    measurably, and a test of the module says by how much.

    ``script`` plays the GM and companions of a practice evening, out of what each of them sees.

    ``digest`` makes what a report tells from the public events and the options; a module may do without.

    ``daily`` offers a table whose chance is the same for everybody that day, and keeps one's best scores: the
    outcome has a ``score`` then, None where there is none.

    ``house_rules`` are the options that a campaign may set for all its tables. ``names`` tells by seat and id
    how a view calls its figures, where it does. A module that plays with character sheets has ``sheets``.

    ``cover`` is how the game looks on the shelf; without one it stands there by its name alone.

    ``opened`` are the numbers under which events were sealed that everybody may read by now. ``peek`` is the
    GM's move that tells of a look at a seat's hand, where a GM may look.

    ``texts`` are the fields of moves in which people say something in their own words: no rule reads them.

    ``veil`` is for games whose moves draw cards in the end: given the states before and after a move, it
    returns the one after with all face down that came to a hand, None if nothing came that can be taken back.
    Screens are drawn from it for a few seconds (table/veil.py). The state before and the public part of the
    one after tell which cards these are; counts stay; and a move is accepted on it exactly if it is on the
    true state and names nothing that lies face down.

    ``trial_options`` are options that no table has but in a practice evening or a rehearsal.

    ``telling`` are the fields of the state that only tell of the last moves, and no rule reads them either.
    A table that was played before its game had them lacks them, and its proof does not ask for them.

    ``study`` is what the designer's lab may ask besides.
    """

    key: str
    seats: range  # the numbers of players, a gm not counted
    gm: bool = False  # a seat "gm" comes on top, first in the list
    options: type[msgspec.Struct]
    state: type[S]
    move: Any  # a union of Move subclasses, e.g. ``Lay | Concede``

    setup: Callable[[list[Seat], Any, Fate], S]
    waiting_for: Callable[[S], set[Seat]]
    legal_moves: Callable[[S, Seat], list[M]]
    apply: Callable[[S, Seat, M, Fate], list[Event]]
    view: Callable[[S, Seat | None], msgspec.Struct]
    asked: Callable[[S, Seat], Any]
    outcome: Callable[[S], Outcome | None]
    resample: Callable[[S, Collection[Seat], Fate], None]
    digest: Callable[[Sequence[Event], Any], Digest] | None = None
    bot: Callable[[Any, Sequence[M], Fate], M] | None = None
    strong_bot: Callable[[Any, Sequence[M], Fate], M] | None = None
    script: Callable[[Any, Sequence[M], Fate], M] | None = None
    daily: bool = False
    house_rules: Collection[str] = ()
    names: Callable[[Any], dict[str, str]] = no_names
    sheets: Sheets | None = None
    cover: Cover | None = None
    texts: Collection[str] = ()
    telling: Collection[str] = ()
    study: Study = Study()
    trial_options: Collection[str] = ()
    opened: Callable[[S], Collection[int]] = nothing_sealed
    peek: Callable[[Seat], Json] | None = None
    veil: Callable[[S, S], S | None] | None = None

    def load(self, snapshot: bytes) -> S:
        """Return the state that ``snapshot`` holds, a fresh copy each time.

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
        """The reader of this module's moves; making one takes longer than reading a move."""
        return msgspec.json.Decoder(self.move)

    def seat_list(self, players: int) -> list[Seat]:
        """Return the seats of a table with so many players, in the table's order.

        :raises BadTable: this module is not for so many.
        """
        if players not in self.seats:
            raise BadTable(f"{self.key} is for {self.seats.start} to {self.seats.stop - 1} players")
        return [*(["gm"] if self.gm else []), *(f"p{n}" for n in range(1, players + 1))]


AnyModule = Module[Any, Any]
