"""A person who floods a table slows only themselves; shared parts of pages are queried and rendered once."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import websockets
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from companion.asgi import application
from companion.requests import quotas
from companion.requests.asgi_middleware import BoundedSockets
from sessions.evening import announcements, nights, presence
from sessions.live import heartbeats, sockets
from sessions.live.pages import FacePage
from sessions.models import Seat, Session, Table
from sessions.table import moves
from tests.conftest import Somebody
from tests.evening import ws_path
from tests.phones import Phone, phone
from tests.servers import PATIENCE, ThreadServer, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

SOCKETS = FRAMES = 40
#: Of the moves that were sent, more than a pace allows in the seconds of a test, and a small part of all.
FEW = SOCKETS * FRAMES // 10
#: More than a slow pace lets pass.
MANY = 10


class Works:
    """How often something was done, and then really done."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real, self.done = real, 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.done += 1
        return self.real(*arguments, **named)

    def __get__(self, thing: Any, kind: type) -> Callable[..., Any]:
        return lambda *arguments, **named: self(thing, *arguments, **named)


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> Works:
    """Counts the moves that are looked at."""
    works = Works(moves.submit)
    monkeypatch.setattr(moves, "submit", works)
    return works


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> Works:
    """Count the waits for the rate limit, without waiting: a low limit, so that no slow machine is slower."""
    monkeypatch.setattr(sockets, "FRAMES_AT_ONCE", 6.0)
    monkeypatch.setattr(sockets, "FRAMES_A_SECOND", 1 / 3600)
    works = Works(lambda *_: asyncio.sleep(0))
    monkeypatch.setattr(sockets.FrameLimit, "_sleep", works)
    return works


async def admitted(stack: AsyncExitStack, server: ThreadServer, who: Somebody, at: str) -> Phone | None:
    """Open one more page of a person; None if it is turned away as too many."""
    try:
        return await stack.enter_async_context(phone(server, who, at))
    except websockets.InvalidStatus as answer:
        if answer.response.status_code != 429:
            raise
        return None


async def test_a_guest_who_floods_a_table_and_leaves_does_not_delay_others(
    server: ThreadServer, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody, submitted: Works
) -> None:
    move = {"id": str(uuid.uuid4()), "version": 0, "asked": "", "move": {"type": "bogus"}}
    async with phone(server, ayumi, ws_path(table)) as player, AsyncExitStack() as stack:
        await player.until_version(0)
        for _ in range(SOCKETS):
            if device := await admitted(stack, server, bo, ws_path(table)):
                for _ in range(FRAMES):
                    await device.socket.send(json.dumps(move))
                stack.callback(device.socket.transport.abort)
        await stack.aclose()
        await player.pong()
        worked_off = submitted.done
        assert worked_off < FEW, "the pong came before most of what was asked earlier"
        group = announcements.seat_group(seats[1].pk)
        await asyncio.to_thread(wait_until, lambda: group not in get_channel_layer().groups, what="leave")
        assert submitted.done < FEW, "and what the dead sockets had asked was dropped"
        assert (await player.play({"type": "declare", "text": "まだいる"}))["accepted"] == 1


