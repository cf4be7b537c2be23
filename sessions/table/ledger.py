"""The ledger of a table: of every line of its log, whether it was shown by now to those whom it is for.

Whoever tells of a table asks here, and never the rows: pages, files, pushes, reports and replays.

A line for everybody is shown with its move. So is a private one, unless a veil lies over the move (veil.py):
then it waits until the veil is lifted, by its time, by the next move or by the mover. Taken back from under
the veil, it was shown to nobody and never will be, as what it names lies on the deck again. The row that took
it back keeps that (``Move.unseen``). Only what opens everything after the night opens it, and says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import msgspec
from msgspec.structs import replace as struct_with

from sessions.engine.history import History
from sessions.engine.shelf import shelf
from sessions.game import Event, nothing_sealed
from sessions.models import Move, Table
from sessions.table import replay, veil


@dataclass(frozen=True)
class Line:
    """One event with its place in the log: the move's number, and its index among that move's events."""

    number: int
    index: int
    event: Event
    taken_back: bool  # by an undo or a rewind
    by: str  # the seat that moved
    #: False for a private line that nobody was shown: not yet, or never.
    shown: bool = True

    def may_be_read_by(self, seat: str | None) -> bool:
        """True if a seat (None: a spectator) may read it."""
        return self.event.to is None or (self.shown and seat in self.event.to)


@dataclass(frozen=True)
class Ledger:
    """The part of a table's log that was shown by now."""

    history: History
    #: The seats that belong to people: a bot that plays one stands in, and the log says so.
    somebodys: Collection[str]
    #: The numbers under which events were sealed that everybody may read by now.
    opened: Collection[int] = ()
    #: The number of the move over which a veil lies.
    veiled: int | None = None

    def lines(self, move: Move) -> tuple[Line, ...]:
        """Return the lines of a move; a stand-in or bot that played it is named first.

        What was opened is for everybody. What was taken back stays sealed: its number may be used again.
        """
        gone = move.restores is None and not self.history.stands(move.number)
        shown = move.number != self.veiled and move.number not in self.history.unseen
        told = events_in(move.events)
        if self.opened and not gone:
            told = [struct_with(event, to=None) if event.sealed in self.opened else event for event in told]
        played = [(-1, event) for event in self._players(move)] + list(enumerate(told))
        return tuple(
            Line(move.number, index, event, gone, move.seat, shown or event.to is None)
            for index, event in played
        )

    def _players(self, move: Move) -> Iterable[Event]:
        if move.bot and move.seat in self.somebodys:
            yield Event("bot_played", {"seat": move.seat})
        if move.stand_in:
            yield Event("stood_in", {"seat": move.seat, "by": move.stand_in})


def ledger_of(table: Table) -> Ledger:
    # The time first: what the database does not call taken back when it is over was shown.
    veiled = table.version if veil.lies(table) else None
    module = shelf()[table.module]
    unsealed = module.secrets.opened is not nothing_sealed
    opened = module.secrets.opened(module.load(bytes(table.snapshot))) if unsealed else ()
    return Ledger(replay.history(table, table.version), people_at(table), opened, veiled)


def people_at(table: Table) -> frozenset[str]:
    return frozenset(sits.key for sits in table.sitters if sits.seat_id)


def unshown(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines of a move as they are while a veil lies over it."""
    return tuple(replace(line, shown=line.event.to is None) for line in lines)


def events_in(raw: bytes | memoryview) -> list[Event]:
    return msgspec.json.decode(bytes(raw), type=list[Event])
