"""The tables that pages of this process show: each is held once, rendered once, and sent to every page.

Moves of this process arrive by ``commit.listeners``, others by the channel layer. heartbeats.py asks the
database in case a message was lost. Bots, and the check whether a move can be undone, run after a move and
never delay it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Set
from contextlib import suppress
from contextvars import Context
from functools import partial
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from channels.layers import InMemoryChannelLayer, get_channel_layer

from companion import shared_time
from companion.fallback.outages import NO_DATABASE
from companion.observability.logs import TABLE
from companion.server import threads
from companion.server.threads import run_in_lane
from sessions.card_table.npcs import notes_of
from sessions.live.page_base import OpenPage
from sessions.live.regions import Screen
from sessions.live.screen_view import ScreenExtras, ScreenView, rendered_table, spectator_view
from sessions.live.timers import TableTimers, Tempo
from sessions.table import bots, clock, commit, seat_view, table_cache, undo_window
from sessions.table.table_cache import CachedTable

logger = logging.getLogger(__name__)
#: Seconds after a move until it is looked up whether it may be undone. The next move cancels the query.
UNDO_PAUSE = 2.0
#: The same for a move in its undo window, which lasts a few seconds only.
UNDO_WINDOW_PAUSE = 0.5
#: Seconds until a failed job is retried, or an expired clock or undo window without effect is checked again.
RETRY_AFTER = 5.0


class Watcher(OpenPage, Protocol):
    """An open page that shows a table."""

    screen: Screen
    #: How fast its reader wants bots to move (timers.py).
    tempo: Tempo

    def note_change(self) -> None:
        """Check for changes of the table to show."""

    def reset_tempo(self) -> None:
        """Return to the reader's usual tempo for bots."""


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    loop = asyncio.get_running_loop()
    return _hubs.setdefault(loop, Hub(loop))


def _update_hubs(table_pk: int, version: int, seating: int) -> None:
    for loop, known in list(_hubs.items()):
        with suppress(RuntimeError):  # a loop that has ended
            # In an empty context: that of the committing thread defers jobs, and the log names its request.
            loop.call_soon_threadsafe(known.update_table, table_pk, version, seating, context=Context())


commit.listeners.append(_update_hubs)


def _show_stalls(lanes: Set[str]) -> None:
    for loop, known in list(_hubs.items()):
        with suppress(RuntimeError):  # a loop that has ended
            loop.call_soon_threadsafe(known.show_stalls, lanes)


threads.WATCH.listeners.append(_show_stalls)


