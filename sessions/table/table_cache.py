"""Cache of tables in this process: the newest state of each, read and decoded once for all pages showing it.

The database decides. A move counts only if the row still has the cached version and seating (moves.py), and
a requested page is rendered after comparing them with the row (``get_current_table``).
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any

from django.db import connection
from django.utils.functional import cached_property

from companion.caches import LruCache
from sessions.engine.registry import registry
from sessions.models import Move, Table, TableSeat
from sessions.table import clock, log, seat_view, undo_window
from sessions.table.log import RecentLog
from sessions.table.seat_view import SeatView

#: Tables that stay cached though no page shows them: the ones used last. Tables on open pages always stay.
TABLES_KEPT = 16
#: The columns that CachedTable.stamp compares.
_STAMP = (
    "version",
    "ended_at",
    "opened_at",
    "veiled_until",
    "session__seating",
    "session__ended_at",
    "session__campaign__grace",
)


@dataclass(frozen=True, eq=False)
class CachedTable:
    """A cached table at one version and one seating. It is immutable: the next move makes another one."""

    table: Table
    state: Any
    recent_log: RecentLog
    #: The masked state that screens show during the newest move's undo window (undo_window.py); else None.
    masked_state: Any = None
    #: The newest move, if this process played it.
    newest_move: Move | None = None
    #: True if the session has other running tables.
    has_other_tables: bool = False
    #: The time of the newest move; None if the table has no clock and this process has not played a move.
    moved_at: datetime | None = None
    _seat_views: dict[str | None, SeatView] = field(default_factory=dict)

    @property
    def version(self) -> int:
        return self.table.version

    @property
    def seating(self) -> int:
        return self.table.session.seating

    @property
    def is_overdue(self) -> bool:
        """True if the state is still masked though its undo window is over."""
        return self.masked_state is not None and not undo_window.is_masked(self.table)

    @property
    def visible_state(self) -> Any:
        return self.state if self.masked_state is None else self.masked_state

    @cached_property
    def visible_log(self) -> RecentLog:
        return self.recent_log if self.masked_state is None else log.mask_log(self.recent_log)

    @property
    def age(self) -> tuple[int, int, bool]:
        """A sort key: of two cached states of a table, the newer has the higher one."""
        return self.version, self.seating, self.masked_state is None

    @property
    def stamp(self) -> tuple[Any, ...]:
        """The column values to compare with the database: one differs if it has something newer."""
        return _stamp_of(self.table)

    @property
    def mover(self) -> str | None:
        """The seat that played the newest move, if this process played it."""
        return self.newest_move.seat if self.newest_move else None

    @property
    def newest_mover(self) -> str | None:
        """The seat that played the newest move, read from the move's log lines; None if it has none."""
        return self.recent_log[-1][0].by if self.recent_log and self.recent_log[-1] else None

    @property
    def awaited_seats(self) -> set[str]:
        return registry()[self.table.module].waiting_for(self.state)

    @cached_property
    def move_to_undo(self) -> Move | None:
        """The newest move that stands; None if there is none to take back."""
        return seat_view.newest_to_undo(self.table, self.newest_move)

    def view_for(self, seat: str | None) -> SeatView:
        if seat not in self._seat_views:
            self._seat_views[seat] = seat_view.seat_view_of_state(self.table, self.visible_state, seat)
        return self._seat_views[seat]

    def awaited_bots(self) -> list[TableSeat]:
        if self.table.ended_at or self.table.session.ended_at:
            return []
        at_bots = [sits for sits in self.table.sitters if sits.bot]
        waited = self.awaited_seats if at_bots else set()
        return [sits for sits in at_bots if sits.key in waited]

    def after_move(
        self, move: Move, state: Any, snapshot: bytes, ended_at: datetime | None, masked: Any = None
    ) -> CachedTable:
        """Return the table after one more move of its rules, which led to ``state``.

        :param masked: the masked form of that state, if the move has an undo window.
        """
        table = copy.copy(self.table)
        table.before, table.snapshot = self.table.snapshot, snapshot
        table.version, table.ended_at = move.number, ended_at
        table.veiled_until = None if masked is None else undo_window.unmask_time(move.played_at)
        recent = log.append_move(self.recent_log, table, move)
        return CachedTable(table, state, recent, masked, move, self.has_other_tables, move.played_at)

    def unmask(self) -> CachedTable:
        return replace(self, masked_state=None, _seat_views={})


