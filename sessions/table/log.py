"""The log of a table: its lines, which of them have been shown to their readers, and its pages.

Pages, files, pushes, reports and replays read the log through this module, never from the rows.

A public line is shown with its move. So is a private one, unless the move is in its undo window
(undo_window.py): then it is shown when the window ends, by time, by the next move or by the mover. If the
move is taken back in its window, its private lines are never shown: the cards that they name are back on the
deck. The row that took it back records this (``Move.unseen``). Only readers that reveal everything after the
session show them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

import msgspec
from django.db.models import Model, QuerySet
from msgspec.structs import replace as struct_with

from companion.requests.queue import check_client_waits
from sessions.engine.registry import registry
from sessions.engine.undo import History
from sessions.game import Event, nothing_sealed
from sessions.models import Move, Table
from sessions.table import replay, undo_window

#: The approximate number of lines on a table's page; the whole log has pages of its own.
LINES_SHOWN = 40
#: Moves in a cached tail: more than ``LINES_SHOWN``, as some have no line for a reader.
RECENT_MOVES = 160
#: Moves on a page of the log, counting readable ones only: page ends do not reveal lines of other readers.
PAGE = 50
#: Rows in the first chunk; each further chunk has twice as many.
CHUNK = 64
R = TypeVar("R", bound=Model)
_events = msgspec.json.Decoder(list[Event])
#: The lines of the newest moves, a tuple per move.
RecentLog = tuple[tuple["LogLine", ...], ...]


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
    masked: int | None = None

    def lines(self, move: Move) -> tuple[LogLine, ...]:
        """Return the lines of a move; the first names the stand-in or the bot that played it, if any.

        Opened events are public. Events of a move that was taken back stay sealed: their seal number may be
        used again.
        """
        gone = move.restores is None and not self.history.stands(move.number)
        shown = move.number != self.masked and move.number not in self.history.unseen
        events = decode_events(move.events)
        if self.opened and not gone:
            events = [struct_with(one, to=None) if one.sealed in self.opened else one for one in events]
        return tuple(
            LogLine(move.number, index, event, gone, move.seat, shown or event.to is None)
            for index, event in [*((-1, event) for event in self._players(move)), *enumerate(events)]
        )

    def _players(self, move: Move) -> Iterable[Event]:
        if move.bot and move.seat in self.people:
            yield Event("bot_played", {"seat": move.seat})
        if move.stand_in:
            yield Event("stood_in", {"seat": move.seat, "by": move.stand_in})


def disclosure_of(table: Table) -> Disclosure:
    # Look at the time before the rows: a move that is not taken back after its window has been shown.
    veiled = table.version if undo_window.is_masked(table) else None
    module = registry()[table.module]
    unsealed = module.secrets.opened is not nothing_sealed
    opened = module.secrets.opened(module.load(bytes(table.snapshot))) if unsealed else ()
    return Disclosure(replay.move_history(table, table.version), people_keys(table), opened, veiled)


def people_keys(table: Table) -> frozenset[str]:
    return frozenset(sits.key for sits in table.sitters if sits.seat_id)


def decode_events(raw: bytes | memoryview) -> list[Event]:
    return _events.decode(raw)


@dataclass(frozen=True)
class LogPage:
    """A page of a log as one seat reads it.

    The previous page ends before move ``earlier``, the next one begins with move ``later``; None where there
    is nothing more that the seat may read.
    """

    lines: list[LogLine]
    earlier: int | None
    later: int | None


def read_page(
    table: Table, seat: str | None, *, first: int | None = None, before: int | None = None
) -> LogPage:
    """Return the first ``PAGE`` moves from number ``first`` on that ``seat`` (None: a spectator) may read.

    Without ``first`` it has the newest moves, or the newest before number ``before``. Lines are oldest first.
    """
    disclosure, rows = disclosure_of(table), _log_rows(table)
    if first is not None:
        rows = rows.filter(number__gte=first)
    else:
        rows = rows.filter(number__lt=before or table.version + 1).order_by("-number")
    readable = (
        [line for line in disclosure.lines(move) if line.may_be_read_by(seat)]
        for move in read_by_chunks(rows)
    )
    found = list(islice(filter(None, readable), PAGE + 1))
    more, shown = len(found) > PAGE, found[:PAGE]
    if first is None:
        shown.reverse()
    earlier = shown[0][0].number if shown and (more if first is None else first > 1) else None
    later = (found[PAGE][0].number if more else None) if first is not None else before
    return LogPage([line for lines in shown for line in lines], earlier, later)


def read_by_chunks(rows: QuerySet[R]) -> Iterator[R]:
    """Yield rows in their order, reading them lazily in chunks."""
    first, size = 0, CHUNK
    while chunk := list(rows[first : first + size]):
        for row in chunk:
            check_client_waits()
            yield row
        first, size = first + size, 2 * size


def lines_by_time(
    table: Table, *, since: datetime | None = None, before: datetime | None = None
) -> Iterator[tuple[LogLine, datetime]]:
    """Yield all lines ``since`` a time, if given, with their times, oldest first, private ones too.

    With ``before``, yield those before that time, newest first. Moves are read lazily in chunks.
    """
    disclosure, rows = disclosure_of(table), _log_rows(table)
    if before is None:
        rows = rows.filter(played_at__gte=since) if since else rows
        rows = rows.order_by("played_at", "number")
    else:
        rows = rows.filter(played_at__lt=before).order_by("-played_at", "-number")
    for move in read_by_chunks(rows):
        lines = disclosure.lines(move)
        for line in lines if before is None else reversed(lines):
            yield line, move.played_at


def read_recent_log(table: Table) -> RecentLog:
    """Return the lines of the newest moves, a tuple per move, oldest first, private lines included.

    They are not masked: code that shows them during an undo window must pass them through ``mask_log``.
    """
    moves = list(_log_rows(table).order_by("-number")[:RECENT_MOVES])
    disclosure = replace(disclosure_of(table), masked=None)
    return tuple(disclosure.lines(move) for move in reversed(moves))


def append_move(recent: RecentLog, table: Table, move: Move) -> RecentLog:
    """Return the tail after one more move of the rules, which takes nothing back and opens no seal."""
    disclosure = Disclosure(History(move.number, {}), people_keys(table))
    return (*recent[1 - RECENT_MOVES :], disclosure.lines(move))


def mask_log(recent: RecentLog) -> RecentLog:
    """Return the tail during the newest move's undo window: its private lines are not shown."""
    if not recent:
        return recent
    return (*recent[:-1], tuple(replace(line, shown=line.event.to is None) for line in recent[-1]))


