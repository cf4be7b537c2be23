"""The websocket of one open page: moves in, changed HTML out."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.utils import translation

from companion import public
from sessions.engine.contract import IllegalMove
from sessions.evening import announcing, care_signals, presence
from sessions.evening.codes import read_number
from sessions.models import Seat
from sessions.screen.pages import Drawn, FacePage, Gone, LobbyPage, TablePage, gm_silence
from sessions.screen.regions import push
from sessions.table import bots

logger = logging.getLogger(__name__)

MAX_FRAME = 8192
#: Closing codes of ours: the page reloads and is told there what has become of it.
GONE, BAD_FRAME = 4404, 4400


class LiveConsumer(AsyncWebsocketConsumer):
    """One open page. Holds nothing that cannot be had again from the database."""

    seat: Seat | None = None
    driver: asyncio.Task[None] | None = None

    def page(self) -> LobbyPage | TablePage | FacePage:
        """Return the page this socket belongs to."""
        raise NotImplementedError

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def send_if_it_is_there(message: dict[str, Any]) -> None:
            # A page may leave while it is drawn. Sending to it then would end the consumer without
            # ``disconnect``: it would stay "here" and in its groups.
            with suppress(OSError):
                await send(message)

        await super().__call__(scope, receive, send_if_it_is_there)

    async def connect(self) -> None:
        self.sent: dict[str, str] = {}
        self.version = -1
        self.joined: list[str] = []
        asked = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.language = _language(asked.get("lang", [""])[0])
        self.placed = read_number(asked.get("place", [""])[0])
        self.acting = read_number(asked.get("as", [""])[0])
        self.chosen = read_number(asked.get("table", [""])[0])
        self.silence = ""
        self.shown = self.page()
        # Accepted even when there is nothing to see: only an open socket can tell the browser why it closes.
        await self.accept()
        try:
            self.seat = await database_sync_to_async(self.shown.seat)()
            # Listen first, look second: a move between the two is announced, not lost.
            self.joined = await database_sync_to_async(lambda: self.shown.groups)()
        except (Gone, Http404, ObjectDoesNotExist):
            await self.close(GONE)
            return
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.sign_of_life()
        await self.go_on()
        await self.refresh(self.shown.draw)
        await self.drive()

    async def disconnect(self, code: int) -> None:
        if self.driver:
            self.driver.cancel()
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.seat and presence.left(self.seat.pk, self.channel_name):
            await self.tell_presence()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data is None or len(text_data) > MAX_FRAME:
            await self.close(BAD_FRAME)
            return
        frame = parse(text_data)
        if frame == {"ping": 1}:
            await self.sign_of_life()
            await self.reply(pong=1)
            await self.notice_silence()
        elif frame.keys() & {"care", "heard"}:
            await self.care(frame)
        elif isinstance(self.shown, TablePage):
            match frame:
                case {"nudge": str(key)}:
                    await self.nudge(self.shown, key)
                case _:
                    await self.play(self.shown, frame)
        else:
            await self.refuse(frame, "malformed_move")

    async def notice_silence(self) -> None:
        """Silence announces nothing: the GM's page looks who fell silent, the others whether the GM did."""
        if self.seat is None:
            return
        silence = await database_sync_to_async(gm_silence)(self.seat.session_id)
        if self.seat.is_gm or silence != self.silence:
            self.silence = silence
            await self.refresh(self.shown.draw_room)

    async def play(self, table: TablePage, frame: dict[str, Any]) -> None:
        """Submit the move of a frame and answer it."""
        try:
            arguments = move_of(frame)
            receipt = await database_sync_to_async(lambda: table.submit(**arguments))()
        except IllegalMove as refusal:
            await self.refuse(frame, refusal.code, **refusal.details)
            await self.refresh(self.shown.draw)
        except (Gone, Http404, ObjectDoesNotExist):
            await self.close(GONE)
        except Exception:
            # Channels would end the consumer, and with it the player's page.
            logger.exception("table %s: a move of seat %s failed", table.table_pk, self.seat and self.seat.pk)
            await self.refuse(frame, "our_fault")
        else:
            # What the move did comes before its receipt: who sees "played" also sees the table it led to.
            await self.refresh(self.shown.draw_table)
            await self.reply(accepted=receipt.version, id=frame.get("id"))
            await self.drive()

    async def care(self, frame: dict[str, Any]) -> None:
        """Pass on what somebody needs, or note that the GM has heard it. There is no answer."""
        if self.seat is None or isinstance(self.shown, FacePage):
            return
        match frame:
            case {"care": str(kind), "named": True} if kind in care_signals.KINDS:
                await care_signals.tell_by_name(self.seat, kind)
            case {"care": str(kind)} if kind in care_signals.KINDS:
                await care_signals.tell(self.seat.session_id, kind)
            case {"heard": str(kind)} if kind in care_signals.KINDS:
                with suppress(Gone, Http404, ObjectDoesNotExist):
                    if (await database_sync_to_async(self.shown.role)()).is_gm:
                        await care_signals.heard(self.seat.session_id, kind)

    async def nudge(self, table: TablePage, key: str) -> None:
        with suppress(Gone, Http404, ObjectDoesNotExist):
            await database_sync_to_async(table.nudge)(key)

    async def seat_nudged(self, event: dict[str, Any]) -> None:
        """From the channel layer: the GM waits for this seat."""
        await self.reply(nudge=1)

    async def table_moved(self, event: dict[str, Any]) -> None:
        """From the channel layer: some process committed a move, perhaps this very page's."""
        if event["version"] > self.version:
            await self.refresh(self.shown.draw_table)
        if event["has_bots"]:
            await self.drive()

    async def table_reseated(self, event: dict[str, Any]) -> None:
        """From the channel layer: a seat went to a bot or to somebody, or the table was stopped."""
        await self.refresh(self.shown.draw)
        await self.drive()

    async def drive(self) -> None:
        """Let a bot play that this page sees waited for. Every open page does; one move comes of it."""
        waited = await database_sync_to_async(self.waited_bot)()
        if waited:
            if self.driver:
                self.driver.cancel()
            self.driver = asyncio.create_task(self.play_bot(*waited))

    def waited_bot(self) -> tuple[int, int] | None:
        """Return the table that is shown and its version, if a bot is waited for there."""
        with suppress(Gone, Http404, ObjectDoesNotExist):
            table_pk = self.shown.shown_table()
            version = bots.waited_version(table_pk) if table_pk else None
            return (table_pk, version) if table_pk and version is not None else None
        return None

    async def play_bot(self, table_pk: int, version: int) -> None:
        await asyncio.sleep(bots.PACE)
        try:
            await database_sync_to_async(bots.play_next)(table_pk=table_pk, version=version)
        except Exception:
            logger.exception("table %s: no bot played at version %s", table_pk, version)

    async def session_changed(self, event: dict[str, Any]) -> None:
        """From the channel layer: somebody came or went, or the evening changed."""
        if parts := event.get("parts"):
            await self.refresh(partial(self.shown.draw_parts, parts))
        else:
            await self.go_on()
            await self.refresh(self.shown.draw_room)

    async def go_on(self) -> None:
        """Send the page where it belongs by now, if that is not what it was drawn for."""
        try:
            place = await database_sync_to_async(self.shown.place)()
        except (Gone, Http404, ObjectDoesNotExist):
            await self.close(GONE)
            return
        if place.number > self.placed:
            self.placed = place.number
            await self.reply(go=place.url)

    async def refresh(self, draw: Callable[[], Drawn]) -> None:
        """Send the regions whose HTML differs from what this page already shows."""
        try:
            drawn = await self.in_language(draw)
        except (Gone, Http404, ObjectDoesNotExist):
            await self.close(GONE)
            return
        except Exception:
            # The page keeps what it shows; the next change tries again.
            logger.exception("%s: not drawn", self.shown)
            return
        self.version = max(self.version, drawn.version)
        changed = {name: html for name, html in drawn.regions.items() if self.sent.get(name) != html}
        if changed:
            self.sent |= changed
            await self.send(push(changed))

    async def sign_of_life(self) -> None:
        if self.seat and presence.arrived(self.seat.pk, self.channel_name):
            await self.tell_presence()

    async def tell_presence(self) -> None:
        assert self.seat
        await self.channel_layer.group_send(
            announcing.session_group(self.seat.session_id), {"type": "session.changed"}
        )

    async def refuse(self, frame: dict[str, Any], code: str, **details: Any) -> None:
        reason = await self.in_language(self.shown.explain, code, details)
        await self.reply(refused=code, id=frame.get("id"), reason=reason, rule=details.get("rule"))

    async def reply(self, **fields: object) -> None:
        await self.send(json.dumps(fields))

    async def in_language(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run what draws in a database thread, in the language of the page."""

        def run() -> Any:
            with translation.override(self.language):
                return function(*arguments)

        return await database_sync_to_async(run)()

    @property
    def origin(self) -> str:
        host = dict(self.scope["headers"]).get(b"host", b"").decode("latin-1")
        return public.origin("https" if settings.HTTPS else "http", host)


class LobbyConsumer(LiveConsumer):
    def page(self) -> LobbyPage:
        return LobbyPage(self.scope["person"], self.scope["url_route"]["kwargs"]["pk"], self.origin)


class TableConsumer(LiveConsumer):
    def page(self) -> TablePage:
        return TablePage(
            self.scope["person"],
            self.scope["url_route"]["kwargs"]["pk"],
            self.origin,
            self.acting,
            self.placed,
        )


class FaceConsumer(LiveConsumer):
    join_only = False

    def __init__(self, *, join_only: bool = False) -> None:
        super().__init__()
        self.join_only = join_only

    def page(self) -> FacePage:
        return FacePage(
            str(self.scope["url_route"]["kwargs"]["key"]), self.origin, self.join_only, self.chosen
        )


def _language(wanted: str) -> str:
    return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def parse(text: str) -> dict[str, Any]:
    """Return the fields of a frame; an empty one if it is no JSON object."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


def move_of(frame: dict[str, Any]) -> dict[str, Any]:
    """Return what a frame asks for: ``{"id": UUID, "version": n, "asked": mark, "move": {…}}``.

    :raises IllegalMove: ``malformed_move``.
    """
    match frame:
        case {"id": str(client_id), "version": int(version), "asked": str(asked), "move": dict(move)}:
            try:
                return {
                    "client_id": uuid.UUID(client_id),
                    "raw": json.dumps(move).encode(),
                    "version": version,
                    "asked": asked,
                }
            except (ValueError, RecursionError):
                pass
    raise IllegalMove("malformed_move")
