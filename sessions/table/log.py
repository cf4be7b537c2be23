"""A table's log: the lines of each move, and the seats that may read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TypeVar

import msgspec
from django.db.models import Model, QuerySet
from msgspec.structs import replace

from companion.pacing.heavy import go_on
from sessions.engine.contract import Event, nothing_sealed
from sessions.engine.shelf import shelf
from sessions.models import Move, Table
from sessions.table import replay, veil

#: The approximate number of lines on a table's page; the whole log has pages of its own.
LINES_SHOWN = 40
#: So many entries has a page of a log, whoever reads it: where it ends tells nothing of what others read.
PAGE = 50
#: So many rows are read at first; each time after that, twice as many.
CHUNK = 64


@dataclass(frozen=True)
class Line:
    """One event with its place in the log: the move's number, and its index among that move's events."""

    number: int
    index: int
    event: Event
    taken_back: bool  # by an undo or a rewind
    by: str  # the seat that moved

    def may_be_read_by(self, seat: str | None) -> bool:
        """True if a seat (None: a spectator) may read it."""
        return self.event.to is None or seat in self.event.to


#: The lines of the newest moves, a tuple a move.
Tail = tuple[tuple[Line, ...], ...]
R = TypeVar("R", bound=Model)


@dataclass(frozen=True)
class Page:
    """A page of a log as one seat reads it; ``earlier`` and ``later`` are where its neighbours end or begin.

    The page before is the one before move ``earlier``, the next one that from move ``later`` on; None where
    there is nothing more that the seat could read.
    """

    lines: list[Line]
    earlier: int | None
    later: int | None


def page_of(table: Table, seat: str | None, *, first: int | None = None, before: int | None = None) -> Page:
    """Return the ``PAGE`` moves that ``seat`` (None: a spectator) may read from number ``first`` on.

    Without ``first`` these are the newest, or the newest before number ``before``. Lines are oldest first.
    """
    history, somebodys, opened = replay.history(table, table.version), _somebodys(table), _opened(table)
    rows = _logged(table)
    if first is not None:
        rows = rows.filter(number__gte=first)
    else:
        rows = rows.filter(number__lt=before or table.version + 1).order_by("-number")
    moves = (_open_lines(table, move, history.stands, somebodys, opened) for move in by_chunks(rows))
    found = list(islice(filter(None, (_readable(lines, seat) for lines in moves)), PAGE + 1))
    more, shown = len(found) > PAGE, found[:PAGE]
    if first is None:
        shown.reverse()
    earlier = shown[0][0].number if shown and (more if first is None else first > 1) else None
    later = (found[PAGE][0].number if more else None) if first is not None else before
    return Page([line for lines in shown for line in lines], earlier, later)


def by_chunks(rows: QuerySet[R]) -> Iterator[R]:
    """Yield rows in their order, and read them as they are asked for."""
    first, size = 0, CHUNK
    while chunk := list(rows[first : first + size]):
        for row in chunk:
            go_on()
            yield row
        first, size = first + size, 2 * size


def log_of(table: Table, seat: str | None) -> list[Line]:
    """Return every line that ``seat`` (None: a spectator) may read, oldest first."""
    return _readable((line for line, _ in whole_log(table)), seat)


def by_time(
    table: Table, *, since: datetime | None = None, before: datetime | None = None
) -> Iterator[tuple[Line, datetime]]:
    """Yield every line from a moment on, oldest first; or those before one, newest first.

    They come with their times, and with those not for everybody. No more moves are read than are asked for.
    """
    history, somebodys, opened = replay.history(table, table.version), _somebodys(table), _opened(table)
    rows = _logged(table)
    if before is None:
        rows = rows.filter(played_at__gte=since) if since else rows
        rows = rows.order_by("played_at", "number")
    else:
        rows = rows.filter(played_at__lt=before).order_by("-played_at", "-number")
    for move in by_chunks(rows):
        lines = _open_lines(table, move, history.stands, somebodys, opened)
        for line in lines if before is None else reversed(lines):
            yield line, move.played_at


def tail_of(table: Table) -> Tail:
    """Return the lines of the newest moves, a tuple a move, oldest first, with those not for everybody.

    Those under a veil are among them: whoever shows the tail leaves them out (``veiled``).
    """
    moves = list(_logged(table).order_by("-number")[:LINES_SHOWN])
    history, somebodys, opened = replay.history(table, table.version), _somebodys(table), _opened(table)
    return tuple(tuple(_lines(move, history.stands, somebodys, opened)) for move in reversed(moves))


def grown(tail: Tail, table: Table, move: Move) -> Tail:
    """Return the tail after one more move of the rules, which takes nothing back and opens nothing."""
    lines = _lines(move, lambda _: True, _somebodys(table), ())
    return (*tail[1 - LINES_SHOWN :], tuple(lines))


def veiled(tail: Tail) -> Tail:
    """Return the tail without the private lines of the newest move, over which a veil lies."""
    return (*tail[:-1], tuple(_public(tail[-1]))) if tail else tail


def shown(tail: Tail, seat: str | None) -> Tail:
    """Return the moves of a tail that a page of ``seat`` (None: a spectator) has room for."""
    room, first = LINES_SHOWN, len(tail)
    while first and room > 0:
        first -= 1
        room -= sum(line.may_be_read_by(seat) for line in tail[first])
    return tail[first:]


def _readable(lines: Iterable[Line], seat: str | None) -> list[Line]:
    return [line for line in lines if line.may_be_read_by(seat)]


def newest_move(table: Table) -> Move:
    """Return the newest move that stands.

    :raises Move.DoesNotExist: the table is as it was dealt.
    """
    return table.moves.get(number=replay.history(table, table.version).newest)


def events_of(table: Table, numbers: list[int]) -> list[Event]:
    """Return the events of these moves, oldest first."""
    rows = table.moves.filter(number__in=numbers).order_by("number").values_list("events", flat=True)
    return [event for raw in rows for event in _events(raw)]


def lines_of(table: Table, number: int) -> list[Line]:
    """Return all lines of one move of a table, with those not for everybody; none for the opening."""
    history, somebodys, opened = replay.history(table, table.version), _somebodys(table), _opened(table)
    rows = _logged(table).filter(number=number)
    return [line for move in rows for line in _open_lines(table, move, history.stands, somebodys, opened)]


def whole_log(table: Table) -> Iterator[tuple[Line, datetime]]:
    """Yield every line of a table's log with its time, oldest first, with those not for everybody."""
    history, somebodys, opened = replay.history(table, table.version), _somebodys(table), _opened(table)
    for move in _logged(table):
        go_on()
        for line in _open_lines(table, move, history.stands, somebodys, opened):
            yield line, move.played_at


