"""Slow tables go on without an open page: the server plays for bots and late players, and notifies of turns.

A slow table has a clock of a day. Every server process checks all slow tables periodically, and plays where
nothing has changed since its last check; an open page is faster. If two processes try, the version lets one
play. A late turn is played to its end, as a day for each of its moves would be too long for the others; for
the next turn the player has a whole day again. Reaction timeouts are as short as at any table, so only a
player who has the page open at that time can react.

A player is notified of their turn once per turn, while they are away. The notification says only what
everybody at the table knows: the game, and that it waits for this seat. It is not sent by the request that
played the move: the check finds the players.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from channels.db import database_sync_to_async
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from companion import rendering, shared_time
from companion.accounts import turn_mail
from companion.models import Person
from companion.observability.logs import TABLE
from companion.push import notifications
from companion.push.notifications import Notification
from companion.server.threads import CHORES, WATCH, run_in_lane
from sessions.engine.registry import registry
from sessions.evening import presence
from sessions.game import GameFailed
from sessions.models import Table, TableSeat
from sessions.table import bots, clock, seat_view
from sessions.table.commit import table_group

logger = logging.getLogger(__name__)
STAMP = ("pk", "version", "session__seating")
#: Seconds between two checks of all slow tables.
EVERY = 5.0
#: The time after the server's start in which no player counts as late: people need time to come back.
START_DELAY = timedelta(minutes=10)
#: The most checks to skip after a failed try. The number doubles with each failure up to this.
LONGEST_PAUSE = 512
#: A version and a seating.
Stamp = tuple[int, int]
#: The time from a table's newest move to the notification. A page that was open at the move has either sent a
#: heartbeat since, so its player knows, or counts as away.
AFTER = timedelta(seconds=presence.AWAY_AFTER + 5)
#: Seconds before each retry of a notification that was not accepted.
AGAIN = (60.0, 600.0)
#: The most notifications that are sent at a time.
AT_ONCE = 4


@dataclass
class SlowTable:
    """A slow table as it was read at one version and seating."""

    stamp: Stamp
    #: The seats that it waits for: those that bots play, and those that people play.
    bots: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    #: True if silence would answer the question of one of these people (bots.py).
    silent: bool = False
    #: When to notify the people of their turn (None once that is done), and when they are late.
    call_at: datetime | None = None
    due: datetime | None = None
    #: The seat whose late turn a bot has begun, while that turn continues.
    going_on: frozenset[str] = frozenset()
    #: The checks still to skip before the next try, and those to skip if that try fails.
    pause: int = 0
    next_pause: int = 1


class SlowTables:
    """The slow tables as this process last read them."""

    def __init__(self, start_delay: timedelta = START_DELAY) -> None:
        self._seen: dict[int, SlowTable] = {}
        self._notifier = TurnNotifier()
        self._nobody_late_until = shared_time.now() + start_delay

    async def check_tables(self) -> None:
        """Check all slow tables, play where it is time, and send the notifications of turns."""
        for pk in await run_in_lane(CHORES, self.read_changes):
            TABLE.set(pk)
            if WATCH.is_stalled(lane := table_group(pk)):
                continue
            # After the moves of its people, one table at a time. A table that stalls holds up no other.
            playing = asyncio.ensure_future(run_in_lane(lane, self.play_table, pk))
            done, _late = await asyncio.wait({playing}, timeout=EVERY)
            for task in done:
                task.result()
        TABLE.set(None)
        self._notifier.start_sending(await run_in_lane(CHORES, self.collect_notifications))

    def read_changes(self) -> list[int]:
        """Read the slow tables that have changed; return the unchanged ones at which it is time to play."""
        stamps = {
            pk: (version, seating) for pk, version, seating in running_slow_tables().values_list(*STAMP)
        }
        still = {pk: seen for pk, seen in self._seen.items() if seen.stamp == stamps.get(pk)}
        changed = [pk for pk in stamps if pk not in still]
        self._seen = still | {
            table.pk: read_slow_table(table) for table in running_slow_tables().filter(pk__in=changed)
        }
        return [pk for pk, seen in still.items() if self._is_time(seen)]

    def play_table(self, pk: int) -> None:
        """Play the moves of a table's bots, else those of silence, else those of late players."""
        seen = self._seen[pk]
        version, _ = seen.stamp
        try:
            if seen.bots:
                played = bots.play_next(table_pk=pk, version=version)
            elif seen.silent:
                played = bots.play_silence(table_pk=pk, version=version, seats=seen.people)
            else:
                played = bots.play_late(table_pk=pk, version=version, going_on=seen.going_on)
        except Exception:
            logger.exception("table %s: nobody played while nobody looked", pk)
            played = None
        if played is None:
            seen.pause, seen.next_pause = seen.next_pause, min(2 * seen.next_pause, LONGEST_PAUSE)
        elif table := running_slow_tables().filter(pk=pk).first():
            reread = self._seen[pk] = read_slow_table(table)
            # If several people chose at the same time, no late turn continues: the next question is new.
            if not seen.bots and len(seen.people) == 1 and reread.people == seen.people:
                reread.going_on = reread.people

    def collect_notifications(self) -> list[TurnNotification]:
        """Return the notifications of turns that are due now."""
        now, found = shared_time.now(), []
        for pk, seen in self._seen.items():
            if seen.call_at and seen.call_at <= now:
                seen.call_at = None
                if table := running_slow_tables().filter(pk=pk, version=seen.stamp[0]).first():
                    found += mark_notified(table, seen.people)
        return found

    def _is_time(self, seen: SlowTable) -> bool:
        if seen.pause:
            seen.pause -= 1
            return False
        now = shared_time.now()
        late = seen.due is not None and seen.due <= now and self._nobody_late_until <= now
        return bool(seen.bots or seen.silent or seen.going_on) or late


