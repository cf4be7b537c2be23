"""Turn notifications: at a slow table, notify a player of their turn, once per turn, while they are away.

A notification says only what everybody at the table knows: the game, and that it waits for this seat. It is
not sent by the request that played the move: the check of slow tables (unattended.py) finds the players.
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
from companion.push.sending import Notification
from sessions.evening import presence
from sessions.models import Table, TableSeat
from sessions.table.titles import title_of

logger = logging.getLogger(__name__)

#: The time from a table's newest move to the notification. A page that was open at the move has either sent a
#: heartbeat since, so its player knows, or counts as away.
AFTER = timedelta(seconds=presence.AWAY_AFTER + 5)
#: Seconds before each retry of a notification that was not accepted.
AGAIN = (60.0, 600.0)
#: The most notifications that are sent at a time.
AT_ONCE = 4


class TurnNotification(NamedTuple):
    """A person to notify of their turn at a table."""

    person: Person
    table: Table


def due_notifications(table: Table, keys: Collection[str]) -> list[TurnNotification]:
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
        if _is_first(each) and not here:
            calls.append(TurnNotification(player.person, table))
    return calls


def _is_first(sits: TableSeat) -> bool:
    """Mark this seat as notified of its present turn; False if any process had marked it before."""
    newest = sits.table.moves.filter(seat=sits.key).aggregate(newest=Max("number"))["newest"] or 0
    if sits.called_after == newest:
        return False
    rows = TableSeat.objects.filter(pk=sits.pk, called_after=sits.called_after)
    return bool(rows.update(called_after=newest))


def turn_notification(table: Table) -> Notification:
    """Return the notification of a turn, in the active language."""
    body = _("%(evening)s: it is your turn.") % {"evening": table.session.name}
    return Notification(title_of(table), body, table.get_absolute_url())


class TurnNotifier:
    """Sends notifications of turns in background tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def start_sending(self, calls: Collection[TurnNotification]) -> None:
        """Start sending these notifications, by push and by email, as each person has chosen."""
        for call in calls:
            said = partial(turn_notification, call.table)
            push = partial(sending.send, call.person, said, seconds=call.table.clock)
            for send in (push, partial(turn_mail.send, call.person, said)):
                task = asyncio.create_task(self._call(call, send))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _call(self, call: TurnNotification, send: Callable[[], bool]) -> None:
        for pause in (0.0, *AGAIN):
            await asyncio.sleep(pause)
            async with self._turns:
                try:
                    # In a separate thread, so that moves do not wait for push services or email.
                    if await database_sync_to_async(send, thread_sensitive=False)():
                        return
                except Exception:
                    logger.exception("table %s: somebody was not called", call.table.pk)