async def test_the_number_of_open_websockets_per_person_and_page_is_limited(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with AsyncExitStack() as stack:
        tabs = [await admitted(stack, server, bo, ws_path(table)) for _ in range(quotas.SOCKETS_AT_A_PAGE)]
        assert all(tabs)
        assert await admitted(stack, server, bo, ws_path(table)) is None
        assert await admitted(stack, server, bo, f"/ws/sessions/{table.session_id}/"), "another page"
        assert await admitted(stack, server, ayumi, ws_path(table)), "another person"
        await tabs[0].socket.close()
        await asyncio.to_thread(wait_until, lambda: tabs[0].socket.transport.is_closing())
        async with asyncio.timeout(PATIENCE):
            while not await admitted(stack, server, bo, ws_path(table)):
                pass


@pytest.fixture
def small_server(transactional_db: None) -> Iterator[ThreadServer]:
    """The product, where an address has three sockets."""
    server = ThreadServer(BoundedSockets(application, at_most=3))
    server.start()
    yield server
    server.stop()


async def test_the_number_of_open_websockets_per_address_is_limited(
    small_server: ThreadServer, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    async with AsyncExitStack() as stack:
        for who in (gm, ayumi, bo):
            assert await admitted(stack, small_server, who, ws_path(table))
        assert await admitted(stack, small_server, gm, ws_path(table)) is None


async def test_refused_moves_are_slowed_down_and_accepted_ones_are_not(
    server: ThreadServer, table: Table, bo: Somebody, rests: Works
) -> None:
    async with phone(server, bo, ws_path(table)) as device:
        await device.until_version(0)
        for number in range(30):
            answer = await device.play({"type": "declare", "text": str(number)})
            assert answer["accepted"] == number + 1
            await device.until_version(number + 1)
        assert rests.done == 0
        for _ in range(MANY):
            assert (await device.play({"type": "bogus"}))["refused"] == "malformed_move"
            if rests.done:
                break
        assert rests.done > 0


async def test_a_script_of_endless_moves_is_slowed_down_and_others_are_not(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    rests: Works,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "MOVES_AT_ONCE", 3.0)
    monkeypatch.setattr(sockets, "MOVES_A_SECOND", 1 / 3600)

    async def play(device: Phone, version: int) -> int:
        await device.until_version(version)
        answer = await device.play({"type": "declare", "text": str(version)})
        return int(answer["accepted"])

    version = 0
    async with phone(server, bo, ws_path(table)) as script:
        while not rests.done and version < MANY:
            version = await play(script, version)
    held = rests.done
    assert held
    async with phone(server, ayumi, ws_path(table)) as player:
        version = await play(player, version)
        assert rests.done == held, "what one has used up is not another's"
    gc.collect()
    async with phone(server, bo, ws_path(table)) as script:
        await play(script, version)
        assert rests.done > held, "and who comes back by another line has used it up still"


async def test_tabs_of_one_person_share_a_rate_limit(
    server: ThreadServer, table: Table, bo: Somebody, rests: Works
) -> None:
    async with phone(server, bo, ws_path(table)) as one, phone(server, bo, ws_path(table)) as two:
        for device in [one, two] * (MANY // 2):
            await device.pong()
            if rests.done:
                break
        assert rests.done > 0


async def test_too_many_waiting_frames_close_the_websocket(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    async with phone(server, bo, ws_path(table)) as device:
        with contextlib.suppress(websockets.ConnectionClosed):  # by the last of them
            for _ in range(200):
                await device.socket.send('{"ping": 1}')
        assert await device.closing_code() == 4429


async def test_heartbeats_of_many_pages_are_collected_before_they_are_stored(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = Works(presence.note_signs)
    monkeypatch.setattr(presence, "note_signs", noted)
    monkeypatch.setattr(heartbeats, "COLLECT_FOR", 600)
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(phone(server, who, ws_path(table))) for who in (ayumi, bo) * 4
        ]
        for page in pages:
            await page.pong()
            await page.pong()
        assert noted.done == 0, "nobody asks the database before a pong"
        [beats] = [beats for beats in heartbeats._heartbeats.values() if beats.pages]
        assert len(beats._signs) == 3 * len(pages)


async def test_screens_of_a_table_face_share_one_rendering(
    server: ThreadServer, table: Table, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = Works(FacePage._render_session)
    async with AsyncExitStack() as stack:
        at = f"/ws/faces/{session.face_key}/"
        faces = [await stack.enter_async_context(phone(server, None, at)) for _ in range(6)]
        for face in faces:
            await face.until_shown('hx-target="#entrance"')
        monkeypatch.setattr(FacePage, "_render_session", drawn)
        await database_sync_to_async(nights.rotate_code)(session=session)
        await database_sync_to_async(session.refresh_from_db)()
        for face in faces:
            await face.until_shown(session.spoken_code)
    assert 1 <= drawn.done < len(faces)