def _somebodys(table: Table) -> frozenset[str]:
    """Return the seats that belong to people: a bot that plays one stands in, and the log says so."""
    return frozenset(sits.key for sits in table.sitters if sits.seat_id)


def _opened(table: Table) -> Collection[int]:
    """Return the numbers under which events were sealed that everybody may read by now."""
    module = shelf()[table.module]
    return () if module.opened is nothing_sealed else module.opened(module.load(bytes(table.snapshot)))


def _logged(table: Table) -> QuerySet[Move]:
    rows = table.moves.filter(number__lte=table.version)
    return rows.only("table", "number", "events", "restores", "seat", "stand_in", "bot", "played_at")


def _lines(
    move: Move, stands: Callable[[int], bool], somebodys: Collection[str], opened: Collection[int]
) -> list[Line]:
    """Return the lines of one move; a stand-in or bot that played it is named first.

    What was opened is for everybody. What was taken back stays sealed: its number may be used again.
    """
    gone = move.restores is None and not stands(move.number)
    told = _events(move.events)
    if opened and not gone:
        told = [replace(event, to=None) if event.sealed in opened else event for event in told]
    events = enumerate(told)
    lines = [Line(move.number, index, event, gone, move.seat) for index, event in events]
    if move.stand_in:
        by = Event("stood_in", {"seat": move.seat, "by": move.stand_in})
        lines.insert(0, Line(move.number, -1, by, gone, move.seat))
    if move.bot and move.seat in somebodys:
        lines.insert(0, Line(move.number, -1, Event("bot_played", {"seat": move.seat}), gone, move.seat))
    return lines


def _open_lines(
    table: Table,
    move: Move,
    stands: Callable[[int], bool],
    somebodys: Collection[str],
    opened: Collection[int],
) -> list[Line]:
    """Return the lines of one move; only the public ones while a veil lies over it."""
    lines = _lines(move, stands, somebodys, opened)
    return _public(lines) if move.number == table.version and veil.lies(table) else lines


def _public(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if line.event.to is None]


def _events(raw: bytes | memoryview) -> list[Event]:
    return msgspec.json.decode(bytes(raw), type=list[Event])
