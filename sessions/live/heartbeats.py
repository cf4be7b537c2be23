"""The heartbeats of this process' pages, batched, and the database queries that all pages share.

A heartbeat costs one reply: those of a second are recorded together. Presence, missing people and lost
messages about tables are looked up once for all pages of the process, not once a page. Messages about
presence are batched as well: when all phones of a table connect at once, each page is rendered once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from companion.fallback.outages import NO_DATABASE
from companion.server.threads import CHORES, WATCH, run_in_lane
from sessions.evening import presence, safety
from sessions.evening.announcements import session_group
from sessions.evening.presence import Sign
from sessions.live.hub import LiveTable, hub
from sessions.live.page_base import OpenPage
from sessions.live.session_regions import PRESENCE
from sessions.models import Role, Seat, Table
from sessions.table import table_cache

logger = logging.getLogger(__name__)
#: Seconds until the arrival or the end of a page is recorded, together with all that came in that time.
COLLECT_FOR = 0.2
#: The same for the heartbeat of an open page, as a multiple: it changes nothing that pages show.
HEARTBEATS_WAIT = 5
#: Seconds between two rounds of database queries for all pages.
CHECK_EVERY = 5.0
#: The presence that a page shows: at the GM's page that of all seats; at others the GM's silence, and the
#: seats whose people have left, each with whether they are missed.
PresenceValues = tuple[Any, ...]
#: The presence in a session as the GM's page shows it, and as all other pages do.
SessionPresence = tuple[PresenceValues, PresenceValues]
#: Seconds between the first arrival and the one message to the session's pages about all arrivals until then.
COLLECT_PRESENCE_FOR = 1.0


class Heartbeats:
    """Collects the heartbeats of one event loop's pages."""

    def __init__(self) -> None:
        self.pages: set[OpenPage] = set()
        self._signs: list[tuple[Sign, Sequence[int]]] = []
        #: The seats that had several live pages when a heartbeat of a page here was last recorded for them.
        self._several: set[int] = set()
        self._record_timer: asyncio.TimerHandle | None = None
        self._recordings: set[asyncio.Task[None]] = set()
        #: The announcements of presence that are under way, by session.
        self._announcing: dict[int, asyncio.Task[None]] = {}
        self._asking: asyncio.Task[None] | None = None

    def join(self, page: OpenPage) -> None:
        self.pages.add(page)
        self._queue_sign(page, COLLECT_FOR)
        if self._asking is None:
            self._asking = asyncio.create_task(self._check_regularly())

    def leave(self, page: OpenPage) -> None:
        self.pages.discard(page)
        self._queue_sign(page, COLLECT_FOR, is_open=False)

    def queue_heartbeat(self, page: OpenPage) -> None:
        """Queue the heartbeat of an open page to be recorded with the next batch."""
        self._queue_sign(page, HEARTBEATS_WAIT * COLLECT_FOR)

    def _queue_sign(self, page: OpenPage, seconds: float, *, is_open: bool = True) -> None:
        """Queue a sign of a page; it is recorded within these seconds, and all earlier ones with it."""
        if page.seat is None:
            return
        self._signs.append((Sign(page.seat.pk, page.channel_name, is_open), page.sharing_pks))
        loop, timer = asyncio.get_running_loop(), self._record_timer
        if timer is None or timer.when() > loop.time() + seconds:
            if timer:
                timer.cancel()
            self._record_timer = loop.call_later(seconds, self._start_recording)

    def _start_recording(self) -> None:
        signs, self._signs, self._record_timer = self._signs, [], None
        task = asyncio.create_task(self._record(signs))
        self._recordings.add(task)
        task.add_done_callback(self._recordings.discard)

    async def _record(self, signs: list[tuple[Sign, Sequence[int]]]) -> None:
        try:
            sessions, several = await run_in_lane(CHORES, record_signs, signs)
            self._several = self._several - {sign.seat_pk for sign, _ in signs} | several
            for session_pk in sessions:
                self._announce_soon(session_pk)
        except NO_DATABASE:
            pass  # A page that waits for the database reports the outage.
        except Exception:
            # Only the presence display depends on it, and every page soon sends another heartbeat.
            logger.exception("%d signs of life not noted", len(signs))

    def _announce_soon(self, session_pk: int) -> None:
        """Announce to a session's pages, with all others of the next second, that a presence changed."""
        if session_pk not in self._announcing:
            task = self._announcing[session_pk] = asyncio.create_task(_announce(session_pk))
            task.add_done_callback(lambda _: self._announcing.pop(session_pk, None))

    async def _check_regularly(self) -> None:
        while self.pages:
            await asyncio.sleep(CHECK_EVERY)
            try:
                await self._update_presence()
                await self._update_open_twice()
                await self._reload_outdated_tables()
                sessions = {page.seat.session_id for page in self.pages if page.seat}
                await run_in_lane(CHORES, safety.announce_due_proposals, sessions)
            except NO_DATABASE as problem:
                for page in self.pages:
                    page.note_outage(problem)
            except Exception:
                # The pages keep what they show until the next round.
                logger.exception("nothing asked for %d pages", len(self.pages))
        self._asking = None

    async def _update_presence(self) -> None:
        by_session: dict[int, list[OpenPage]] = defaultdict(list)
        for page in self.pages:
            if page.seat:
                by_session[page.seat.session_id].append(page)
        found = await run_in_lane(CHORES, presence_by_session, list(by_session))
        for session_pk, pages in by_session.items():
            everybody, others = found.get(session_pk, ((), ()))
            for page in pages:
                page.update_presence(everybody if page.seat and page.seat.is_gm else others)

    async def _update_open_twice(self) -> None:
        twice = await run_in_lane(CHORES, presence.seats_open_twice, self._several) if self._several else ()
        for page in self.pages:
            page.update_open_twice(page.seat is not None and page.seat.pk in twice)

    @staticmethod
    async def _reload_outdated_tables() -> None:
        """Reload tables whose news were lost. The round does not wait for a table that stalls."""
        tables = dict(hub().tables)
        known = [live.cached for live in tables.values() if live.cached]
        outdated = [tables[pk] for pk in await run_in_lane(CHORES, table_cache.find_outdated, known)]
        reloads = [asyncio.create_task(_reload(live)) for live in outdated if not WATCH.is_stalled(live.lane)]
        done, _late = await asyncio.wait(reloads, timeout=CHECK_EVERY) if reloads else ((), ())
        for task in done:
            task.result()


