"""The websockets of each kind of page: a table's page with its moves, a table face, and the session's page.

``TableWatcher`` has what a table's page and a table face share: both show a table and follow its changes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

from companion.fallback.outages import NO_DATABASE
from companion.observability import metrics
from companion.server.threads import WATCH, run_in_lane
from sessions.evening import announcements
from sessions.game import GameFailed, IllegalMove
from sessions.live import regions
from sessions.live.consumer_base import GONE, LiveConsumer
from sessions.live.hub import LiveTable, hub
from sessions.live.page_base import NOTHING_HERE, PLACE, PageEntry, PagePlace, TableWatch
from sessions.live.pages import FacePage, LobbyPage, TablePage
from sessions.live.sockets import (
    EmoteFrame,
    Frame,
    LessonFrame,
    MoveFrame,
    NudgeFrame,
    ReadingFrame,
    RevealFrame,
    SheetClosedFrame,
    SheetOpenedFrame,
    TempoFrame,
)
from sessions.live.timers import Tempo
from sessions.table import bots, commit, moves, undo_window

logger = logging.getLogger(__name__)
Submitted = tuple[moves.Receipt, list[commit.Job]]


class TableWatcher(LiveConsumer):
    """A page that shows a table: it renders the cached state for its screen."""

    page: TablePage | FacePage
    live_table: LiveTable | None = None
    watch: TableWatch
    watched_pk: int | None = None
    is_stalled = False
    tempo: Tempo = "usual"
    usual_tempo: Tempo = "usual"

    async def connect(self) -> None:
        self.open_sheets: set[str] = set()
        self.has_changed, self.turn = asyncio.Event(), asyncio.Lock()
        await super().connect()

    async def join_groups(self) -> None:
        await self.show_stall()  # Entering a stalled table waits, too.
        await super().join_groups()

    async def start_pushes(self, entry: PageEntry) -> None:
        if entry.watch:
            await self.watch_table(entry.watch)
        await super().start_pushes(entry)
        await self.show_stall()

    async def watch_table(self, watch: TableWatch) -> None:
        """Show a table and keep it up to date from now on."""
        self.watch, self.watched_pk = watch, watch.table_pk
        # Join before reading: a move between the two is announced, not lost.
        self.live_table = await hub().join(watch.table_pk, self)
        # Always read it again: a page may have reconnected because a message was lost.
        await self.live_table.reload()
        await self.push_table()
        self.tasks.append(asyncio.create_task(self.push_changes()))

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.watched_pk:
            await hub().leave(self.watched_pk, self)

    def note_change(self) -> None:
        self.has_changed.set()

    def reset_tempo(self) -> None:
        self.tempo = self.usual_tempo

    async def push_changes(self) -> None:
        while True:
            await self.has_changed.wait()
            await self.show_stall()
            if not self.has_changed.is_set():
                continue  # A move's answer has pushed this change before its task came here.
            try:
                await self.push_table()
            except NO_DATABASE as problem:
                await self.send_outage(problem)
            except GameFailed as failure:
                logger.exception("table %s: %s", self.watched_pk, failure)
                await self.close(GONE)
                return
            except Exception:
                # The page keeps what it shows; the next change tries again.
                logger.exception("a %s page was not drawn", self.kind)

    async def show_stall(self) -> None:
        """Tell the page if its table has stalled, or goes on again."""
        stalled = WATCH.is_stalled(self.live_table.lane if self.live_table else self.lane)
        if stalled != self.is_stalled:
            self.is_stalled = stalled
            await self.reply(stalled=int(stalled))

    async def push_table(self) -> None:
        """Send the regions of the table that differ from what this page already shows, and its clocks."""
        live = self.live_table
        assert live
        async with self.turn:
            self.has_changed.clear()
            if not await self.update_screen():
                return
            view = live.screen_view(self)
            html: dict[str, str] = {
                name: view.render_region(name) for name in view.visible_regions(self.open_sheets)
            }
            # The version comes last: a page that reports it already shows that version of the table.
            html["pulse"] = regions.pulse_element(view.seat_view, live.shown_at, bots=view.bots_play)
            await self.send_changes(html)
            if view.cached.table.clock:
                await self.reply(clock=live.clock_values())
            left = live.timers.seconds_to_silence(self.screen.seat)
            if left is not None:
                await self.reply(silence={"left": round(left, 1), "of": bots.REACTION_SECONDS})
            if view.grace == "own":
                left = undo_window.seconds_to_take_back(view.cached.table)
                await self.reply(grace={"version": view.cached.version, "left": round(left, 1)})

    async def update_screen(self) -> bool:
        """Update this page's screen if the seating changed; return True if it may still show the table."""
        assert self.live_table
        assert self.live_table.cached
        # In a loop: the seating may change again during the query.
        while self.live_table.cached.seating > self.watch.seating:
            try:
                watch = await run_in_lane(self.lane, self.page.read_watch)
            except NOTHING_HERE:
                await self.close(GONE)
                return False
            if watch is None or watch.table_pk != self.live_table.pk:
                return False  # The page is about to go on to another table.
            self.watch = watch
        return True

    @property
    def screen(self) -> regions.Screen:
        return self.watch.screen

    async def recover_lost_messages(self) -> None:
        had_data = self.has_data
        await super().recover_lost_messages()
        if self.live_table and not had_data:
            self.note_change()
            await self.reload_table()

    async def session_changed(self, event: dict[str, Any]) -> None:
        await super().session_changed(event)
        if self.live_table and not event["parts"]:
            await self.reload_table()

    async def seat_emoted(self, event: dict[str, Any]) -> None:
        if event["table"] == self.watched_pk:
            await self.reply(emote=event["emote"])

    async def reload_table(self, *numbers: int) -> None:
        """Read the table again; the page shows the result."""
        assert self.live_table
        with suppress(*NOTHING_HERE):
            await self.live_table.reload(*numbers)
        # A push is due or under way: return only after it was sent.
        if self.has_changed.is_set() or self.turn.locked():
            try:
                await self.push_table()
            except Exception:
                self.note_change()  # The task of the pushes tries again, and tells what is wrong.
                raise


