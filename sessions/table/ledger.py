"""Disclosure: which lines of a table's log have been shown to the seats that may read them.

Pages, files, pushes, reports and replays read the log through this module, never from the rows.

A public line is shown with its move. So is a private one, unless the move is in its undo window (veil.py):
then it is shown when the window ends, by time, by the next move or by the mover. If the move is taken back in
its window, its private lines are never shown: the cards that they name are back on the deck. The row that
took it back records this (``Move.unseen``). Only readers that reveal everything after the session show them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import msgspec
from msgspec.structs import replace as struct_with

from sessions.engine.history import History
from sessions.engine.shelf import registry
from sessions.game import Event, nothing_sealed
from sessions.models import Move, Table
from sessions.table import replay, veil


@dataclass(frozen=True)
class LogLine:
    """One event of the log, with its move's number and its index among that move's events."""

    number: int
    index: int
    event: Event
    taken_back: bool  # by an undo or a rewind
    by: str  # the seat that moved
    #: False for a private line that was not shown to its readers yet, or never will be.
    shown: bool = True

    def may_be_read_by(self, seat: str | None) -> bool:
        """True if a seat (None: a spectator) may read it."""
        return self.event.to is None or (self.shown and seat in self.event.to)


@dataclass(frozen=True)
class Disclosure:
    """The facts that decide which lines of a table's log have been shown."""

    history: History
    #: The seats that belong to people: the log names a bot that plays for one of them.
    people: Collection[str]
    #: The seal numbers (``Event.sealed``) whose events everybody may read now.
    opened: Collection[int] = ()
    #: The number of the move that is in its undo window.
    veiled: int | None = None

    def lines(self, move: Move) -> tuple[LogLine, ...]:
        """Return the lines of a move; the first names the stand-in or the bot that played it, if any.

        Opened events are public. Events of a move that was taken back stay sealed: their seal number may be
        used again.
        """
        gone = move.restores is None and not self.history.stands(move.number)
        shown = move.number != self.veiled and move.number not in self.history.unseen
        told = events_in(move.events)
        if self.opened and not gone:
            told = [struct_with(event, to=None) if event.sealed in self.opened else event for event in told]
        played = [(-1, event) for event in self._players(move)] + list(enumerate(told))
        return tuple(
            LogLine(move.number, index, event, gone, move.seat, shown or event.to is None)
            for index, event in played
        )

    def _players(self, move: Move) -> Iterable[Event]:
        if move.bot and move.seat in self.people:
            yield Event("bot_played", {"seat": move.seat})
        if move.stand_in:
            yield Event("stood_in", {"seat": move.seat, "by": move.stand_in})


def disclosure_of(table: Table) -> Disclosure:
    # Look at the time before the rows: a move that is not taken back after its window has been shown.
    veiled = table.version if veil.is_masked(table) else None
    module = registry()[table.module]
    unsealed = module.secrets.opened is not nothing_sealed
    opened = module.secrets.opened(module.load(bytes(table.snapshot))) if unsealed else ()
    return Disclosure(replay.history(table, table.version), people_at(table), opened, veiled)


def people_at(table: Table) -> frozenset[str]:
    return frozenset(sits.key for sits in table.sitters if sits.seat_id)


def hide_private_lines(lines: Iterable[LogLine]) -> tuple[LogLine, ...]:
    """Return a move's lines during its undo window: the private ones are not shown."""
    return tuple(replace(line, shown=line.event.to is None) for line in lines)


def events_in(raw: bytes | memoryview) -> list[Event]:
    return msgspec.json.decode(bytes(raw), type=list[Event])
