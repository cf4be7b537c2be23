"""The types that every game uses: seats, moves, events, refusals and outcomes. Pure Python.

The second part has the functions for the types of moves and for refusals by the rules, the context of one
move, and the part of the contract for games that are played with character sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from companion.fate import Fate

Json = dict[str, Any]
Seat = str  # "p1" … "p8", and "gm" where the module has one
S = TypeVar("S")


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
    highlights; its ``_count.jinja`` renders the name of a count.
    """

    highlights: tuple[Event, ...] = ()
    counts: dict[Seat, dict[str, int]] = {}
    story: tuple[Event, ...] = ()


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
class Scene(Generic[S]):
    """The context of one move: the state that it changes, its randomness, and its events so far."""

    state: S
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
    #: The GM's checks among these events, each with ``label`` and ``chain``, and with ``difficulty`` and
    #: ``secret`` if the event has them.
    checks_called: Callable[[Sequence[Event]], list[Json]] = lambda events: []
