"""The websocket of any open page."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from companion import shared_time
from companion.fallback.outages import NO_DATABASE, REDIS, record_database_error
from companion.identity import people
from companion.observability import metrics
from companion.pages import reach
from companion.rendering import markup
from companion.requests import read_number
from companion.server.threads import run_in_lane
from sessions.evening import safety
from sessions.evening.shares import HEX
from sessions.live import heartbeats
from sessions.live.page_base import (
    COLLECT_FOR,
    EVERYTHING,
    NOTHING_HERE,
    PLACE,
    PageEntry,
    PagePlace,
    RegionRenderer,
    join_renderer,
    leave_renderer,
)
from sessions.live.pages import FacePage, LobbyPage, TablePage
from sessions.live.session_regions import PRESENCE
from sessions.live.sockets import (
    TRY_AGAIN,
    CareFrame,
    CareHeardFrame,
    Frame,
    FrameLimit,
    MoveFrame,
    PingFrame,
    ShareFrame,
    UnreadableFrame,
    current_person,
    frame_limit_of,
    read_frame,
)
from sessions.models import Seat

logger = logging.getLogger(__name__)
#: Seconds after which an open page checks its person again, without a message that asks for it.
CHECK_PERSON_EVERY = 60
#: The longest frame, and how many may be queued. A phone sends a move and waits for its answer.
MAX_FRAME, FRAMES_WAITING = 8192, 100
#: Our own close codes: the page reloads and shows the reason there; after TOO_MANY it reconnects later.
GONE, BAD_FRAME, TOO_MANY = 4404, 4400, 4429
#: The close code of a server error: the page reconnects.
OUR_FAULT = 1011
#: The heartbeat as static/js/live.js sends it.
PING = '{"ping": 1}'
AFTER_CLOSE = "after sending 'websocket.close'"


def push(fragments: Mapping[str, str]) -> str:
    """Return the HTML that replaces the elements with the fragments' ids.

    :param fragments: whole, or with stubs for the parts that a page keeps (companion/rendering/markup.py).
    """
    return "\n".join(
        f'<hx-partial hx-target="#{name}" hx-swap="outerMorph">{html}</hx-partial>'
        for name, html in fragments.items()
    )


class LiveConsumer(AsyncWebsocketConsumer):
    """One open page. It holds no state that cannot be read again from the database."""

    #: The kind of page, as a label of metrics.
    kind = ""
    seat: Seat | None = None

    def make_page(self) -> LobbyPage | TablePage | FacePage:
        raise NotImplementedError

    @property
    def lane(self) -> str:
        """The key by which this page enters, and by which its moves keep their order (threads.py)."""
        return self.path

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    @property
    def sharing_pks(self) -> Sequence[int]:
        pks: Sequence[int] = self.scope["beside"]
        return pks

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        closed = False

        async def send_if_it_is_there(message: dict[str, Any]) -> None:
            # A page may leave, or be closed, while it is rendered. Sending to it then would end the consumer
            # without ``disconnect``: the page would stay "here" and in its groups.
            nonlocal closed
            if closed:
                return
            closed = message["type"] == "websocket.close"
            try:
                await send(message)
            except OSError:
                closed = True
            except RuntimeError as problem:
                # uvicorn's other exception for a connection that the page has closed.
                if AFTER_CLOSE not in str(problem):
                    raise
                closed = True

        async def receive_other_than_pings() -> dict[str, Any]:
            # Without the two tasks that Channels starts for each message: nearly all are heartbeats.
            while True:
                message: dict[str, Any] = await receive()
                if message.get("text") != PING or not self.may_answer_ping:
                    return message
                self.frame_limit.spend(moved=False)
                await send_if_it_is_there({"type": "websocket.send", "text": self.answer_ping()})

        await super().__call__(scope, receive_other_than_pings, send_if_it_is_there)

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Without Channels' own hop to a thread: each of our own hops closes old connections.
        try:
            await getattr(self, get_handler_name(message))(message)
        except NO_DATABASE as problem:
            await self.send_outage(problem)

    async def send_outage(self, problem: Exception) -> None:
        """Report the database outage to the page. Its unanswered frames stay in its outbox."""
        record_database_error(problem)
        if self.has_entered:
            self.has_data = False
            await self.reply(data=0)
        else:
            await self.close(TRY_AGAIN)

    async def connect(self) -> None:
        metrics.SOCKETS.labels(self.kind).inc()
        self.has_entered, self.has_data, self.redis_outages = False, True, REDIS.count
        self.sent: dict[str, str] = {}
        self.joined: list[str] = []
        #: The channels to send shares to, by the table openings that asked this page for one.
        self.openings: dict[str, str] = {}
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        language = query.get("lang", [""])[0]
        self.language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        # For all work of this page, also in other tasks and threads: they inherit this setting.
        translation.activate(self.language)
        self.place_number = read_number(query.get("place", [""])[0])
        self.represented_pk = read_number(query.get("as", [""])[0])
        self.chosen_table_pk = read_number(query.get("table", [""])[0])
        self.presence: heartbeats.PresenceValues | None = None
        self.open_twice = self.sent_open_twice = False
        self.region_renderer: RegionRenderer | None = None
        self.unsent_regions: dict[str, str] = {}
        self.unsent_place: PagePlace | None = None
        self.has_news, self.must_close = asyncio.Event(), False
        self.outage: Exception | None = None
        self.frames: asyncio.Queue[str] = asyncio.Queue(FRAMES_WAITING)
        person, self.check_person_at = self.scope["person"], time.monotonic() + CHECK_PERSON_EVERY
        self.frame_limit = frame_limit_of((person.pk, self.scope["path"])) if person else FrameLimit()
        self.tasks: list[asyncio.Task[None]] = []
        self.page = self.make_page()
        # Accept even if there is nothing to show: only an open socket can send the browser a close code.
        await self.accept()
        # In a task of its own: the end of a page must not wait until all its frames are answered.
        self.is_closed = self.is_playing = False
        self.main_task = asyncio.create_task(self.run())

    async def run(self) -> None:
        """Show the page, then answer its frames in their order, until it closes."""
        try:
            await self.join_groups()
            self.has_entered = True
            while not self.is_closed:
                await self.handle_frame(await self.frames.get())
        except NOTHING_HERE:
            await self.close(GONE)
        except NO_DATABASE as problem:
            await self.send_outage(problem)
        except Exception:
            logger.exception("a %s page was closed", self.kind)
            await self.close(OUR_FAULT)

    async def join_groups(self) -> None:
        entry = await run_in_lane(self.lane, self.page.read_entry)
        person = self.scope["person"]
        self.seat, self.joined = entry.seat, list(entry.groups)
        if person:
            self.joined.append(people.person_group(person.pk))
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)
        heartbeats.heartbeats().join(self)
        await self.go_to(entry.place)
        await self.start_pushes(entry)

    async def start_pushes(self, entry: PageEntry) -> None:
        """Show the page for the first time, and keep it up to date."""
        self.tasks.append(asyncio.create_task(self.push_regions()))
        self.region_renderer = join_renderer(self)
        requested = await run_in_lane(self.lane, self.page.requested_regions)
        if requested is None:
            # Read the place once more: a change between reading it and joining the groups was not received.
            asyncio.get_running_loop().call_later(COLLECT_FOR, self.request_regions, PLACE, EVERYTHING)
            return
        # An announcement after that may have been shown already.
        newer = self.sent | self.unsent_regions
        self.show_regions(None, {name: html for name, html in requested.items() if name not in newer})
        # The request came before its reader was here.
        asyncio.get_running_loop().call_later(COLLECT_FOR, self.request_regions, *PRESENCE)

    async def disconnect(self, code: int) -> None:
        metrics.SOCKETS.labels(self.kind).dec()
        self.is_closed = True
        self.frame_limit.outlast()
        # Only a move is completed. All other answers are not needed any more.
        if not self.is_playing:
            self.main_task.cancel()
        await asyncio.wait([self.main_task])
        for task in self.tasks:
            task.cancel()
        # A cancelled task references its stack, and so this page: the cycle would stay in memory for long.
        del self.main_task, self.tasks
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        leave_renderer(self)
        heartbeats.heartbeats().leave(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None or len(text_data) > MAX_FRAME:
            await self.close(BAD_FRAME)
            return
        try:
            self.frames.put_nowait(text_data)
        except asyncio.QueueFull:
            await self.close(TOO_MANY)

    async def handle_frame(self, text: str) -> None:
        """Answer a frame as soon as the rate limit allows."""
        async with self.frame_limit:
            try:
                self.frame_limit.spend(moved=await self.answer_frame(read_frame(text)))
            except NO_DATABASE as problem:
                await self.send_outage(problem)

    async def answer_frame(self, frame: Frame) -> bool:
        """Answer a frame; refuse one that this kind of page does not take. Return True if a move counts."""
        match frame:
            case PingFrame():
                await self.heartbeat()
            case CareFrame() | CareHeardFrame():
                await self.pass_care_signal(frame)
            case ShareFrame():
                await self.pass_share(frame)
            case _:
                move_id = frame.id if isinstance(frame, MoveFrame | UnreadableFrame) else None
                await self.refuse(move_id, "malformed_move")
        return False

    @property
    def may_answer_ping(self) -> bool:
        """True if a heartbeat need not wait for other frames, and needs no more than its answer."""
        waits = not self.frames.empty() or not self.frame_limit.is_free
        return self.has_entered and not (waits or self.has_lost_messages) and not self.must_check_person

    def answer_ping(self) -> str:
        heartbeats.heartbeats().queue_heartbeat(self)
        return f'{{"pong": {round(shared_time.seconds() * 1000)}}}'

    async def heartbeat(self) -> None:
        await self.send(self.answer_ping())
        if self.must_check_person:
            await self.check_person(left=False)
        await self.recover_lost_messages()

    @property
    def must_check_person(self) -> bool:
        return time.monotonic() > self.check_person_at

    @property
    def has_lost_messages(self) -> bool:
        """True if messages to this page may be lost: those of other processes come by Redis alone."""
        return not self.has_data or REDIS.lasts or self.redis_outages != REDIS.count

    async def person_changed(self, event: dict[str, Any]) -> None:
        """From the channel layer: the person of this page signed in or out, or was erased."""
        await self.check_person(left=event["left"])

    async def check_person(self, *, left: bool) -> None:
        """Close the page if its device now belongs to another person; it reloads and shows the reason."""
        self.check_person_at = time.monotonic() + CHECK_PERSON_EVERY
        if left or await run_in_lane(self.path, current_person, self.scope) != self.scope["person"]:
            await self.close(GONE)

    async def recover_lost_messages(self) -> None:
        """Render everything again if messages may be lost."""
        if not self.has_lost_messages:
            return
        if not self.has_data:
            await run_in_lane(self.path, self.page.place)
            self.has_data = True
            await self.reply(data=1)
        self.redis_outages = REDIS.count
        self.request_regions(PLACE, EVERYTHING)

    def update_presence(self, presence: heartbeats.PresenceValues) -> None:
        """Render the presence regions again if they have changed: no message announces a silent phone."""
        if presence != self.presence:
            self.presence = presence
            self.request_regions(*PRESENCE)

    def update_open_twice(self, twice: bool) -> None:
        """Report soon whether this seat is open on another screen, too, if that has changed."""
        if twice != self.open_twice:
            self.open_twice = twice
            self.has_news.set()

    async def pass_care_signal(self, frame: CareFrame | CareHeardFrame) -> None:
        """Pass a care signal on, or note that the GM has heard it. The page gets no answer."""
        if self.seat is None or isinstance(self.page, FacePage):
            return
        match frame:
            case CareFrame(kind, named=True):
                await safety.send_named_signal(self.seat, kind)
            case CareFrame(kind):
                await safety.send_signal(self.seat.session_id, kind)
            case CareHeardFrame(kind):
                with suppress(*NOTHING_HERE):
                    if (await run_in_lane(self.path, self.page.acting_seat)).is_gm:
                        await safety.dismiss_signal(self.seat.session_id, kind)

    async def seat_nudged(self, event: dict[str, Any]) -> None:
        """From the channel layer: the GM waits for this seat."""
        await self.reply(nudge=1)

    async def seat_emoted(self, event: dict[str, Any]) -> None:
        """From the channel layer: a player shows an emote, which only pages of that table show."""

    async def stage_thrown(self, event: dict[str, Any]) -> None:
        """From the channel layer: all screens show a cut-in, or play a short sound."""
        await self.reply(thrown=event["thrown"])

    async def fate_told(self, event: dict[str, Any]) -> None:
        """From the channel layer: an opening table asks this page for its share in the seed (shares.py)."""
        if self.seat:
            self.openings[event["fate"]["opening"]] = event["to"]
            await self.reply(fate=event["fate"])

    async def pass_share(self, given: ShareFrame) -> None:
        """Pass the page's share on to the table that is opening. The page gets no answer."""
        channel = self.openings.get(given.opening)
        if channel and self.seat and HEX.fullmatch(given.share):
            await self.channel_layer.send(channel, {"seat": self.seat.pk, "share": given.share})

    async def session_changed(self, event: dict[str, Any]) -> None:
        """From the channel layer: the presence of a seat, or the session itself, changed."""
        self.request_regions(*(event["parts"] or [PLACE, EVERYTHING]))

    def request_regions(self, *parts: str) -> None:
        """Request that regions of the session are rendered again in the next turn of this page's renderer."""
        if self.region_renderer:
            self.region_renderer.request_regions(*parts)

    def show_regions(self, place: PagePlace | None, html: dict[str, str]) -> None:
        self.unsent_place, self.unsent_regions = place or self.unsent_place, self.unsent_regions | html
        self.has_news.set()

    def close_soon(self) -> None:
        self.must_close = True
        self.has_news.set()

    def note_outage(self, problem: Exception) -> None:
        self.outage = problem
        self.has_news.set()

    async def push_regions(self) -> None:
        """Send the session's regions whenever they were rendered again."""
        while True:
            await self.has_news.wait()
            self.has_news.clear()
            if self.must_close:
                await self.close(GONE)
                return
            if self.outage:
                lack, self.outage = self.outage, None
                await self.send_outage(lack)
            if self.open_twice != self.sent_open_twice:
                self.sent_open_twice = self.open_twice
                await self.reply(twice=int(self.sent_open_twice))
            place, html = self.unsent_place, self.unsent_regions
            self.unsent_place, self.unsent_regions = None, {}
            if place:
                await self.go_to(place)
            await self.send_changes(html)

    async def go_to(self, place: PagePlace) -> None:
        """Send the page to the place where it belongs, if that is newer than the one it was rendered for."""
        if place.number > self.place_number:
            self.place_number = place.number
            await self.reply(go=place.url)

    async def send_changes(self, html: dict[str, str]) -> None:
        """Send the regions whose HTML differs from what this page already shows."""
        changed = {name: drawn for name, drawn in html.items() if self.sent.get(name) != drawn}
        if changed:
            patches = {name: markup.patch(self.sent.get(name, ""), drawn) for name, drawn in changed.items()}
            self.sent |= changed
            # Every push includes the version of the table that the page shows.
            mark = {"pulse": self.sent["pulse"]} if "pulse" in self.sent else {}
            await self.send(push(patches | mark))

    async def refuse(self, move_id: UUID | str | None, code: str, **details: Any) -> None:
        metrics.REFUSALS.labels(code).inc()
        reason = await run_in_lane(self.path, self.page.explain, code, details)
        await self.reply(refused=code, id=move_id and str(move_id), reason=reason, rule=details.get("rule"))

    async def reply(self, **fields: object) -> None:
        await self.send(json.dumps(fields))

    @property
    def origin(self) -> str:
        host = dict(self.scope["headers"]).get(b"host", b"").decode("latin-1")
        return reach.origin("https" if settings.HTTPS else "http", host)
