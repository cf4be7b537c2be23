"""Faults of known kinds, planted into the real code one at a time: the simulator is to find each of them."""

from __future__ import annotations

import copy
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.db import connection

from sessions.card_table import gm_moves
from sessions.evening import shared_clocks
from sessions.live import heartbeats, hub, screen_view
from sessions.live.consumers import TableConsumer, TableWatcher
from sessions.live.hub import Hub, LiveTable
from sessions.live.sockets import MoveFrame
from sessions.models import Table
from sessions.scenarios import staging
from sessions.table import commit, log, moves, replay, table_cache, undo_window
from tests.simulation import phones
from tests.simulation.plan import Wish, planned
from tests.simulation.playing import play_any

#: So many evenings are played until a fault counts as not found.
AT_MOST = 40
real_time = time.perf_counter
Planting = Callable[[ExitStack], None]


@dataclass(frozen=True)
class Fault:
    """A fault, and the evenings in which it can do harm."""

    name: str
    plant: Planting
    wish: Wish


@dataclass(frozen=True)
class Found:
    """Whether a fault was found, by which evening, and how."""

    name: str
    seed: str
    evenings: int
    seconds: float
    problem: str


FAULTS: list[Fault] = []


def fault(name: str, wish: Wish) -> Callable[[Planting], Planting]:
    def register(plant: Planting) -> Planting:
        FAULTS.append(Fault(name, plant, wish))
        return plant

    return register


