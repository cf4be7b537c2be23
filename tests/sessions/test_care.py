"""Care signals: the GM learns a need and never its sender, and nothing is kept."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.apps import apps
from django.core.cache import cache

from sessions.evening import presence, safety
from sessions.live.pages import LobbyPage
from sessions.models import Seat, Session, Table
from tests.conftest import Somebody
from tests.phones import Phone, phone
from tests.servers import ThreadServer, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

X_CARD = "いったん止めて、場面を変えましょう"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signals that arrive almost at once, and people who never count as away, also on a slow machine."""
    monkeypatch.setattr(presence, "AWAY_AFTER", 3600)
    monkeypatch.setattr(safety, "SIGNAL_SOONEST", 0.05)
    monkeypatch.setattr(safety, "SIGNAL_LATEST", 0.1)


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def lobby(session: Session) -> str:
    return f"/ws/sessions/{session.pk}/"


async def tap(page: Phone, kind: str = "x", **more: Any) -> None:
    await page.socket.send(json.dumps({"care": kind, **more}))


async def shows_here(page: Phone, number: int) -> None:
    """Wait until a page shows this number of people as here: no more come, so nothing more is rendered."""
    while page.bytes.rsplit('<ul id="presence"')[-1].split("</ul>")[0].count('data-state="here"') < number:
        await page.receive()


def rows() -> dict[str, list[Any]]:
    """Return the whole database."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()
    }


async def test_a_care_signal_reaches_the_gm_with_a_proposed_sentence(
    server: ThreadServer, session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, soon: None
) -> None:
    async with phone(server, gm, lobby(session)) as desk, phone(server, ayumi, lobby(session)) as one:
        await tap(one)
        await desk.until_shown(X_CARD)
        assert "あゆみ" not in desk.html[-1]


async def test_an_anonymous_care_signal_has_a_random_delay() -> None:
    assert safety.SIGNAL_SOONEST >= 5
    assert safety.SIGNAL_LATEST >= safety.SIGNAL_SOONEST + 10


async def test_an_anonymous_care_signal_leaves_no_trace_of_its_sender(
    server: ThreadServer,
    session: Session,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    soon: None,
    everything_logged: pytest.LogCaptureFixture,
) -> None:
    """Twins: the same evening with another sender is the same bytes for the GM, cache and database."""
    told, kept, before = [], [], await database_sync_to_async(rows)()
    async with AsyncExitStack() as stack:
        path = f"/ws/tables/{table.pk}/"
        desk, one, two = [
            await stack.enter_async_context(phone(server, who, path)) for who in (gm, ayumi, bo)
        ]
        for page in (two, one, desk):
            await shows_here(page, 3)
            await page.until_shown('<div id="undo"')
        for sender in (one, two):
            quiet = [len(other.bytes) for other in (one, two)]
            desk.bytes = ""
            await tap(sender, "break")
            await desk.until_shown("休憩")
            told.append(desk.bytes)
            kept.append(
                {kind: cache.get(safety._signal_key(session.pk, kind, 0)) for kind in safety.SIGNAL_KINDS}
            )
            assert [len(other.bytes) for other in (one, two)] == quiet, "no answer, and no sign for others"
            desk.bytes = ""
            await desk.socket.send('{"heard": "break"}')
            await desk.until_shown('<div id="care" class="care-cards"></div>')
    assert told[0] == told[1]
    assert kept[0] == kept[1]
    assert await database_sync_to_async(rows)() == before
    assert not [record for record in everything_logged.records if "break" in record.getMessage().split()]


async def test_a_care_signal_with_a_name_reaches_the_gm_at_once(
    server: ThreadServer, session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    async with phone(server, gm, lobby(session)) as desk, phone(server, ayumi, lobby(session)) as one:
        await desk.until_shown('<div id="care"')
        desk.html.clear()
        await tap(one, named=True)
        await desk.until_shown(X_CARD)
        assert "あゆみ" in next(html for html in desk.html if X_CARD in html)


async def test_simultaneous_care_signals_of_one_kind_are_merged(
    session: Session, seats: list[Seat], soon: None
) -> None:
    for _ in range(5):
        await safety.send_signal(session.pk, "x")
    assert len(safety._under_way) == 1
    await asyncio.gather(*safety._under_way.values())
    gm = await database_sync_to_async(lambda: session.seats.get(role="gm"))()
    shown = await database_sync_to_async(lambda: safety.care_context(session, gm))()
    assert shown == {"signals": [safety.CareSignal("x", ())]}


async def test_a_gm_who_was_away_sees_the_care_signal_on_return(
    server: ThreadServer, session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, soon: None
) -> None:
    async with phone(server, ayumi, lobby(session)) as one:
        await tap(one)
        await one.pong()
    await asyncio.to_thread(
        wait_until, lambda: cache.has_key(safety._signal_key(session.pk, "x", 0)), what="the signal"
    )
    async with phone(server, gm, lobby(session)) as desk:
        await desk.until_shown(X_CARD)


async def test_only_the_gm_sees_and_dismisses_a_care_signal(
    server: ThreadServer, session: Session, seats: list[Seat], ayumi: Somebody, gm: Somebody
) -> None:
    await cache.aset(safety._signal_key(session.pk, "x", 0), "")
    async with phone(server, ayumi, lobby(session)) as one:
        await one.socket.send('{"heard": "x"}')
        await one.pong()
        await shows_here(one, 1)
        assert X_CARD not in one.bytes
    drawn = await database_sync_to_async(LobbyPage(gm.person, session.pk, "").render_all)()
    assert X_CARD in drawn.regions["care"]


@pytest.mark.parametrize("frame", ['{"care": "tea"}', '{"care": []}', '{"care": null}', '{"heard": 1}'])
async def test_an_invalid_care_signal_is_ignored(
    server: ThreadServer, session: Session, seats: list[Seat], ayumi: Somebody, frame: str
) -> None:
    async with phone(server, ayumi, lobby(session)) as one:
        await one.socket.send(frame)
        await one.pong()
    assert not safety._under_way


async def test_the_table_face_cannot_send_a_care_signal(server: ThreadServer, session: Session) -> None:
    async with phone(server, None, f"/ws/faces/{session.face_key}/") as face:
        await tap(face)
        await face.pong()
    assert not safety._under_way
