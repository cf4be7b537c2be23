"""The websocket of a table's page: its moves."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from channels.db import database_sync_to_async

from companion.steady.outages import NO_DATABASE
from companion.watching import metrics
from sessions.evening import emotes
from sessions.game import GameFailed, IllegalMove
from sessions.screen.page import NOTHING_HERE
from sessions.screen.sockets.frames import Wanted, move_of
from sessions.screen.sockets.watching import TableWatcher
from sessions.screen.table_page import TablePage
from sessions.table import afterwards, moves

logger = logging.getLogger(__name__)

Submitted = tuple[moves.Receipt, list[afterwards.Job]]


class TableConsumer(TableWatcher):
    kind = "table"

    def page(self) -> TablePage:
        return TablePage(
            self.scope["person"],
            self.scope["url_route"]["kwargs"]["pk"],
            self.origin,
            self.acting,
            self.placed,
        )

    async def answer(self, frame: dict[str, Any]) -> bool:
        match frame:
            case {"nudge": str(key)}:
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.table.nudge)(key)
            case {"draw": int(version)}:
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.draw_now)(version)
            case {"emote": str(kind)} if kind in emotes.WORDS:
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.table.emote)(kind)
            case {"opened": str(sheet)}:
                await self.open(sheet)
            case {"closed": str(sheet)}:
                self.opened.discard(sheet)
            case _:
                self.playing = True
                try:
                    return await self.play(frame)
                finally:
                    self.playing = False
        return False

    async def open(self, sheet: str) -> None:
        """Show the content of a bottom sheet, from now until it is closed."""
        if self.live and self.live.held and sheet in self.live.sight(self).sheets:
            self.opened.add(sheet)
            await self.catch_up()

    async def play(self, frame: dict[str, Any]) -> bool:
        """Submit the move of a frame and answer it; return whether it counts."""
        began = time.perf_counter()
        try:
            receipt, jobs = await self.submit_surely(move_of(frame))
        except IllegalMove as refusal:
            if not self.gone:
                await self.refuse(frame, refusal.code, **refusal.details)
                await self.renew()
        except GameFailed as failure:
            at = self.table.table_pk, frame.get("version"), str(frame["move"].get("type"))[:80]
            logger.exception("table %s at %s: the move %s of seat %s: %s", *at, self.seat_pk, failure)
            await self.refuse(frame, "game_failed")
        except NOTHING_HERE:
            await self.nothing_here()
        except NO_DATABASE:
            raise  # No answer: the page keeps the move, and sends it again.
        except Exception:
            # The player's page must not end for it.
            logger.exception("table %s: a move of seat %s failed", self.table.table_pk, self.seat_pk)
            await self.refuse(frame, "our_fault")
        else:
            # The push comes before the receipt: a player who sees "played" also sees the table it led to.
            with suppress(Exception):
                await self.renew(receipt.version)
            await self.reply(accepted=receipt.version, id=frame.get("id"))
            metrics.MOVE_SECONDS.observe(time.perf_counter() - began)
            if jobs:
                await database_sync_to_async(afterwards.run)(jobs)
            return not receipt.again
        return False

    def draw_now(self, version: int) -> None:
        """Turn up at once what the newest move of this page's seat drew. There is no answer."""
        self.watch = self.table.watch()
        moves.draw_now(table_pk=self.watch.table_pk, seat=self.watch.screen.seat, version=version)

    async def submit_surely(self, wanted: Wanted) -> Submitted:
        """Submit a move, once more if the database broke off: its id tells whether it was written by then.

        :raises IllegalMove: as ``submit``.
        """
        submit: Callable[[Wanted], Awaitable[Submitted]] = database_sync_to_async(self.submit)
        with suppress(*NO_DATABASE):
            return await submit(wanted)
        return await submit(wanted)

    @property
    def seat_pk(self) -> int | None:
        return self.seat.pk if self.seat else None

    def submit(self, wanted: Wanted) -> Submitted:
        """Play a move as the seat of this page.

        :raises IllegalMove: as ``moves.submit``; ``not_seated`` for spectators.
        """
        with afterwards.put_off() as jobs:
            while True:
                by = self.watch
                if by.screen.seat is None:
                    raise IllegalMove("not_seated")
                request = moves.Request(
                    seat=by.screen.seat,
                    client_id=wanted.client_id,
                    raw=wanted.raw,
                    version=wanted.version,
                    asked=wanted.asked,
                    seating=by.seating,
                    stand_in=by.stand_in,
                )
                try:
                    return moves.submit(by.table_pk, request), jobs
                except moves.Reseated:
                    self.watch = self.table.watch()

    @property
    def table(self) -> TablePage:
        assert isinstance(self.shown, TablePage)
        return self.shown
