"""Emotes: players show them to everybody at their table, and nothing else comes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.staticfiles import finders

from sessions.evening import announcements
from sessions.models import Move, Role, Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import sit, ws_path
from tests.phones import Phone, phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db(transaction=True)


async def shown(device: Phone) -> dict[str, Any]:
    """Return the next emote that a page shows."""
    return dict((await device.answer("emote"))["emote"])


async def send(device: Phone, kind: str) -> None:
    await device.socket.send(json.dumps({"emote": kind}))
    await device.pong()


async def test_an_emote_is_shown_on_every_screen_of_the_table_and_not_stored(
    server: ThreadServer, session: Session, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    async with (
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, bo, ws_path(table)) as two,
        phone(server, gm, ws_path(table)) as desk,
        phone(server, None, f"/ws/faces/{session.face_key}/") as face,
        phone(server, gm, f"/ws/sessions/{session.pk}/") as lobby,
    ):
        for device in (one, two, desk, face):
            await device.until_version(0)
        await one.socket.send('{"emote": "nice"}')
        for device in (one, two, desk, face):
            assert await shown(device) == {"seat": "p1", "name": "あゆみ", "kind": "nice"}
        assert two.bytes.count('hx-target="#board"') == 1, "and the table is not drawn for it"
        await lobby.pong()
        assert "emote" not in lobby.bytes
    assert not await database_sync_to_async(Move.objects.exists)()


async def test_an_emote_is_not_shown_at_another_table_of_the_session(
    server: ThreadServer, session: Session, seats: list[Seat], table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    other = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=seats
    )
    async with phone(server, ayumi, ws_path(table)) as one, phone(server, bo, ws_path(other)) as two:
        for device in (one, two):
            await device.until_version(0)
        for device, kind in ((one, "nice"), (two, "hello")):
            await device.socket.send(json.dumps({"emote": kind}))
            assert (await shown(device))["kind"] == kind, "nothing else came in between"


async def test_only_one_of_many_emotes_is_shown_and_none_of_a_spectator(
    server: ThreadServer, session: Session, table: Table, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    await database_sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    async with (
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, bo, ws_path(table)) as two,
        phone(server, kei, ws_path(table)) as watcher,
    ):
        for device in (one, two, watcher):
            await device.until_version(0)
        await send(watcher, "laugh")
        for kind in ("gasp", "hmm", "sorry", "hello"):
            await send(one, kind)
        assert (await shown(watcher))["kind"] == "gasp"
        await send(two, "nice")
        assert (await shown(watcher))["seat"] == "p2", "nothing else came in between"


async def test_an_emote_that_does_not_exist_is_refused(
    server: ThreadServer, table: Table, ayumi: Somebody
) -> None:
    async with phone(server, ayumi, ws_path(table)) as one:
        await one.until_version(0)
        for frame in ({"emote": "<b>"}, {"emote": 1}, {"emote": None}):
            await one.socket.send(json.dumps(frame))
            assert (await one.answer("refused"))["refused"] == "malformed_move"


async def test_the_gm_can_turn_emotes_off_and_on_for_the_session(
    server: ThreadServer, session: Session, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    def allow(allowed: str) -> None:
        answer = gm.client.post(f"/s/{session.pk}/emotes/", {"allowed": allowed})
        assert answer.status_code == 302

    async with phone(server, ayumi, ws_path(table)) as one, phone(server, bo, ws_path(table)) as two:
        await one.until_shown('popovertarget="emote-tray"')
        await database_sync_to_async(allow)("0")
        await one.until_shown('<span id="emotes"></span>')
        await send(one, "nice")
        await database_sync_to_async(allow)("1")
        await send(two, "hello")
        assert (await shown(one))["kind"] == "hello"


def test_every_emote_has_an_icon() -> None:
    faces = Path(str(finders.find("img/icons.svg"))).read_text("utf-8")
    assert re.findall('<symbol id="emote-([a-z]+)"', faces) == list(announcements.EMOTES)