class TableConsumer(TableWatcher):
    kind = "table"

    @property
    def lane(self) -> str:
        return commit.table_group(self.table_page.table_pk)

    def make_page(self) -> TablePage:
        return TablePage(
            self.scope["person"],
            self.scope["url_route"]["kwargs"]["pk"],
            self.origin,
            self.represented_pk,
            self.place_number,
        )

    async def answer_frame(self, frame: Frame) -> bool:
        match frame:
            case NudgeFrame(key):
                with suppress(*NOTHING_HERE):
                    await run_in_lane(self.lane, self.table_page.nudge, key)
            case RevealFrame(version):
                with suppress(*NOTHING_HERE):
                    await run_in_lane(self.lane, self.end_undo_window, version)
            case ReadingFrame(reads) if self.live_table and self.screen.seat:
                await self.live_table.timers.delay_timeout(self.screen.seat, reads=reads)
            case LessonFrame(reads) if self.live_table and self.screen.seat:
                await self.live_table.pause_clock(self.screen.seat, reads=reads)
            case TempoFrame(tempo):
                self.set_tempo(tempo)
            case EmoteFrame(kind) if kind in announcements.EMOTES:
                with suppress(*NOTHING_HERE):
                    await run_in_lane(self.lane, self.table_page.emote, kind)
            case SheetOpenedFrame(sheet):
                await self.open_sheet(sheet)
            case SheetClosedFrame(sheet):
                self.open_sheets.discard(sheet)
            case MoveFrame():
                self.is_playing = True
                try:
                    return await self.answer_move(frame)
                finally:
                    self.is_playing = False
            case _:
                return await super().answer_frame(frame)
        return False

    def set_tempo(self, tempo: Tempo) -> None:
        """Set the tempo that this page's reader wants for bots; a slower choice of another player wins."""
        if tempo != "now":
            self.usual_tempo = tempo
        self.tempo = tempo
        if self.live_table:
            self.live_table.timers.apply_tempos()

    async def open_sheet(self, sheet: str) -> None:
        """Show the content of a bottom sheet until it is closed."""
        if self.live_table and self.live_table.cached and sheet in self.live_table.screen_view(self).sheets:
            self.open_sheets.add(sheet)
            await self.push_table()

    async def answer_move(self, frame: MoveFrame) -> bool:
        """Play a move and answer it; return True if it counts."""
        began = time.perf_counter()
        # A move that was sent twice waits for its first answer (FrameLimit): none is refused that may count.
        if WATCH.is_stuck(self.lane):
            await self.refuse(frame.id, "stalled")
            return False
        try:
            receipt, jobs = await self.play_with_retry(frame)
        except NO_DATABASE:
            raise  # No answer: the page keeps the move, and sends it again.
        except Exception as problem:  # noqa: BLE001 (the player's page must not end for it)
            await self.refuse_move(frame, problem)
            return False
        # The push comes before the receipt: a player who sees "played" also sees the table it led to.
        with suppress(Exception):
            await self.reload_table(receipt.version)
        await self.reply(accepted=receipt.version, id=str(frame.id))
        metrics.MOVE_DURATION.observe(time.perf_counter() - began)
        if jobs:
            await run_in_lane(self.lane, commit.run_jobs, jobs)
        return not receipt.is_repeated

    async def refuse_move(self, frame: MoveFrame, problem: Exception) -> None:
        seat_pk = self.seat.pk if self.seat else None
        at = f"table {self.table_page.table_pk} at {frame.version}: the move {frame.kind} of seat {seat_pk}"
        if isinstance(problem, IllegalMove):
            if problem.__cause__:  # The move is malformed: the form in its template is wrong.
                logger.info("%s: %s", at, problem.__cause__)
            if not self.is_closed:
                await self.refuse(frame.id, problem.code, **problem.details)
                await self.reload_table()
        elif isinstance(problem, GameFailed):
            logger.error("%s: %s", at, problem, exc_info=problem)
            await self.refuse(frame.id, "game_failed")
        elif isinstance(problem, NOTHING_HERE):
            await self.close(GONE)
        else:
            logger.error("%s failed", at, exc_info=problem)
            await self.refuse(frame.id, "our_fault")

    def end_undo_window(self, version: int) -> None:
        """Reveal now the cards that the newest move of this page's seat drew. The page gets no answer."""
        self.watch = self.table_page.read_watch()
        moves.end_undo_window(table_pk=self.watch.table_pk, seat=self.watch.screen.seat, version=version)

    async def play_with_retry(self, frame: MoveFrame) -> Submitted:
        """Play a move; retry once after a database failure. Its id prevents that it is played twice."""
        with suppress(*NO_DATABASE):
            return await run_in_lane(self.lane, self.play_as_seat, frame)
        return await run_in_lane(self.lane, self.play_as_seat, frame)

    def play_as_seat(self, frame: MoveFrame) -> Submitted:
        """Play a move as the seat of this page.

        :raises IllegalMove: as ``moves.submit``; ``not_seated`` for spectators.
        """
        with commit.defer_jobs() as jobs:
            while True:
                watch = self.watch
                if watch.screen.seat is None:
                    raise IllegalMove("not_seated")
                request = moves.MoveRequest(
                    seat=watch.screen.seat,
                    client_id=frame.id,
                    raw=bytes(frame.move),
                    version=frame.version,
                    asked=frame.asked,
                    seating=watch.seating,
                    stand_in=watch.stand_in,
                )
                try:
                    return moves.submit(watch.table_pk, request), jobs
                except moves.SeatingChanged:
                    self.watch = self.table_page.read_watch()

    @property
    def table_page(self) -> TablePage:
        assert isinstance(self.page, TablePage)
        return self.page


class FaceConsumer(TableWatcher):
    kind = "face"
    join_only = False

    def __init__(self, *, join_only: bool = False) -> None:
        super().__init__()
        self.join_only = join_only

    def make_page(self) -> FacePage:
        return FacePage(
            str(self.scope["url_route"]["kwargs"]["key"]), self.origin, self.join_only, self.chosen_table_pk
        )

    def answer_ping(self) -> str:
        """Check the place, too: a move at another table is not announced to this page."""
        self.request_regions(PLACE)
        return super().answer_ping()

    async def go_to(self, place: PagePlace) -> None:
        """Send the face to another table, even to one that was opened earlier."""
        if place.number and place.number != self.place_number:
            self.place_number = place.number
            await self.reply(go=place.url)


class LobbyConsumer(LiveConsumer):
    kind = "lobby"

    def make_page(self) -> LobbyPage:
        return LobbyPage(self.scope["person"], self.scope["url_route"]["kwargs"]["pk"], self.origin)