class Hub:
    """The tables that pages of one event loop show; other processes report changes to its channel."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.tables: dict[int, LiveTable] = {}
        self._channel = ""
        self._listening: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self, table_pk: int, watcher: Watcher) -> LiveTable:
        """Register a page as a watcher of a table."""
        live = self.tables.get(table_pk)
        if live is None:
            live = self.tables[table_pk] = LiveTable(table_pk)
            live.watchers.add(watcher)
            await self._subscribe(table_pk)
        live.watchers.add(watcher)
        return live

    async def leave(self, table_pk: int, watcher: Watcher) -> None:
        """Remove a page; a table without watchers leaves the hub."""
        live = self.tables.get(table_pk)
        if live is None:
            return
        live.watchers.discard(watcher)
        if not live.watchers:
            del self.tables[table_pk]
            live.close()
            if self._channel:
                await get_channel_layer().group_discard(commit.table_group(table_pk), self._channel)

    def update_table(self, table_pk: int, version: int, seating: int, unveiled: bool = False) -> None:
        """Bring a table up to date after a move, a change of its seating, or the end of an undo window."""
        live = self.tables.get(table_pk)
        if live is None:
            return
        cached = table_cache.peek_table(table_pk)
        if cached and is_as_new(cached, version, seating, unveiled=unveiled):
            live.show_state(cached)
        else:
            task = self.loop.create_task(self._reload(live, version, seating, unveiled))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def show_stalls(self, lanes: Set[str]) -> None:
        """Let the pages of tables that have stalled, or go on again, say so."""
        for live in self.tables.values():
            if live.lane in lanes:
                live.note_change()

    @staticmethod
    async def _reload(live: LiveTable, version: int, seating: int, unveiled: bool) -> None:
        TABLE.set(live.pk)
        try:
            await live.reload(version, seating, unveiled=unveiled)
        except NO_DATABASE as problem:
            for watcher in live.watchers:
                watcher.note_outage(problem)
        except Exception:
            # The pages keep what they show; the next heartbeat asks again.
            logger.exception("table %s: not read at version %s", live.pk, version)

    async def _subscribe(self, table_pk: int) -> None:
        layer = get_channel_layer()
        if isinstance(layer, InMemoryChannelLayer):
            return  # There are no other processes.
        if self._listening is None:
            self._channel = await layer.new_channel()
            self._listening = asyncio.create_task(self._listen())
        await layer.group_add(commit.table_group(table_pk), self._channel)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while True:
            try:
                message = await layer.receive(self._channel)
            except Exception:
                logger.exception("nothing heard from other processes")
                await asyncio.sleep(1)
            else:
                self.update_table(*(message[name] for name in ("table", "version", "seating", "unveiled")))


def is_as_new(known: CachedTable, version: int, seating: int, *, unveiled: bool) -> bool:
    """True if a table is as new as a message about it, which may say that this version is masked no more."""
    lifted = not unveiled or known.version > version or known.masked_state is None
    return known.version >= version and known.seating >= seating and lifted


#: A version of a table, and True if it is shown unmasked.
UndoKey = tuple[int, bool]
#: A job that runs some seconds after a move.
TableJob = Callable[[CachedTable], Coroutine[Any, Any, None]]


class LiveTable:
    """One table with the pages of this process that show it."""

    def __init__(self, pk: int) -> None:
        self.pk, self.lane = pk, commit.table_group(pk)
        self.watchers: set[Watcher] = set()
        self.cached: CachedTable | None = None
        #: When these pages were notified of the cached state, in seconds since 1970.
        self.shown_at = 0.0
        #: References that keep the table's cache entries alive while pages show it.
        self.cache_references = table_cache.cache_entry(pk), rendered_table(pk)
        self._reload_lock = asyncio.Lock()
        self._notes: dict[str, dict[str, str]] = {}
        self._screen_views: dict[tuple[Screen, str], ScreenView] = {}
        self._spectator_views: dict[str, ScreenView] = {}
        #: When the awaited seats' time to answer is over, in loop time; None where no clock runs.
        self._due: float | None = None
        #: How long that clock pauses for lessons, and when that was read, in loop time.
        self._pause, self._pause_at = clock.ClockPause(), 0.0
        self.timers = TableTimers(self)
        self._undo: tuple[UndoKey, str | None] | None = None  # for this version, the seat that may undo
        self._timers: list[asyncio.TimerHandle] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def screen_view(self, watcher: Watcher) -> ScreenView:
        """Return the table's present view for a page's screen, in the active language."""
        assert self.cached
        key = watcher.screen, watcher.language
        if key not in self._screen_views:
            notes = self._notes if watcher.screen.layout == "gm" else None
            extra = ScreenExtras(notes, self._can_undo(self.cached, watcher.screen.seat))
            spectators = self._spectator_views.get(watcher.language)
            if spectators is None:
                spectators = self._spectator_views[watcher.language] = spectator_view(self.cached)
            self._screen_views[key] = ScreenView(self.cached, watcher.screen, extra, spectators)
        return self._screen_views[key]

    async def reload(self, version: int = -1, seating: int = -1, *, unveiled: bool = False) -> None:
        """Read the table again unless the cached state is as new as these numbers; without numbers, always.

        :raises Table.DoesNotExist: the table was deleted.
        """
        async with self._reload_lock:
            known, always = self.cached, version == seating == -1
            if always or known is None or not is_as_new(known, version, seating, unveiled=unveiled):
                cached, notes = await run_in_lane(self.lane, self._read_table)
                if notes != self._notes:
                    self._notes, self._screen_views = notes, {}
                self.show_state(cached)

    def show_state(self, cached: CachedTable) -> None:
        """Show a newer state of the table on every page; ignore an older one."""
        before = self.cached
        if before and (before is cached or before.age > cached.age):
            return
        was_masked = before and before.version == cached.version and before.masked_state is not None
        if was_masked and cached.masked_state is None:
            self._undo = (cached.version, True), None  # The drawn cards are visible now: no undo.
        self.cached, self._screen_views, self._spectator_views = cached, {}, {}
        self.shown_at = shared_time.seconds()
        self._stop_timers()
        self._start_clock(cached, before)
        self.note_change()
        self.timers.restart(cached)
        if cached.masked_state is None:
            self._schedule(UNDO_PAUSE, self._check_undo, cached)
        else:
            self._schedule(UNDO_WINDOW_PAUSE, self._check_undo, cached)
            self._schedule(undo_window.seconds_to_take_back(cached.table), self._withdraw_undo, cached)
            self._schedule(undo_window.seconds_left(cached.table), self._unmask, cached)

    def clock_values(self) -> dict[str, float] | None:
        """Return the seconds left, those that the clock still pauses, and its full time; None without one."""
        if self.cached is None or self._due is None:
            return None
        present, pause = asyncio.get_running_loop().time(), self._pause
        stands = max(0.0, self._pause_at + pause.to_come - present)
        left = max(0.0, self._due + pause.so_far + pause.to_come - stands - present)
        return {"left": round(left, 1), "stands": round(stands, 1), "of": self.cached.table.clock}

    async def pause_clock(self, seat: str, *, reads: bool) -> None:
        """Pause the clock while an awaited seat reads a lesson; resume it when the seat has stopped."""
        cached = self.cached
        if cached is None or self._due is None or cached.table.is_slow or seat not in cached.awaited_seats:
            return
        pause = await run_in_lane(self.lane, clock.note_lesson, cached.table, seat, reads=reads)
        if self.cached and self.cached.version == cached.version:
            self._pause, self._pause_at = pause, asyncio.get_running_loop().time()
            self.note_change()

    def close(self) -> None:
        self._stop_timers()
        self.timers.stop()

    def _start_clock(self, cached: CachedTable, before: CachedTable | None) -> None:
        """Start the table's clock at its newest move; ``before`` is what these pages showed until now."""
        if cached.moved_at is None or not clock.is_running(cached.table):
            self._due = None
            return
        present = asyncio.get_running_loop().time()
        if self._due is None or before is None or before.version != cached.version:
            self._pause = clock.ClockPause()
            left = clock.seconds_left(cached.table, cached.moved_at)
            self._due = present + (
                left if before or cached.table.is_slow else max(left, clock.LEAST_AFTER_START)
            )
        if cached.table.is_slow:
            return  # table/slow_tables.py plays late moves of slow tables, with or without open pages.
        self._schedule(max(0.0, self._due - present), self._play_late, cached)

    def _read_table(self) -> tuple[CachedTable, dict[str, dict[str, str]]]:
        cached = table_cache.get_current_table(self.pk)
        runs_here = any(watcher.screen.layout == "gm" for watcher in self.watchers)
        return cached, notes_of(cached.table) if runs_here else {}

    def note_change(self) -> None:
        for watcher in self.watchers:
            watcher.note_change()

    def _schedule(self, pause: float, work: TableJob, cached: CachedTable) -> None:
        """Run a job some seconds after a move, unless the next move comes first."""
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(pause, self.start_job, work, cached))

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def start_job(self, work: TableJob, cached: CachedTable) -> None:
        """Run a job for this state of the table; retry it if it fails."""
        TABLE.set(self.pk)
        task = asyncio.create_task(work(cached))
        self._tasks.add(task)
        task.add_done_callback(partial(self._finish_job, work, cached))

    def _finish_job(self, work: TableJob, cached: CachedTable, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            logger.error("table %s: not done after a move", self.pk, exc_info=problem)
            if self.cached is cached:  # Without a retry after an outage, bots would never move again.
                self._schedule(RETRY_AFTER, work, cached)

    async def _withdraw_undo(self, cached: CachedTable) -> None:
        if self._undo and self._undo[1]:
            self._undo, self._screen_views = ((cached.version, False), None), {}
            self.note_change()

    async def _unmask(self, cached: CachedTable) -> None:
        """Show the masked cards after the undo window. Read the table again: news of an undo may be lost."""
        await self.reload()
        if self.cached is cached:  # The timer was early.
            left = undo_window.seconds_left(cached.table)
            self._schedule(left if left > 0 else RETRY_AFTER, self._unmask, cached)

    async def _play_late(self, cached: CachedTable) -> None:
        await run_in_lane(self.lane, bots.play_late, table_pk=self.pk, version=cached.version)
        if self.cached is cached:
            self._schedule(RETRY_AFTER, self._play_late, cached)

    def _can_undo(self, cached: CachedTable, seat: str | None) -> bool | None:
        if self._undo and self._undo[0] == (cached.version, cached.masked_state is None):
            return self._undo[1] == seat and seat is not None
        # Only the mover may undo; whether the mover may is not known yet.
        return None if seat and cached.mover in (None, seat) else False

    async def _check_undo(self, cached: CachedTable) -> None:
        if self._pages_without_undo(cached):
            # In a lane of its own: the moves of the table need not wait for that.
            seat = await run_in_lane(f"undo of {self.lane}", self._find_undoable_seat, cached)
            if self.cached is not cached:
                return
            # Only these pages change; the other seats' pages show the same as before.
            watchers = self._pages_without_undo(cached)
            self._undo = (cached.version, cached.masked_state is None), seat
            for watcher in watchers:
                self._screen_views.pop((watcher.screen, watcher.language), None)
                watcher.note_change()

    def _find_undoable_seat(self, cached: CachedTable) -> str | None:
        """Return the seat that is offered an undo; None at once if a newer state is here already."""
        return seat_view.undoable_seat(cached.table, cached.newest_move) if self.cached is cached else None

    def _pages_without_undo(self, cached: CachedTable) -> list[Watcher]:
        """Return the pages that do not know yet whether their seat may undo the newest move."""
        return [watcher for watcher in self.watchers if self._can_undo(cached, watcher.screen.seat) is None]
