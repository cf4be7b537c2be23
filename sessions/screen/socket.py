"""The websocket of one open page: moves in, changed HTML out."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from companion.drawing import parts
from companion.pages import public_origin
from companion.steady.outages import NO_DATABASE, REDIS, note
from companion.watching import metrics
from sessions.engine.contract import IllegalMove
from sessions.engine.failing import GameFailed
from sessions.evening import care_signals, emotes
from sessions.evening.codes import read_number
from sessions.evening.shares import HEX
from sessions.models import Seat
from sessions.screen import heartbeats, painting, regions
from sessions.screen.face_page import FacePage
from sessions.screen.live_table import LiveTable, hub
from sessions.screen.lobby_page import LobbyPage
from sessions.screen.pace import Pace, pace_of
from sessions.screen.page import NOTHING_HERE, Entry, Place, Watch
from sessions.screen.person import TRY_AGAIN
from sessions.screen.room import PRESENCE
from sessions.screen.table_page import TablePage
from sessions.table import afterwards, moves, veil

logger = logging.getLogger(__name__)

#: The longest frame, and how many may wait for their turn. A phone sends a move and waits for its answer.
MAX_FRAME, FRAMES_WAITING = 8192, 100
#: Our own closing codes: the page reloads and is told there why, or tries again later.
GONE, BAD_FRAME, TOO_MANY = 4404, 4400, 4429
#: The closing code of a server that failed: the page comes back.
OUR_FAULT = 1011
AFTER_CLOSE = "after sending 'websocket.close'"
Submitted = tuple[moves.Receipt, list[afterwards.Job]]


class LiveConsumer(AsyncWebsocketConsumer):
    """One open page. It holds nothing that cannot be had again from the database."""

    #: The kind of page, for the numbers of the server.
    kind = ""
    seat: Seat | None = None

    def page(self) -> LobbyPage | TablePage | FacePage:
        """Return the page this socket belongs to."""
        raise NotImplementedError

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        closed = False

        async def send_if_it_is_there(message: dict[str, Any]) -> None:
            # A page may leave, or be closed, while it is drawn. Sending to it then would end the consumer
            # without ``disconnect``: it would stay "here" and in its groups.
            nonlocal closed
            if closed:
                return
            closed = message["type"] == "websocket.close"
            try:
                await send(message)
            except OSError:
                closed = True
            except RuntimeError as problem:
                # Another word of uvicorn's for a page that has closed the line.
                if AFTER_CLOSE not in str(problem):
                    raise
                closed = True

        await super().__call__(scope, receive, send_if_it_is_there)

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Without Channels' own hop to the database thread: every hop of ours closes old connections.
        try:
            await getattr(self, get_handler_name(message))(message)
        except NO_DATABASE as problem:
            await self.go_without_data(problem)

    async def go_without_data(self, problem: Exception) -> None:
        """Let the page say that the database is away. What it sent stays unanswered, and so in its outbox."""
        note(problem)
        if self.has_entered:
            self.has_data = False
            await self.reply(data=0)
        else:
            await self.close(TRY_AGAIN)

    async def connect(self) -> None:
        metrics.SOCKETS.labels(self.kind).inc()
        self.has_entered, self.has_data, self.outages = False, True, REDIS.count
        self.sent: dict[str, str] = {}
        self.joined: list[str] = []
        #: The channels that wait for shares, by the openings of tables that this page heard of.
        self.openings: dict[str, str] = {}
        asked = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.language = _language(asked.get("lang", [""])[0])
        # For all that this page does, also in other tasks and threads: they take over what is set here.
        translation.activate(self.language)
        self.placed = read_number(asked.get("place", [""])[0])
        self.acting = read_number(asked.get("as", [""])[0])
        self.chosen = read_number(asked.get("table", [""])[0])
        self.seen: heartbeats.Seen | None = None
        self.open_twice = self.told_twice = False
        self.canvas: painting.Canvas | None = None
        self.drawn: dict[str, str] = {}
        self.drawn_place: Place | None = None
        self.room_drawn, self.has_nothing = asyncio.Event(), False
        self.lack: Exception | None = None
        self.frames: asyncio.Queue[str] = asyncio.Queue(FRAMES_WAITING)
        person = self.scope["person"]
        self.pace = pace_of((person.pk, self.scope["path"])) if person else Pace()
        self.tasks: list[asyncio.Task[None]] = []
        self.shown = self.page()
        # Accepted even when there is nothing to see: only an open socket can tell the browser why it closes.
        await self.accept()
        # Apart from what is heard: the end of a page must not wait for all that it asked for.
        self.gone = self.playing = False
        self.life = asyncio.create_task(self.live_on())

    async def live_on(self) -> None:
        """Show the page, then answer its frames in their order, until it closes."""
        try:
            await self.enter()
            self.has_entered = True
            while not self.gone:
                await self.hear(await self.frames.get())
        except NOTHING_HERE:
            await self.nothing_here()
        except NO_DATABASE as problem:
            await self.go_without_data(problem)
        except Exception:
            logger.exception("a %s page was closed", self.kind)
            await self.close(OUR_FAULT)

    async def enter(self) -> None:
        entry = await database_sync_to_async(self.shown.enter)()
        self.seat, self.joined = entry.seat, entry.groups
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)
        heartbeats.heartbeats().join(self)
        await self.go_to(entry.place)
        await self.begin(entry)

    async def begin(self, entry: Entry) -> None:
        """Show the page for the first time, and keep it up to date."""
        self.tasks.append(asyncio.create_task(self.keep_room()))
        self.canvas = painting.join(self)
        # The place once more: a change between asking and listening was not heard.
        self.want(painting.PLACE, painting.EVERYTHING)

    async def disconnect(self, code: int) -> None:
        metrics.SOCKETS.labels(self.kind).dec()
        self.gone = True
        self.pace.outlast()
        # Only a move is played to its end. Nobody waits for the answers to what else was asked.
        if not self.playing:
            self.life.cancel()
        await asyncio.wait([self.life])
        for task in self.tasks:
            task.cancel()
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        painting.leave(self)
        heartbeats.heartbeats().leave(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None or len(text_data) > MAX_FRAME:
            await self.close(BAD_FRAME)
            return
        try:
            self.frames.put_nowait(text_data)
        except asyncio.QueueFull:
            await self.close(TOO_MANY)

    async def hear(self, text: str) -> None:
        """Answer a frame when it is its turn."""
        async with self.pace:
            try:
                self.pace.spend(moved=await self.answered(parse(text)))
            except NO_DATABASE as problem:
                await self.go_without_data(problem)

    async def answered(self, frame: dict[str, Any]) -> bool:
        """Answer a frame; return whether it was a move that counts."""
        if frame == {"ping": 1}:
            await self.heartbeat()
        elif frame.keys() & {"care", "heard"}:
            await self.care(frame)
        elif "share" in frame:
            await self.give_share(frame)
        else:
            return await self.answer(frame)
        return False

    async def heartbeat(self) -> None:
        heartbeats.heartbeats().sign(self)
        await self.reply(pong=1)
        await self.make_up_for_lost_news()

    async def make_up_for_lost_news(self) -> None:
        """Look again at everything if news may have been lost: other processes are heard by Redis alone."""
        if not self.has_data:
            await database_sync_to_async(self.shown.place)()
            self.has_data = True
            await self.reply(data=1)
        elif not REDIS.lasts and self.outages == REDIS.count:
            return
        self.outages = REDIS.count
        self.want(painting.PLACE, painting.EVERYTHING)

    async def answer(self, frame: dict[str, Any]) -> bool:
        """Do as a frame of this kind of page asks; return whether it was a move that counts."""
        await self.refuse(frame, "malformed_move")
        return False

    def see(self, seen: heartbeats.Seen) -> None:
        """Show how the people here look by now, if that is another than before: silence announces nothing."""
        if seen != self.seen:
            self.seen = seen
            self.want(*PRESENCE)

    def see_twice(self, twice: bool) -> None:
        """Say soon whether this seat is open on another screen, too, if that is another than before."""
        if twice != self.open_twice:
            self.open_twice = twice
            self.room_drawn.set()

    async def care(self, frame: dict[str, Any]) -> None:
        """Pass a care signal on, or note that the GM has heard it. There is no answer."""
        if self.seat is None or isinstance(self.shown, FacePage):
            return
        match frame:
            case {"care": str(kind), "named": True} if kind in care_signals.KINDS:
                await care_signals.tell_by_name(self.seat, kind)
            case {"care": str(kind)} if kind in care_signals.KINDS:
                await care_signals.tell(self.seat.session_id, kind)
            case {"heard": str(kind)} if kind in care_signals.KINDS:
                with suppress(*NOTHING_HERE):
                    if (await database_sync_to_async(self.shown.role)()).is_gm:
                        await care_signals.heard(self.seat.session_id, kind)

    async def seat_nudged(self, event: dict[str, Any]) -> None:
        """From the channel layer: the GM waits for this seat."""
        await self.reply(nudge=1)

    async def seat_emoted(self, event: dict[str, Any]) -> None:
        """From the channel layer: a player shows an emote, which only pages of that table show."""

    async def fate_told(self, event: dict[str, Any]) -> None:
        """From the channel layer: a table opens, and asks this page for a part in its chance (shares.py)."""
        if self.seat:
            self.openings[event["fate"]["opening"]] = event["to"]
            await self.reply(fate=event["fate"])

    async def give_share(self, frame: dict[str, Any]) -> None:
        """Pass on what the page gives to the table that is opening. There is no answer."""
        match frame:
            case {"share": str(share), "opening": str(opening)} if self.seat and HEX.fullmatch(share):
                if channel := self.openings.get(opening):
                    await self.channel_layer.send(channel, {"seat": self.seat.pk, "share": share})

    async def session_changed(self, event: dict[str, Any]) -> None:
        """From the channel layer: a seat came or went, or the evening changed."""
        self.want(*(event["parts"] or [painting.PLACE, painting.EVERYTHING]))

    def want(self, *parts: str) -> None:
        """Let regions of the evening be drawn again as soon as it is this page's turn."""
        if self.canvas:
            self.canvas.want(*parts)

    def show_room(self, place: Place | None, html: dict[str, str]) -> None:
        self.drawn_place, self.drawn = place or self.drawn_place, self.drawn | html
        self.room_drawn.set()

    def leave_room(self) -> None:
        self.has_nothing = True
        self.room_drawn.set()

    def lack_data(self, problem: Exception) -> None:
        self.lack = problem
        self.room_drawn.set()

    async def keep_room(self) -> None:
        """Send the evening whenever it was drawn anew."""
        while True:
            await self.room_drawn.wait()
            self.room_drawn.clear()
            if self.has_nothing:
                await self.nothing_here()
                return
            if self.lack:
                lack, self.lack = self.lack, None
                await self.go_without_data(lack)
            if self.open_twice != self.told_twice:
                self.told_twice = self.open_twice
                await self.reply(twice=int(self.told_twice))
            place, html = self.drawn_place, self.drawn
            self.drawn_place, self.drawn = None, {}
            if place:
                await self.go_to(place)
            await self.send_changed(html)

    async def nothing_here(self) -> None:
        await self.close(GONE)

    async def go_to(self, place: Place) -> None:
        """Send the page where it belongs by now, if that is not what it was drawn for."""
        if place.number > self.placed:
            self.placed = place.number
            await self.reply(go=place.url)

    async def send_changed(self, html: dict[str, str]) -> None:
        """Send the regions whose HTML differs from what this page already shows."""
        changed = {name: drawn for name, drawn in html.items() if self.sent.get(name) != drawn}
        if changed:
            patches = {name: parts.patch(self.sent.get(name, ""), drawn) for name, drawn in changed.items()}
            self.sent |= changed
            # Every push says which version of the table the page shows by now.
            mark = {"pulse": self.sent["pulse"]} if "pulse" in self.sent else {}
            await self.send(regions.push(patches | mark))

    async def refuse(self, frame: dict[str, Any], code: str, **details: Any) -> None:
        metrics.REFUSALS.labels(code).inc()
        reason = await database_sync_to_async(self.shown.explain)(code, details)
        await self.reply(refused=code, id=frame.get("id"), reason=reason, rule=details.get("rule"))

    async def reply(self, **fields: object) -> None:
        await self.send(json.dumps(fields))

    @property
    def origin(self) -> str:
        host = dict(self.scope["headers"]).get(b"host", b"").decode("latin-1")
        return public_origin.origin("https" if settings.HTTPS else "http", host)


