"""The contract between a game and the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.fate import Fate

from .sheets import Sheets
from .vocabulary import BadTable, Digest, Event, GameFailed, Json, Mark, Move, Outcome, Seat

#: The number of this contract. It grows when a game that was right becomes wrong by a change here.
CONTRACT = 2
#: The contracts that games on the shelf may be written for; those before this one have an adapter.
SPOKEN = (1, CONTRACT)


class Seated(Protocol):
    """The part of a state that the engine itself reads."""

    seats: list[Seat]  # all who sit at the table now; a module's move may add one


S = TypeVar("S", bound=Seated)
M = TypeVar("M", bound=Move)


class OtherContract(ValueError):
    """A game was written for a contract that is not spoken here."""


def nothing_hidden(state: Any, seats: Collection[Seat], fate: Fate) -> None:
    """``resample`` of a game in which everything lies open: no state has a twin."""


def nothing_sealed(state: Any) -> Collection[int]:
    """``opened`` of a game that seals no events."""
    return ()


def no_silence(state: Any, seat: Seat) -> None:
    """``silence`` of a game in which every question waits for its answer."""


def no_names(view: Any) -> dict[str, str]:
    """People go by their own names."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Secrets(Generic[S]):
    """Secrets that last for a while, or that a GM may look into."""

    #: The numbers under which events were sealed that everybody may read by now.
    opened: Callable[[S], Collection[int]] = nothing_sealed
    #: For games whose moves draw cards in the end: given the states before and after a move, it returns the
    #: one after with all face down that came to a hand; None if nothing came that can be taken back. Screens
    #: are drawn from it for a few seconds (table/veil.py). The state before and the public part of the one
    #: after tell which cards these are; counts stay; and a move is accepted on it exactly if it is on the
    #: true state and names nothing that lies face down.
    veil: Callable[[S, S], S | None] | None = None
    #: The GM's move that tells of a look at a seat's hand, where a GM may look.
    peek: Callable[[Seat], Json] | None = None


@dataclass(frozen=True, kw_only=True)
class Bots(Generic[M]):
    """Players for empty seats. Each returns a move out of its seat's own view and legal moves.

    Where the legal moves are a sample, it may be any that the rules accept. Fate is for ties only. Every game
    has a bot that plays at random without this (engine/bots.py).
    """

    #: A beginner does not always beat it, and chance hardly ever.
    plain: Callable[[Any, Sequence[M], Fate], M] | None = None
    #: It beats ``plain`` measurably, and a test of the game says by how much.
    strong: Callable[[Any, Sequence[M], Fate], M] | None = None
    #: It plays the GM and the companions of a practice evening, or the others of a first game.
    script: Callable[[Any, Sequence[M], Fate], M] | None = None


@dataclass(frozen=True, kw_only=True)
class Cover:
    """A game as it looks on the shelf; without a cover it stands there by its name alone.

    The picture is ``static/tables/<key>/cover.svg``, 4 by 3, and good on light and dark ground; what is fun
    about the game says ``_about.jinja``.
    """

    #: The minutes that a game takes, from and to.
    minutes: tuple[int, int]
    #: How hard the game is to learn.
    difficulty: Literal[1, 2, 3]


