"""The types that every game uses: seats, moves, events, refusals and outcomes."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]
Seat = str  # "p1" … "p8", and "gm" where the module has one


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