def _instead(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    stack.enter_context(patch.object(owner, name, value))


def _sql(stack: ExitStack, *changes: tuple[str, str]) -> None:
    """Write the statement that lets a table go on in another way."""
    statement = commit._ADVANCE
    for old, new in changes:
        assert old in statement
        statement = statement.replace(old, new)
    _instead(stack, commit, "_ADVANCE", statement)


#: The guards of the statement by which a table goes on.
VERSION = '"version" = %s AND', "%s IS NOT NULL AND"
TABLE_END = 'AND "ended_at" IS NULL AND EXISTS', "AND EXISTS"
NIGHT_END = '"id" = %s AND "ended_at" IS NULL AND "seating"', '"id" = %s AND "seating"'
SEATING = '"seating" = %s', "%s IS NOT NULL"
CROWD = Wish("uroboros", acts=("hit points",), troubles=("layer delays",), hosted=True, twice=False)
SEATS = Wish(
    "goodcop", acts=("bot", "no bot"), troubles=("layer loses",), hosted=True, twice=False, collisions=True
)
LEAVES = Wish("goodcop", acts=("remove", "restore"), troubles=("layer delays",), hosted=True, twice=False)
CALM = Wish("uroboros", acts=(), troubles=(), hosted=True, twice=False)
HOME = Wish("uroboros", acts=("rewind", "hit points"), troubles=(), hosted=False, twice=False)
LOSSES = Wish(acts=(), troubles=("lost after commit", "cut", "kill"), twice=False)
DUELS = Wish("uroboros", acts=(), troubles=(), hosted=True, twice=False, duels=True)
DESKS = Wish("uroboros", troubles=(), twice=False)
TWINS = Wish("uroboros", acts=(), troubles=(), twice=True)


@fault("the version is not compared, nor the number's uniqueness", CROWD)
def no_version(stack: ExitStack) -> None:
    # Alone it is redundant: the log has a row of that number by then, and takes no other.
    _sql(stack, VERSION)
    _instead(stack, commit, "_LOG", commit._LOG.replace("INSERT INTO", "INSERT OR REPLACE INTO"))


@fault("the seating is not compared", SEATS)
def no_seating(stack: ExitStack) -> None:
    _sql(stack, SEATING)


@fault(
    "the table's end is not compared, nor the seating",
    Wish("goodcop", acts=("stop",), troubles=("layer delays",), hosted=True, twice=False),
)
def no_table_end(stack: ExitStack) -> None:
    # Alone it is redundant: whatever ends a table changes its version or the seating.
    _sql(stack, TABLE_END, SEATING)


@fault(
    "no end is compared, nor the seating",
    Wish(acts=("end night",), troubles=("layer delays",), hosted=True, twice=False),
)
def no_night_end(stack: ExitStack) -> None:
    # The end of a night ends its tables and changes the seating: alone its own guard is redundant twice.
    _sql(stack, NIGHT_END, TABLE_END, SEATING)


@fault("taking back compares nothing under its lock", DUELS)
def no_comparison(stack: ExitStack) -> None:
    is_current = table_cache.is_current
    _instead(stack, table_cache, "is_current", lambda now: connection.in_atomic_block or is_current(now))


@fault("hit points are written without a lock", CROWD)
def no_lock(stack: ExitStack) -> None:
    def unlocked(table_pk: int) -> Any:
        return table_cache.cache_entry(table_pk).cached or table_cache.read_table(table_pk)

    _instead(stack, gm_moves, "_lock_and_read", unlocked)


@fault("the id of a move is not looked up", LOSSES)
def no_id(stack: ExitStack) -> None:
    _instead(stack, moves, "_find_move", lambda table_pk, request: None)


@fault(
    "what failed to commit is told and held all the same",
    Wish(acts=(), troubles=("lost before commit",), twice=False),
)
def told_before_commit(stack: ExitStack) -> None:
    def at_once(before: Any, after: Any, changed: Any, *, is_complete: bool) -> None:
        table_cache.cache_entry(after.table.pk).cached = after
        commit._publish_move(before, after, changed, is_complete=True)

    _instead(stack, commit, "after_commit", at_once)


@fault("a move is answered before it is committed", CALM)
def early_receipt(stack: ExitStack) -> None:
    submit = TableConsumer.play_with_retry

    async def early(self: Any, frame: MoveFrame) -> Any:
        await self.reply(accepted=self.live_table.cached.version + 1, id=str(frame.id))
        return await submit(self, frame)

    _instead(stack, TableConsumer, "play_with_retry", early)


@fault("the outbox sends again under a new id", LOSSES)
def new_id(stack: ExitStack) -> None:
    opened = phones.Phone.opened

    def renamed(self: Any, line: Any) -> None:
        if self.outbox and line is self.line:
            self.outbox = {**self.outbox, "id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4))}
        opened(self, line)

    _instead(stack, phones.Phone, "opened", renamed)


@fault("the heartbeat never asks", Wish(acts=(), troubles=("layer loses",), hosted=True, twice=False))
def no_heartbeat(stack: ExitStack) -> None:
    async def nothing() -> None: ...

    _instead(stack, heartbeats.Heartbeats, "_reload_outdated_tables", staticmethod(nothing))


@fault("the leave to play is not asked for again", LEAVES)
def no_leave(stack: ExitStack) -> None:
    submit = moves.submit
    _instead(stack, moves, "submit", lambda pk, request: submit(pk, replace(request, seating=None)))


@fault("no news for the process' own pages", HOME)
def no_listeners(stack: ExitStack) -> None:
    # A phone's own move is shown to all of its process all the same; the GM's acts come by HTTP.
    _instead(stack, commit, "listeners", [])


@fault("no news from other processes", CALM)
def no_subscription(stack: ExitStack) -> None:
    async def nothing(self: Any, table_pk: int) -> None: ...

    _instead(stack, Hub, "_subscribe", nothing)


@fault(
    "a receipt does not wait for the push that is under way",
    Wish("liarmafia", acts=(), troubles=(), twice=False),
)
def hasty_receipt(stack: ExitStack) -> None:
    async def reload_table(self: Any, *numbers: int) -> None:
        await self.live_table.reload(*numbers)
        if self.has_changed.is_set():
            await self.push_table()

    _instead(stack, TableWatcher, "reload_table", reload_table)


@fault("sights of the table before are kept", CALM)
def old_sights(stack: ExitStack) -> None:
    show = LiveTable.show_state

    def showing(self: Any, cached: Any) -> None:
        screen_views = self._screen_views
        show(self, cached)
        self._screen_views = screen_views

    _instead(stack, LiveTable, "show_state", showing)


@fault("the log's drawings are kept without the seat that may read them", CALM)
def seatless_log(stack: ExitStack) -> None:
    logged = screen_view.RenderedTable.moves_for
    _instead(
        stack,
        screen_view.RenderedTable,
        "moves_for",
        lambda self, language, seat, names: logged(self, language, names),
    )


@fault("a process that reads a table shows it without its veil", TWINS)
def no_veil_elsewhere(stack: ExitStack) -> None:
    _instead(stack, undo_window, "masked_state", lambda table, state: None)


@fault("private lines are shown though they were taken back unseen", TWINS)
def shown_lines(stack: ExitStack) -> None:
    def may_be_read_by(self: Any, seat: str | None) -> bool:
        return self.event.to is None or seat in self.event.to

    _instead(stack, log.LogLine, "may_be_read_by", may_be_read_by)


@fault("the next move does not end the grace", Wish("uroboros", acts=(), troubles=(), twice=False))
def long_grace(stack: ExitStack) -> None:
    after_move = table_cache.CachedTable.after_move

    def goes_on(self: Any, *arguments: Any, **options: Any) -> Any:
        changed = after_move(self, *arguments, **options)
        changed.table.veiled_until = changed.table.veiled_until or self.table.veiled_until
        return changed

    _instead(stack, table_cache.CachedTable, "after_move", goes_on)


@fault("what was drawn and seen can be taken back", Wish("uroboros", acts=(), troubles=(), twice=False))
def undo_after_draw(stack: ExitStack) -> None:
    _instead(stack, undo_window, "can_take_back", lambda table: True)


@fault(
    "draw-now lifts whatever veil lies there by then",
    Wish("uroboros", acts=(), troubles=("rough",), hosted=True, twice=False, duels=True),
)
def draw_anything(stack: ExitStack) -> None:
    def end_undo_window(*, table_pk: int, seat: str | None, version: int) -> None:
        cached = table_cache.get_table(table_pk)
        if cached.masked_state is not None and cached.newest_mover == seat:
            Table.objects.filter(pk=table_pk).update(veiled_until=None)
            commit.publish_version(copy.copy(cached.table), unveiled=True)

    _instead(stack, moves, "end_undo_window", end_undo_window)


@fault("a veil is lifted a second early, and the undo window ends", TWINS)
def early_end(stack: ExitStack) -> None:
    def lies(table: Table) -> bool:
        until = table.veiled_until
        return until is not None and table.ended_at is None and undo_window.seconds_left(table) > 1.0

    _instead(stack, undo_window, "is_masked", lies)


@fault("a veil is lifted a second early, and the undo window goes on", TWINS)
def early_sight(stack: ExitStack) -> None:
    early_end(stack)
    _instead(stack, undo_window, "can_take_back", lambda table: undo_window.seconds_to_take_back(table) > 0)


@fault("a cut-in is announced before it is committed", replace(DESKS, acts=("cut in",)))
def early_cut_in(stack: ExitStack) -> None:
    at_once = SimpleNamespace(on_commit=lambda tell, robust: tell())
    _instead(stack, staging, "transaction", at_once)


@fault("a shared clock is turned as it was read, without a lock", replace(DESKS, acts=("turn clock",)))
def stale_clock(stack: ExitStack) -> None:
    _instead(stack, shared_clocks, "_lock_clock", lambda clock: clock)


@fault("a scenario is brought in two commits", replace(DESKS, acts=("scenario", "scene")))
def two_commits(stack: ExitStack) -> None:
    _instead(stack, staging, "choose_scenario", staging.choose_scenario.__wrapped__)


@fault("milestones keep the state before", Wish("uroboros", acts=("rewind",), troubles=(), twice=False))
def wrong_milestones(stack: ExitStack) -> None:
    keep = replay.store_checkpoints

    def wrong(table: Any, snapshots: Any) -> None:
        keep(table, {number: bytes(table.before) or snapshot for number, snapshot in snapshots.items()})

    _instead(stack, replay, "store_checkpoints", wrong)


@fault("taking back forgets the state before", CALM)
def wrong_before(stack: ExitStack) -> None:
    _instead(stack, replay, "snapshot_before", lambda table, to: bytes(table.before))


@fault(
    "a page that had no data never hears that it is back",
    Wish(acts=(), troubles=("database away",), twice=False),
)
def no_data_again(stack: ExitStack) -> None:
    async def nothing(self: Any) -> None: ...

    _instead(stack, TableWatcher, "recover_lost_messages", nothing)


@fault(
    "what failed after a move is not tried again",
    Wish("goodcop", acts=("bot",), troubles=("database away",), twice=False),
)
def not_again(stack: ExitStack) -> None:
    _instead(stack, hub, "RETRY_AFTER", 10_000.0)


@contextmanager
def planted(one: Fault) -> Iterator[None]:
    with ExitStack() as stack:
        one.plant(stack)
        yield


def look_for(one: Fault) -> Found:
    """Play evenings until a fault is found."""
    began = real_time()
    for number in range(AT_MOST):
        plan = planned(f"planted {number}", one.wish)
        with planted(one):
            result = play_any(plan)
        # A problem that is there without the fault, too, is another one.
        if result.problems and not play_any(plan).problems:
            return Found(one.name, plan.seed, number + 1, real_time() - began, result.problems[0])
    return Found(one.name, "", AT_MOST, real_time() - began, "")