def fit_to_page(recent: RecentLog, seat: str | None) -> RecentLog:
    """Return the newest moves of a tail: about ``LINES_SHOWN`` lines for ``seat`` (None: a spectator)."""
    room, first = LINES_SHOWN, len(recent)
    while first and room > 0:
        first -= 1
        room -= sum(line.may_be_read_by(seat) for line in recent[first])
    return recent[first:]


def newest_move(table: Table) -> Move:
    """Return the newest move that was not taken back, or raise ``Move.DoesNotExist``."""
    return table.moves.get(number=replay.move_history(table, table.version).newest_number)


def events_of(table: Table, numbers: list[int]) -> list[Event]:
    """Return the events of these moves, oldest first."""
    rows = table.moves.filter(number__in=numbers).order_by("number").values_list("events", flat=True)
    return [event for raw in rows for event in decode_events(raw)]


def move_lines(table: Table, number: int) -> list[LogLine]:
    """Return all lines of one move of a table, private ones too; none for the opening."""
    disclosure = disclosure_of(table)
    return [line for move in _log_rows(table).filter(number=number) for line in disclosure.lines(move)]


def public_events(table: Table) -> list[Event]:
    """Return the public events of the moves that were not taken back, oldest first."""
    lines = (line for line, _ in all_lines(table) if not line.taken_back)
    return [line.event for line in lines if line.event.to is None]


def all_lines(table: Table) -> Iterator[tuple[LogLine, datetime]]:
    """Yield every line of a table's log with its time, oldest first, private ones too."""
    disclosure = disclosure_of(table)
    for move in _log_rows(table):
        check_client_waits()
        for line in disclosure.lines(move):
            yield line, move.played_at


def _log_rows(table: Table) -> QuerySet[Move]:
    rows = table.moves.filter(number__lte=table.version)
    return rows.only("table", "number", "events", "restores", "seat", "stand_in", "bot", "played_at")