def _stamp_of(table: Table) -> tuple[Any, ...]:
    session = table.session
    grace = session.campaign.grace if session.campaign else None
    own = table.version, table.ended_at, table.opened_at, table.veiled_until
    return *own, session.seating, session.ended_at, grace


class CacheEntry:
    """The cache entry of a table. The cached state stays at least as long as a page references the entry."""

    cached: CachedTable | None = None


_entries: LruCache[int, CacheEntry] = LruCache(TABLES_KEPT)
_lock = Lock()


def cache_entry(table_pk: int) -> CacheEntry:
    """Return the cache entry of a table; create it if there is none."""
    return _entries.get(table_pk) or _entries.setdefault(table_pk, CacheEntry())


def get_table(table_pk: int) -> CachedTable:
    """Return a table from the cache, without comparing it with the database; read it if it is not cached.

    :raises Table.DoesNotExist:
    """
    cached = None if connection.in_atomic_block else peek_table(table_pk)
    return cached or get_current_table(table_pk)


def get_current_table(table_pk: int, row: Table | None = None) -> CachedTable:
    """Return a table as the database has it now; the whole table is read only if the cached one is outdated.

    :param row: the table's row with its session and campaign, if they have just been read.
    :raises Table.DoesNotExist:
    """
    cached = None if connection.in_atomic_block else cache_entry(table_pk).cached
    # Check the time before reading the row: a move still there after its undo window stays for good.
    is_overdue = cached is not None and cached.is_overdue
    if row and cached and not is_overdue:
        is_known = cached.stamp == _stamp_of(row)
    else:
        is_known = cached is not None and is_current(cached)
    if cached is None or not is_known:
        return put_table(read_table(table_pk))
    return put_table(cached.unmask()) if is_overdue else cached


def peek_table(table_pk: int) -> CachedTable | None:
    """Return a table from the cache, without asking the database; None if it is not cached.

    Also None if it is masked and its undo window is over: another process may have taken the move back.
    """
    entry = _entries.get(table_pk)
    cached = entry.cached if entry else None
    return None if cached is None or cached.is_overdue else cached


def find_outdated(tables: Collection[CachedTable]) -> set[int]:
    """Return the ids of those tables of which the database has something newer, by one query for all."""
    rows = Table.objects.filter(pk__in=[cached.table.pk for cached in tables]).values_list("pk", *_STAMP)
    stamps = {pk: tuple(stamp) for pk, *stamp in rows}
    return {cached.table.pk for cached in tables if stamps.get(cached.table.pk) != cached.stamp}


def is_current(cached: CachedTable) -> bool:
    return not find_outdated([cached])


def read_table(table_pk: int) -> CachedTable:
    """Read a table from the database, or raise ``Table.DoesNotExist``."""
    table = Table.objects.select_related("session__campaign").get(pk=table_pk)
    table.prefetch_for_display()
    state = registry()[table.module].load(bytes(table.snapshot))
    others = Table.objects.filter(session=table.session_id, ended_at=None).exclude(pk=table_pk).exists()
    masked = undo_window.masked_state(table, state)
    moved_at = clock.clock_start(table) if table.clock else None
    return CachedTable(
        table, state, log.read_recent_log(table), masked, has_other_tables=others, moved_at=moved_at
    )


def put_table(cached: CachedTable) -> CachedTable:
    """Cache a table unless a newer state of it is cached; return ``cached`` itself.

    Inside a transaction nothing is cached: it may yet be rolled back.
    """
    if connection.in_atomic_block:
        return cached
    with _lock:
        entry = cache_entry(cached.table.pk)
        known = entry.cached
        if known is None or known.age <= cached.age or known.table.opened_at != cached.table.opened_at:
            entry.cached = cached
    return cached


def invalidate_table(table_pk: int | None = None) -> None:
    """Drop a table from the cache; without ``table_pk`` all tables, e.g. when the database was replaced."""
    with _lock:
        if table_pk is None:
            _entries.clear()
        else:
            cache_entry(table_pk).cached = None
