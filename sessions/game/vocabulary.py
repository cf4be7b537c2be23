"""The words that every game speaks: seats, moves, events, refusals and ends."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]
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


class Mark(msgspec.Struct, frozen=True):
    """A thing to remember of a game that has ended, such as how close it was, beside others of its kind.

    Of the marks whose events are of one kind, a book of many games tells the one with the highest ``rank``.
    The game's ``_highlight.jinja`` draws its event.
    """

    event: Event
    rank: int


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
