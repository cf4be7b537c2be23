"""Slow tables go on while nobody looks: the server itself lets their bots move, and answers for who is late.

A slow table has a clock of a day. Every process that serves looks at all of them, again and again, and lets
play where nothing has happened since it looked last: open pages are quicker. Of two processes one plays, by
the version (bots.py). A late turn is played to its end, as a day for each of its moves would be too long for
the others; with the next turn its person has a whole day again. Silence is an answer as at any table: whoever
looks on at that time may break in.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from channels.db import database_sync_to_async
from django.db.models import QuerySet
from django.utils import timezone

from companion.watching.context import TABLE
from sessions.engine.shelf import shelf
from sessions.game import GameFailed
from sessions.models import Table
from sessions.table import bots, clock, looks, silence, turn_calls
from sessions.table.turn_calls import Call, Caller

logger = logging.getLogger(__name__)

#: Seconds between two looks at all slow tables.
EVERY = 5.0
#: So long after a server began nobody is late: it may have been away for days, and people come back first.
GRACE = timedelta(minutes=10)
#: Where nobody could be let play it is tried again after twice as many looks each time, so many at most.
LONGEST_PAUSE = 512

#: A version and a seating.
Stamp = tuple[int, int]


@dataclass
class Seen:
    """A slow table as it was seen at one version and seating."""

    stamp: Stamp
    #: The seats that it waits for in the hands of bots, and of people.
    bots: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    #: True if the silence of these people is an answer.
    silent: bool = False
    #: When the people are to be called to their turn, if they are not yet, and when they are late.
    call_at: datetime | None = None
    due: datetime | None = None
    #: The seat whose late turn a bot has begun, if it goes on.
    going_on: frozenset[str] = frozenset()
    #: The looks that are left until it is tried again, and those that follow the next try in vain.
    pause: int = 0
    next_pause: int = 1


class Unattended:
    """The slow tables as a process sees them."""

    def __init__(self, grace: timedelta = GRACE) -> None:
        self._seen: dict[int, Seen] = {}
        self._caller = Caller()
        self._nobody_late_until = timezone.now() + grace

    async def look(self) -> None:
        """Look at all slow tables, and let play where it is time."""
        for pk in await database_sync_to_async(self.look_around)():
            # A hop each: moves of people wait in the same line.
            TABLE.set(pk)
            await database_sync_to_async(partial(self.go_on, pk))()
        TABLE.set(None)
        self._caller.call(await database_sync_to_async(self.calls)())

    def look_around(self) -> list[int]:
        """Note what has changed at slow tables; return those where nothing has, and that should go on."""
        stamps = {pk: (version, seating) for pk, version, seating in running().values_list(*STAMP)}
        still = {pk: seen for pk, seen in self._seen.items() if seen.stamp == stamps.get(pk)}
        changed = [pk for pk in stamps if pk not in still]
        self._seen = still | {table.pk: see(table) for table in running().filter(pk__in=changed)}
        return [pk for pk, seen in still.items() if self._is_time(seen)]

    def go_on(self, pk: int) -> None:
        """Let a table's bots play, or one for whoever is late."""
        seen = self._seen[pk]
        version, _ = seen.stamp
        try:
            if seen.bots:
                played = bots.play_next(table_pk=pk, version=version)
            elif seen.silent:
                played = silence.take(table_pk=pk, version=version, seats=seen.people)
            else:
                played = bots.play_late(table_pk=pk, version=version, going_on=seen.going_on)
        except Exception:
            logger.exception("table %s: nobody played while nobody looked", pk)
            played = None
        if played is None:
            seen.pause, seen.next_pause = seen.next_pause, min(2 * seen.next_pause, LONGEST_PAUSE)
        elif table := running().filter(pk=pk).first():
            now = self._seen[pk] = see(table)
            # Of people who choose at the same time nobody's turn goes on: what follows is the next choice.
            if not seen.bots and len(seen.people) == 1 and now.people == seen.people:
                now.going_on = now.people

    def calls(self) -> list[Call]:
        """Return whom to call to their turn now."""
        now, found = timezone.now(), []
        for pk, seen in self._seen.items():
            if seen.call_at and seen.call_at <= now:
                seen.call_at = None
                if table := running().filter(pk=pk, version=seen.stamp[0]).first():
                    found += turn_calls.due(table, seen.people)
        return found

    def _is_time(self, seen: Seen) -> bool:
        if seen.pause:
            seen.pause -= 1
            return False
        now = timezone.now()
        late = seen.due is not None and seen.due <= now and self._nobody_late_until <= now
        return bool(seen.bots or seen.silent or seen.going_on) or late


STAMP = ("pk", "version", "session__seating")


def running() -> QuerySet[Table]:
    """Return the slow tables that go on."""
    slow = Table.objects.filter(clock__gte=Table.DAY, ended_at=None, session__ended_at=None)
    return slow.select_related("session")


def see(table: Table) -> Seen:
    """Return what there is to see of a slow table as it was read; nothing where its game fails."""
    seen = Seen((table.version, table.session.seating))
    try:
        module = shelf()[table.module]
        state = module.load(bytes(table.snapshot))
        waited = set(looks.waiting(table, state))
    except (GameFailed, LookupError):
        return seen  # Its own page says so.
    hands = {sits.key: bool(sits.bot) for sits in table.table_seats.all() if sits.key in waited}
    seen.bots = frozenset(key for key, bot in hands.items() if bot)
    seen.people = frozenset(key for key, bot in hands.items() if not bot)
    seen.silent = silence.are_asked(module, state, seen.people)
    if seen.people:
        since = clock.since(table)
        seen.call_at, seen.due = since + turn_calls.AFTER, since + timedelta(seconds=table.clock)
    return seen