class LobbyConsumer(LiveConsumer):
    kind = "lobby"

    def page(self) -> LobbyPage:
        return LobbyPage(self.scope["person"], self.scope["url_route"]["kwargs"]["pk"], self.origin)


class TableWatcher(LiveConsumer):
    """A page that shows a table: the held state, drawn for this screen."""

    shown: TablePage | FacePage
    live: LiveTable | None = None
    watch: Watch
    followed: int | None = None

    async def connect(self) -> None:
        self.opened: set[str] = set()
        self.woken, self.turn = asyncio.Event(), asyncio.Lock()
        await super().connect()

    async def begin(self, entry: Entry) -> None:
        if entry.watch:
            await self.follow(entry.watch)
        await super().begin(entry)

    async def follow(self, watch: Watch) -> None:
        """Show a table and all that happens there from now on."""
        self.watch, self.followed = watch, watch.table_pk
        # Listen first, look second: a move between the two is announced, not lost.
        self.live = await hub().join(watch.table_pk, self)
        # In any case: a page that comes back may do so because a message was lost.
        await self.live.renew()
        await self.catch_up()
        self.tasks.append(asyncio.create_task(self.keep_up()))

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.followed:
            await hub().leave(self.followed, self)

    def wake(self) -> None:
        self.woken.set()

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
            sight = self.live.sight(self)
            html = {name: sight.draw(name) for name in sight.shown(self.opened)}
            # The version last: a page that tells of it shows the table it belongs to.
            await self.send_changed(html | {"pulse": regions.pulse(sight.look)})
            await self.tell_time()
            if sight.grace == "own":
                left = veil.seconds_to_take_back(sight.held.table)
                await self.reply(grace={"version": sight.held.version, "left": round(left, 1)})

    async def tell_time(self) -> None:
        """Say how much time is left, where the table has a clock: the page counts on by itself."""
        if self.live and self.live.held and self.live.held.table.clock:
            await self.reply(clock=self.live.time())

    async def may_look(self) -> bool:
        """Find out what this page may see, if that may have changed."""
        assert self.live
        assert self.live.held
        # Again and again: the evening may change while the database is asked about it.
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
        """Let the table be read again; the page shows the result."""
        assert self.live
        with suppress(*NOTHING_HERE):
            await self.live.renew(*numbers)
        # Or it is being shown: not before it was does anybody hear of it.
        if self.woken.is_set() or self.turn.locked():
            await self.catch_up()


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