def running_slow_tables() -> QuerySet[Table]:
    """Return the slow tables that have not ended."""
    slow = Table.objects.filter(clock__gte=Table.DAY, ended_at=None, session__ended_at=None)
    return slow.select_related("session")


def read_slow_table(table: Table) -> SlowTable:
    """Read a slow table; the result has no seats if its game fails."""
    seen = SlowTable((table.version, table.session.seating))
    try:
        module = registry()[table.module]
        state = module.load(bytes(table.snapshot))
        waited = set(seat_view.awaited_seats(table, state))
    except (GameFailed, LookupError):
        return seen  # The table's own page reports the failure.
    is_bot = {sits.key: bool(sits.bot) for sits in table.table_seats.all() if sits.key in waited}
    seen.bots = frozenset(key for key, bot in is_bot.items() if bot)
    seen.people = frozenset(key for key, bot in is_bot.items() if not bot)
    seen.silent = bots.can_answer_by_silence(module, state, seen.people)
    if seen.people:
        since = clock.clock_start(table)
        seen.call_at, seen.due = since + AFTER, since + timedelta(seconds=table.clock)
    return seen


class TurnNotification(NamedTuple):
    """A person to notify of their turn at a table."""

    person: Person
    table: Table


def mark_notified(table: Table, keys: Collection[str]) -> list[TurnNotification]:
    """Return the people to notify of their turn on these seats, and mark all these seats as notified.

    Players, and stand-ins for them, with an open page of the session are left out: they know already.

    :param keys: seats that the table waits for.
    """
    sits = table.table_seats.filter(key__in=keys, bot="", seat__removed_at=None).select_related(
        "seat__person__user", "seat__stand_in__person__user"
    )
    calls = []
    for each in sits:
        assert each.seat
        player = each.seat.stand_in or each.seat
        here = presence.page_states([player.pk])[player.pk] == "here"
        if _mark_seat(each) and not here:
            calls.append(TurnNotification(player.person, table))
    return calls


def _mark_seat(sits: TableSeat) -> bool:
    """Mark this seat as notified of its present turn; False if any process had marked it before."""
    newest = sits.table.moves.filter(seat=sits.key).aggregate(newest=Max("number"))["newest"] or 0
    if sits.called_after == newest:
        return False
    rows = TableSeat.objects.filter(pk=sits.pk, called_after=sits.called_after)
    return bool(rows.update(called_after=newest))


def turn_notification(table: Table) -> Notification:
    """Return the notification of a turn, in the active language."""
    body = _("%(evening)s: it is your turn.") % {"evening": table.session.name}
    return Notification(table_title(table), body, table.get_absolute_url())


class TurnNotifier:
    """Sends notifications of turns in background tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def start_sending(self, calls: Collection[TurnNotification]) -> None:
        """Start sending these notifications, by push and by email, as each person has chosen."""
        for call in calls:
            notification = partial(turn_notification, call.table)
            push = partial(notifications.send, call.person, notification, seconds=call.table.clock)
            for send in (push, partial(turn_mail.send, call.person, notification)):
                task = asyncio.create_task(self._send(call, send))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _send(self, call: TurnNotification, send: Callable[[], bool]) -> None:
        for pause in (0.0, *AGAIN):
            await asyncio.sleep(pause)
            async with self._turns:
                try:
                    # In a separate thread, so that moves do not wait for push services or email.
                    if await database_sync_to_async(send, thread_sensitive=False)():
                        return
                except Exception:
                    logger.exception("table %s: somebody was not called", call.table.pk)


def table_title(table: Table) -> str:
    """Return the name of a table's game; its key if the game is not installed."""
    return game_title(table.module) if table.has_its_game else table.module


def game_title(key: str) -> str:
    return rendering.render_first((f"tables/{key}/_title.jinja",), {})
