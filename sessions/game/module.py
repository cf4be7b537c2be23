"""The contract between a game and the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.fate import Fate
from sessions.game.vocabulary import (
    BadTable,
    Digest,
    Event,
    GameFailed,
    Json,
    Mark,
    Move,
    Outcome,
    Seat,
    Sheets,
)

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


def no_reaction_timeout(state: Any, seat: Seat) -> None:
    """``silence`` of a game in which every question waits until the seat answers."""


def no_names(view: Any) -> dict[str, str]:
    """``names`` of a game that calls all its figures by the names of their players."""
    return {}


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
    names: Callable[[Any], dict[str, str]] = no_names
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
    silence: Callable[[S, Seat], M | None] = no_reaction_timeout


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
