"""A table's log: its pages, its tail on screens, and its lines in the order of time (ledger.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

from django.db.models import Model, QuerySet

from companion.pacing.heavy import go_on
from sessions.engine.history import History
from sessions.game import Event
from sessions.models import Move, Table
from sessions.table import replay
from sessions.table.ledger import Ledger, Line, events_in, ledger_of, people_at, unshown

#: The approximate number of lines on a table's page; the whole log has pages of its own.
LINES_SHOWN = 40
#: So many moves are held: some tell a reader nothing, and a large table's round has more than fit the page.
TAIL = 160
#: So many entries has a page of a log, whoever reads it: where it ends tells nothing of what others read.
PAGE = 50
#: So many rows are read at first; each time after that, twice as many.
CHUNK = 64

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
    ledger, rows = ledger_of(table), _logged(table)
    if first is not None:
        rows = rows.filter(number__gte=first)
    else:
        rows = rows.filter(number__lt=before or table.version + 1).order_by("-number")
    readable = (_readable(ledger.lines(move), seat) for move in by_chunks(rows))
    found = list(islice(filter(None, readable), PAGE + 1))
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


def by_time(
    table: Table, *, since: datetime | None = None, before: datetime | None = None
) -> Iterator[tuple[Line, datetime]]:
    """Yield every line from a moment on, oldest first; or those before one, newest first.

    They come with their times, and with those not for everybody. No more moves are read than are asked for.
    """
    ledger, rows = ledger_of(table), _logged(table)
    if before is None:
        rows = rows.filter(played_at__gte=since) if since else rows
        rows = rows.order_by("played_at", "number")
    else:
        rows = rows.filter(played_at__lt=before).order_by("-played_at", "-number")
    for move in by_chunks(rows):
        lines = ledger.lines(move)
        for line in lines if before is None else reversed(lines):
            yield line, move.played_at


def tail_of(table: Table) -> Tail:
    """Return the lines of the newest moves, a tuple a move, oldest first, with those not for everybody.

    Those under a veil are among them as if it did not lie there: whoever shows the tail asks for ``veiled``.
    """
    moves = list(_logged(table).order_by("-number")[:TAIL])
    ledger = replace(ledger_of(table), veiled=None)
    return tuple(ledger.lines(move) for move in reversed(moves))


def grown(tail: Tail, table: Table, move: Move) -> Tail:
    """Return the tail after one more move of the rules, which takes nothing back and opens nothing."""
    ledger = Ledger(History(move.number, {}), people_at(table))
    return (*tail[1 - TAIL :], ledger.lines(move))


def veiled(tail: Tail) -> Tail:
    """Return the tail while a veil lies over the newest move."""
    return (*tail[:-1], unshown(tail[-1])) if tail else tail


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
    return [event for raw in rows for event in events_in(raw)]


def lines_of(table: Table, number: int) -> list[Line]:
    """Return all lines of one move of a table, with those not for everybody; none for the opening."""
    ledger = ledger_of(table)
    return [line for move in _logged(table).filter(number=number) for line in ledger.lines(move)]


def public_events(table: Table) -> list[Event]:
    """Return what everybody was told of the moves that stand, oldest first."""
    lines = (line for line, _ in whole_log(table) if not line.taken_back)
    return [line.event for line in lines if line.event.to is None]


def whole_log(table: Table) -> Iterator[tuple[Line, datetime]]:
    """Yield every line of a table's log with its time, oldest first, with those not for everybody."""
    ledger = ledger_of(table)
    for move in _logged(table):
        go_on()
        for line in ledger.lines(move):
            yield line, move.played_at


def _logged(table: Table) -> QuerySet[Move]:
    rows = table.moves.filter(number__lte=table.version)
    return rows.only("table", "number", "events", "restores", "seat", "stand_in", "bot", "played_at")
