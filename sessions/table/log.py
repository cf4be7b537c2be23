"""A table's log: the lines of each move, and the seats that may read them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

import msgspec
from django.db.models import QuerySet

from sessions.engine.contract import Event
from sessions.models import Move, Table
from sessions.table import replay

#: The approximate number of lines on a table's page; the whole log has a page of its own.
LINES_SHOWN = 40


@dataclass(frozen=True)
class Line:
    """One event with its place in the log: the move's number, and its index among that move's events."""

    number: int
    index: int
    event: Event
    taken_back: bool  # by an undo or a rewind

    def may_be_read_by(self, seat: str | None) -> bool:
        """True if a seat (None: a spectator) may read it."""
        return self.event.to is None or seat in self.event.to


#: The lines of the newest moves, a tuple a move.
Tail = tuple[tuple[Line, ...], ...]


def log_of(table: Table, seat: str | None) -> list[Line]:
    """Return every line that ``seat`` (None: a spectator) may read, oldest first."""
    return _readable((line for line, _ in whole_log(table)), seat)


def tail_of(table: Table) -> Tail:
    """Return the lines of the newest moves, a tuple a move, oldest first, with those not for everybody."""
    moves = list(_logged(table).order_by("-number")[:LINES_SHOWN])
    oldest = moves[-1].number if moves else 0
    history = replay.history(table, table.version)
    standing = set(takewhile(lambda number: number >= oldest, history.standing()))
    somebodys = _somebodys(table)
    return tuple(tuple(_lines(move, standing, somebodys)) for move in reversed(moves))


def grown(tail: Tail, table: Table, move: Move) -> Tail:
    """Return the tail after one more move of the rules, which takes nothing back."""
    lines = _lines(move, {move.number}, _somebodys(table))
    return (*tail[1 - LINES_SHOWN :], tuple(lines))


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
    standing, somebodys = _standing(table), _somebodys(table)
    rows = _logged(table).filter(number=number)
    return [line for move in rows for line in _lines(move, standing, somebodys)]


def whole_log(table: Table) -> Iterator[tuple[Line, datetime]]:
    """Yield every line of a table's log with its time, oldest first, with those not for everybody."""
    standing, somebodys = _standing(table), _somebodys(table)
    for move in _logged(table):
        for line in _lines(move, standing, somebodys):
            yield line, move.played_at


def _standing(table: Table) -> set[int]:
    return set(replay.history(table, table.version).standing())


def _somebodys(table: Table) -> frozenset[str]:
    """Return the seats that belong to people: a bot that plays one stands in, and the log says so."""
    return frozenset(sits.key for sits in table.sitters if sits.seat_id)


def _logged(table: Table) -> QuerySet[Move]:
    rows = table.moves.filter(number__lte=table.version)
    return rows.only("table", "number", "events", "restores", "seat", "stand_in", "bot", "played_at")


def _lines(move: Move, standing: Collection[int], somebodys: Collection[str]) -> list[Line]:
    """Return the lines of one move; a stand-in or bot that played it is named first."""
    gone = move.restores is None and move.number not in standing
    lines = [Line(move.number, index, event, gone) for index, event in enumerate(_events(move.events))]
    if move.stand_in:
        by = Event("stood_in", {"seat": move.seat, "by": move.stand_in})
        lines.insert(0, Line(move.number, -1, by, gone))
    if move.bot and move.seat in somebodys:
        lines.insert(0, Line(move.number, -1, Event("bot_played", {"seat": move.seat}), gone))
    return lines


def _events(raw: bytes | memoryview) -> list[Event]:
    return msgspec.json.decode(bytes(raw), type=list[Event])