@dataclass(frozen=True, kw_only=True)
class FirstGame(Generic[S]):
    """A newcomer's first five minutes with a game: a fixed deal, and scripts on all seats but the first.

    Nothing depends on it, no clock runs, and ``bots.script`` plays the others, whatever the newcomer does.
    ``_first_game.jinja`` has the words of each step, ``_first_game_over.jinja`` those of the end.
    """

    #: The number of players; the newcomer among them sits at ``p1``.
    players: int
    #: All its chance follows from this text: everybody is dealt the same cards, found by trying.
    deal: str
    #: The name of the step at which a view of the newcomer's seat stands.
    step: Callable[[Any], str]
    #: The name of the end that a state is, "" as long as the first game goes on.
    ends: Callable[[S], str]
    #: The options of its table.
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The kinds of tables of this game that can be opened."""

    #: True if there is a table whose chance is the same for everybody that day, and whose scores are kept.
    #: One person plays it on the first seat; on the others, as many as the game needs, sit its plain bots.
    daily: bool = False
    #: The score of a seat at the end, None where there is none. Without it the outcome has a ``score``.
    score: Callable[[Any, Seat], int | None] | None = None
    #: From the public events, how such a game went for a seat, in a line of signs that may be sent to people
    #: who have not played it: it tells nothing of what was dealt.
    signs: Callable[[Sequence[Event], Seat], str] | None = None
    #: The options that a campaign may set for all its tables.
    house_rules: Collection[str] = ()
    #: The options that no table has but in a practice evening or a rehearsal.
    trial_options: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Telling:
    """What is told of a game, in its log and afterwards."""

    #: What a report tells, from the public events and the options.
    digest: Callable[[Sequence[Event], Any], Digest] | None = None
    #: What a book of many games remembers of one, from a spectator's view of its end and the public events;
    #: of an old game there may be no events any more.
    marks: Callable[[Any, Sequence[Event]], Sequence[Mark]] | None = None
    #: By seat and id, how a view calls its figures, where they do not go by the names of people.
    names: Callable[[Any], dict[str, str]] = no_names
    #: The fields of moves in which people say something in their own words: no rule reads them.
    texts: Collection[str] = ()
    #: What happened since a player's own last act, shorter: from events that the player may read, in their
    #: order, events that ``_event.jinja`` draws, one a sentence. Without it the newest lines are told.
    gist: Callable[[Sequence[Event]], Sequence[Event]] | None = None
    #: The fields of the state that tell of the last moves alone, and no rule reads them either. A table that
    #: was played before its game had them lacks them, and its proof does not ask for them.
    fields: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Pace(Generic[S, M]):
    """The pace of a game where all who could break in are asked at once, and most have nothing to say."""

    #: The move that a seat makes that says nothing, e.g. a pass; None where silence is no answer. All who are
    #: asked have the same few seconds (table/silence.py), so it depends on nothing that anybody hides.
    silence: Callable[[S, Seat], M | None] = no_silence


@dataclass(frozen=True, kw_only=True)
class Study:
    """Answers to a designer's lab beyond those of every game.

    The lab sees whole states, as no player does. ``_study.jinja`` has the words: for ``kind`` alone, and for
    ``kind`` and ``value``.
    """

    #: The types of the moves by which seats choose what they play with. The lab lets chance make them, so
    #: that every choice is met alike.
    openings: Collection[str] = ()
    #: By kind and seat, what a seat has that may help it to win: ``{"detective": {"p1": ["wolf"]}}``.
    traits: Callable[[Any], Mapping[str, Mapping[Seat, Sequence[str]]]] | None = None
    #: The season, day or turn, from 1 on.
    chapter: Callable[[Any], int] | None = None
    #: What each seat has so far of what wins.
    standing: Callable[[Any], Mapping[Seat, float]] | None = None
    #: By a rule's id, whether an event shows that this rule decided something.
    rules: Mapping[str, Callable[[Event], bool]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class Module(Generic[S, M]):
    """The rules of one kind of table: plain functions on plain data.

    ``apply`` and ``resample`` change the state that they are given, which is a copy; every other function
    leaves it as it was.
    """

    def __new__(cls, *, contract: int, **fields: Any) -> Module[S, M]:
        # Before the fields are looked at: those of another contract have other names.
        if contract not in SPOKEN:
            spoken = " and ".join(map(str, SPOKEN))
            raise OtherContract(f"it is written for contract {contract}, and {spoken} are spoken here")
        return super().__new__(cls)

    #: The number of the contract that the game is written for.
    contract: int
    #: The name of the game's folders, addresses and words: small letters.
    key: str
    #: The numbers of players, a GM not counted.
    seats: range
    #: True if a seat "gm" comes on top, first in the list.
    gm: bool = False
    #: What can be chosen when a table is opened.
    options: type[msgspec.Struct]
    #: All of a game, hidden cards too. It has ``seats``.
    state: type[S]
    #: A union of Move subclasses, e.g. ``Lay | Concede``.
    move: Any

    #: The first deal, for these seats and options; BadTable for options that do not fit together.
    setup: Callable[[list[Seat], Any, Fate], S]
    #: The seats that have to move now: somebody until the end, unless there is a GM.
    waiting_for: Callable[[S], set[Seat]]
    #: Every move that the rules accept from a seat now, or a sample where there are too many.
    legal_moves: Callable[[S, Seat], list[M]]
    #: Carry out a move, or raise IllegalMove; returns what happened.
    apply: Callable[[S, Seat, M, Fate], list[Event]]
    #: The end, None before it.
    outcome: Callable[[S], Outcome | None]

    #: What a seat may know, None for a spectator: built up from nothing out of the state.
    view: Callable[[S, Seat | None], msgspec.Struct]
    #: What a seat is asked now and against what, None when nothing: a move made on an older version of the
    #: table is applied only if this has not changed. It holds nothing the seat may not know.
    asked: Callable[[S, Seat], Any]
    #: Turns a state into a twin: what none of these seats can see is dealt anew, and what any of them sees,
    #: is asked and may do stays byte for byte. It tells what a seat can know (engine/undo.py), and tests use
    #: it to find what leaks.
    resample: Callable[[S, Collection[Seat], Fate], None]

    secrets: Secrets[S] = Secrets()
    bots: Bots[M] = Bots()
    pace: Pace[S, M] = Pace()
    cover: Cover | None = None
    tables: Tables = Tables()
    first_game: FirstGame[S] | None = None
    telling: Telling = Telling()
    #: For a game that is played with character sheets.
    sheets: Sheets | None = None
    study: Study = Study()

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
