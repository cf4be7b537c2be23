"""The websocket of a table's page: its moves."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from channels.db import database_sync_to_async

from companion.steady.outages import NO_DATABASE
from companion.watching import metrics
from sessions.evening import emotes
from sessions.game import GameFailed, IllegalMove
from sessions.screen.pacing import Tempo
from sessions.screen.page import NOTHING_HERE
from sessions.screen.sockets.frames import (
    AtTempo,
    Emote,
    Frame,
    Learns,
    MoveFrame,
    Nudge,
    Reads,
    RevealFrame,
    SheetClosed,
    SheetOpened,
)
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

    async def answer(self, frame: Frame) -> bool:
        match frame:
            case Nudge(key):
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.table.nudge)(key)
            case RevealFrame(version):
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.reveal_now)(version)
            case Reads(reads) if self.live and self.screen.seat:
                await self.live.pacing.hold(self.screen.seat, reads=reads)
            case Learns(reads) if self.live and self.screen.seat:
                await self.live.learn(self.screen.seat, reads=reads)
            case AtTempo(tempo):
                self.set_tempo(tempo)
            case Emote(kind) if kind in emotes.EMOTES:
                with suppress(*NOTHING_HERE):
                    await database_sync_to_async(self.table.emote)(kind)
            case SheetOpened(sheet):
                await self.open(sheet)
            case SheetClosed(sheet):
                self.opened.discard(sheet)
            case MoveFrame():
                self.playing = True
                try:
                    return await self.play(frame)
                finally:
                    self.playing = False
            case _:
                return await super().answer(frame)
        return False

    def set_tempo(self, tempo: Tempo) -> None:
        """Set the tempo that this page's reader wants for bots; a slower choice of another player wins."""
        if tempo != "now":
            self.usual_tempo = tempo
        self.tempo = tempo
        if self.live:
            self.live.pacing.set_again()

    async def open(self, sheet: str) -> None:
        """Show the content of a bottom sheet until it is closed."""
        if self.live and self.live.held and sheet in self.live.seat_view(self).sheets:
            self.opened.add(sheet)
            await self.catch_up()

    async def play(self, asked: MoveFrame) -> bool:
        """Submit a move and answer it; return True if it counts."""
        began = time.perf_counter()
        try:
            receipt, jobs = await self.submit_surely(asked)
        except NO_DATABASE:
            raise  # No answer: the page keeps the move, and sends it again.
        except Exception as problem:  # noqa: BLE001 (the player's page must not end for it)
            await self.turn_down(asked, problem)
            return False
        # The push comes before the receipt: a player who sees "played" also sees the table it led to.
        with suppress(Exception):
            await self.renew(receipt.version)
        await self.reply(accepted=receipt.version, id=str(asked.id))
        metrics.MOVE_SECONDS.observe(time.perf_counter() - began)
        if jobs:
            await database_sync_to_async(afterwards.run)(jobs)
        return not receipt.again

    async def turn_down(self, asked: MoveFrame, problem: Exception) -> None:
        """Answer a move that was not played."""
        at = f"table {self.table.table_pk} at {asked.version}: the move {asked.kind} of seat {self.seat_pk}"
        if isinstance(problem, IllegalMove):
            if problem.__cause__:  # The move is malformed: the form in its template is wrong.
                logger.info("%s: %s", at, problem.__cause__)
            if not self.gone:
                await self.refuse(asked.id, problem.code, **problem.details)
                await self.renew()
        elif isinstance(problem, GameFailed):
            logger.error("%s: %s", at, problem, exc_info=problem)
            await self.refuse(asked.id, "game_failed")
        elif isinstance(problem, NOTHING_HERE):
            await self.nothing_here()
        else:
            logger.error("%s failed", at, exc_info=problem)
            await self.refuse(asked.id, "our_fault")

    def reveal_now(self, version: int) -> None:
        """Reveal now the cards that the newest move of this page's seat drew. The page gets no answer."""
        self.watch = self.table.watch()
        moves.end_undo_window(table_pk=self.watch.table_pk, seat=self.watch.screen.seat, version=version)

    async def submit_surely(self, asked: MoveFrame) -> Submitted:
        """Submit a move; retry once after a database failure. Its id prevents that it is played twice.

        :raises IllegalMove: as ``submit``.
        """
        submit: Callable[[MoveFrame], Awaitable[Submitted]] = database_sync_to_async(self.submit)
        with suppress(*NO_DATABASE):
            return await submit(asked)
        return await submit(asked)

    @property
    def seat_pk(self) -> int | None:
        return self.seat.pk if self.seat else None

    def submit(self, asked: MoveFrame) -> Submitted:
        """Play a move as the seat of this page.

        :raises IllegalMove: as ``moves.submit``; ``not_seated`` for spectators.
        """
        with afterwards.defer_jobs() as jobs:
            while True:
                by = self.watch
                if by.screen.seat is None:
                    raise IllegalMove("not_seated")
                request = moves.MoveRequest(
                    seat=by.screen.seat,
                    client_id=asked.id,
                    raw=bytes(asked.move),
                    version=asked.version,
                    asked=asked.asked,
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
