"""The websocket of a page that shows a table."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from channels.db import database_sync_to_async

from companion.steady.outages import NO_DATABASE
from sessions.game import GameFailed
from sessions.screen import regions
from sessions.screen.face_page import FacePage
from sessions.screen.live_table import LiveTable, hub
from sessions.screen.pacing import Tempo
from sessions.screen.page import NOTHING_HERE, PageEntry, TableWatch
from sessions.screen.sockets.live import GONE, LiveConsumer
from sessions.screen.table_page import TablePage
from sessions.table import silence, veil

logger = logging.getLogger(__name__)


class TableWatcher(LiveConsumer):
    """A page that shows a table: it renders the held state for its screen."""

    shown: TablePage | FacePage
    live: LiveTable | None = None
    watch: TableWatch
    followed: int | None = None
    tempo: Tempo = "usual"
    usual_tempo: Tempo = "usual"

    async def connect(self) -> None:
        self.opened: set[str] = set()
        self.woken, self.turn = asyncio.Event(), asyncio.Lock()
        await super().connect()

    async def begin(self, entry: PageEntry) -> None:
        if entry.watch:
            await self.follow(entry.watch)
        await super().begin(entry)

    async def follow(self, watch: TableWatch) -> None:
        """Show a table and keep it up to date from now on."""
        self.watch, self.followed = watch, watch.table_pk
        # Join before reading: a move between the two is announced, not lost.
        self.live = await hub().join(watch.table_pk, self)
        # Always read it again: a page may have reconnected because a message was lost.
        await self.live.renew()
        await self.catch_up()
        self.tasks.append(asyncio.create_task(self.keep_up()))

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.followed:
            await hub().leave(self.followed, self)

    def wake(self) -> None:
        self.woken.set()

    def reset_tempo(self) -> None:
        self.tempo = self.usual_tempo

    async def keep_up(self) -> None:
        while True:
            await self.woken.wait()
            try:
                await self.catch_up()
            except NO_DATABASE as problem:
                await self.go_without_data(problem)
            except GameFailed as failure:
                logger.exception("table %s: %s", self.followed, failure)
                await self.nothing_here()
                return
            except Exception:
                # The page keeps what it shows; the next change tries again.
                logger.exception("a %s page was not drawn", self.kind)

    async def catch_up(self) -> None:
        """Send the regions of the table whose HTML differs from what this page already shows."""
        assert self.live
        async with self.turn:
            self.woken.clear()
            if not await self.may_look():
                return
            sight = self.live.seat_view(self)
            html = {name: sight.render_region(name) for name in sight.visible_regions(self.opened)}
            # The version comes last: a page that reports it already shows that version of the table.
            await self.send_changes(
                html | {"pulse": regions.pulse(sight.look, self.live.shown_at, bots=sight.bots_play)}
            )
            await self.tell_time()
            await self.tell_silence()
            if sight.grace == "own":
                left = veil.seconds_to_take_back(sight.held.table)
                await self.reply(grace={"version": sight.held.version, "left": round(left, 1)})

    async def tell_time(self) -> None:
        """Send how much time is left, if the table has a clock; the page counts down by itself."""
        if self.live and self.live.held and self.live.held.table.clock:
            await self.reply(clock=self.live.time())

    async def tell_silence(self) -> None:
        """Send how much time is left until this seat's silence counts as its answer, if it does."""
        left = self.live.pacing.seconds_to_silence(self.screen.seat) if self.live else None
        if left is not None:
            await self.reply(silence={"left": round(left, 1), "of": silence.WINDOW})

    async def may_look(self) -> bool:
        """Update this page's screen if the seating changed; return True if it may still show the table."""
        assert self.live
        assert self.live.held
        # In a loop: the seating may change again during the query.
        while self.live.held.seating > self.watch.seating:
            try:
                watch = await database_sync_to_async(self.shown.watch)()
            except NOTHING_HERE:
                await self.close(GONE)
                return False
            if watch is None or watch.table_pk != self.live.pk:
                return False  # The page is about to go on to another table.
            self.watch = watch
        return True

    @property
    def screen(self) -> regions.Screen:
        return self.watch.screen

    async def make_up_for_lost_news(self) -> None:
        had_data = self.has_data
        await super().make_up_for_lost_news()
        if self.live and not had_data:
            self.wake()
            await self.renew()

    async def session_changed(self, event: dict[str, Any]) -> None:
        await super().session_changed(event)
        if self.live and not event["parts"]:
            await self.renew()

    async def seat_emoted(self, event: dict[str, Any]) -> None:
        if event["table"] == self.followed:
            await self.reply(emote=event["emote"])

    async def renew(self, *numbers: int) -> None:
        """Read the table again; the page shows the result."""
        assert self.live
        with suppress(*NOTHING_HERE):
            await self.live.renew(*numbers)
        # A push is due or under way: return only after it was sent.
        if self.woken.is_set() or self.turn.locked():
            await self.catch_up()