async def _reload(live: LiveTable) -> None:
    with suppress(Table.DoesNotExist):
        await live.reload()


def record_signs(given: list[tuple[Sign, Sequence[int]]]) -> tuple[set[int], set[int]]:
    """Record heartbeats, each with the pks of the other people who share its page's device.

    :return: the sessions whose presence display changes, and the seats that have several live pages.
    """
    own = [sign for sign, _ in given]
    several, changed = presence.note_open_pages(own), presence.note_signs([*own, *_signs_of_others(given)])
    seats = Seat.objects.filter(pk__in=changed)
    return set(seats.values_list("session", flat=True)) if changed else set(), several


def _signs_of_others(given: list[tuple[Sign, Sequence[int]]]) -> list[Sign]:
    """Return heartbeats for the seats that the others at a page's device have in the same session."""
    return [
        Sign(pk, sign.connection, sign.is_open, is_beside=True)
        for sign, beside in given
        if beside
        for pk in Seat.objects.filter(
            session__seats=sign.seat_pk, person__in=beside, removed_at=None
        ).values_list("pk", flat=True)
    ]


def presence_by_session(session_pks: list[int]) -> dict[int, SessionPresence]:
    seats = Seat.objects.filter(session__in=session_pks, removed_at=None).order_by("pk")
    rows = list(seats.values_list("session", "pk", "role"))
    presences = presence.seat_presences(pk for _, pk, _ in rows)
    found: dict[int, SessionPresence] = {}
    for session, pk, role in rows:
        everybody, others = found.get(session, ((), ()))
        _state, missed, left = presences[pk]
        news = (*((missed,) if role == Role.GM else ()), *(((pk, missed != ""),) if left else ()))
        found[session] = (*everybody, (pk, *presences[pk])), (*others, *news)
    return found


_heartbeats: WeakKeyDictionary[asyncio.AbstractEventLoop, Heartbeats] = WeakKeyDictionary()


def heartbeats() -> Heartbeats:
    return _heartbeats.setdefault(asyncio.get_running_loop(), Heartbeats())


async def _announce(session_pk: int) -> None:
    await asyncio.sleep(COLLECT_PRESENCE_FOR)
    message = {"type": "session.changed", "parts": sorted(PRESENCE)}
    try:
        await get_channel_layer().group_send(session_group(session_pk), message)
    except Exception:
        # Only a display depends on it; the next arrival or heartbeat shows it.
        logger.exception("session %s: nobody told who is here", session_pk)