class FaceConsumer(TableWatcher):
    kind = "face"
    join_only = False

    def __init__(self, *, join_only: bool = False) -> None:
        super().__init__()
        self.join_only = join_only

    def page(self) -> FacePage:
        return FacePage(
            str(self.scope["url_route"]["kwargs"]["key"]), self.origin, self.join_only, self.chosen
        )

    async def heartbeat(self) -> None:
        """Look where the play is, too: a move at another table is not announced here."""
        await super().heartbeat()
        self.want(painting.PLACE)

    async def go_to(self, place: Place) -> None:
        """Send the face to another table, also to one that was opened before."""
        if place.number and place.number != self.placed:
            self.placed = place.number
            await self.reply(go=place.url)


def _language(wanted: str) -> str:
    return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def parse(text: str) -> dict[str, Any]:
    """Return the fields of a frame; an empty one if it is no JSON object."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


class Wanted(NamedTuple):
    """A move as a page asks for it: ``{"id": UUID, "version": n, "asked": mark, "move": {…}}``."""

    client_id: uuid.UUID
    raw: bytes
    version: int
    asked: str


def move_of(frame: dict[str, Any]) -> Wanted:
    """Return the move that a frame asks for.

    :raises IllegalMove: ``malformed_move``.
    """
    match frame:
        case {"id": str(client_id), "version": int(version), "asked": str(asked), "move": dict(move)}:
            with suppress(ValueError, RecursionError):
                return Wanted(uuid.UUID(client_id), json.dumps(move).encode(), version, asked)
    raise IllegalMove("malformed_move")
