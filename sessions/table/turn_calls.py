"""At a slow table people are called to their turn, once a turn, while no page of theirs shows the evening.

What a call says is known to everybody at the table: the game, and that it waits for this seat. It goes out
after the move was committed and far from its way: a look at slow tables (unattended.py) finds whom to call.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from channels.db import database_sync_to_async
from django.db.models import Max
from django.utils.translation import gettext as _

from companion.accounts import turn_mail
from companion.models import Person
from companion.push import sending
from companion.push.sending import Letter
from sessions.evening import presence
from sessions.models import Table, TableSeat
from sessions.table.titles import title_of

logger = logging.getLogger(__name__)

#: So long after a table moved last people are called: a page that was open when it did has given a sign of
#: life since, and then its person knows, or it counts as away.
AFTER = timedelta(seconds=presence.AWAY_AFTER + 5)
#: Seconds until a call is tried once more that nobody took.
AGAIN = (60.0, 600.0)
#: So many calls at once.
AT_ONCE = 4


class Call(NamedTuple):
    """A person who is called to their turn at a table."""

    person: Person
    table: Table


def due(table: Table, keys: Collection[str]) -> list[Call]:
    """Return who is called of the people on these seats, which the table waits for; all count as called now.

    Whoever has a page of the evening open knows, and needs no call.
    """
    sits = table.table_seats.filter(key__in=keys, bot="", seat__removed_at=None).select_related(
        "seat__person__user", "seat__stand_in__person__user"
    )
    calls = []
    for each in sits:
        assert each.seat
        player = each.seat.stand_in or each.seat
        here = presence.of([player.pk])[player.pk] == "here"
        if _is_first(each) and not here:
            calls.append(Call(player.person, table))
    return calls


def _is_first(sits: TableSeat) -> bool:
    """True if nobody, in no process, has called this seat to its present turn; it is called now."""
    newest = sits.table.moves.filter(seat=sits.key).aggregate(newest=Max("number"))["newest"] or 0
    if sits.called_after == newest:
        return False
    rows = TableSeat.objects.filter(pk=sits.pk, called_after=sits.called_after)
    return bool(rows.update(called_after=newest))


def words(table: Table) -> Letter:
    """Return what a call says, in the language that is active."""
    body = _("%(evening)s: it is your turn.") % {"evening": table.session.name}
    return Letter(title_of(table), body, table.get_absolute_url())


class Caller:
    """Calls people without holding anybody up."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def call(self, calls: Collection[Call]) -> None:
        """Let these people be called from now on, in each way that they asked for."""
        for call in calls:
            said = partial(words, call.table)
            push = partial(sending.send, call.person, said, seconds=call.table.clock)
            for send in (push, partial(turn_mail.send, call.person, said)):
                task = asyncio.create_task(self._call(call, send))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _call(self, call: Call, send: Callable[[], bool]) -> None:
        for pause in (0.0, *AGAIN):
            await asyncio.sleep(pause)
            async with self._turns:
                try:
                    # In a thread of its own: moves do not wait for push services or mail.
                    if await database_sync_to_async(send, thread_sensitive=False)():
                        return
                except Exception:
                    logger.exception("table %s: somebody was not called", call.table.pk)
