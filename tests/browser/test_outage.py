"""The database goes away in the midst of an evening: pages say so, and go on by themselves afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests import phones
from tests.browser.test_evening import hand_on, shown_version, tap_tap
from tests.browser.test_reconnect import line_is
from tests.evening import call
from tests.hosted import Evening, environment, let_in, opened
from tests.servers import PostgresServer, ProcessServer

pytestmark = pytest.mark.long


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL that this test may stop."""
    postgres = PostgresServer()
    yield postgres
    postgres.stop()


@pytest.fixture
def evening(own_postgres: PostgresServer) -> Iterator[Evening]:
    server = ProcessServer(environment(own_postgres.url, "") | {"ALLOWED_HOSTS": "*"})
    server.manage("migrate", "--verbosity", "0")
    server.start()
    yield opened(server, server, let_in(server, server))
    server.kill()


async def test_pages_wait_for_the_database_and_a_card_is_played_once(
    evening: Evening, own_postgres: PostgresServer, phone: Any, laptop: Any
) -> None:
    for devices in (phone, laptop):
        devices.expect("503|WebSocket connection")
    one = await phone(evening.a, evening.one, at=evening.table)
    desk = await laptop(evening.a, evening.gm, at=evening.session)
    async with phones.phone(evening.a, evening.gm, evening.table_socket) as gm:
        await gm.until_version(0)
        assert "accepted" in await gm.play(json.loads(call("p1")))
    await shown_version(one, 1)
    before = await hand_on(one)
    await asyncio.to_thread(own_postgres.halt)
    # A line that stands, and one that is opened anew while nothing can be looked up.
    await line_is(one, "nodata", timeout=20_000)
    await desk.evaluate("document.getElementById('live')._htmx.ws.connection.socket.close()")
    await line_is(desk, "nodata", timeout=20_000)
    assert await hand_on(one) == before, "the hand stays in sight"
    await tap_tap(one, sorted(before)[0])
    await line_is(one, "unsent")
    late = await phone(evening.a, evening.two, at=evening.table)
    await expect(late.locator("h1")).to_have_text("少しお待ちください")
    await asyncio.to_thread(own_postgres.start)
    await shown_version(one, 2)
    await line_is(one, "back|on")
    await line_is(desk, "back|on", timeout=20_000)
    # By itself.
    await expect(late.locator("#table")).to_be_visible(timeout=20_000)
    await shown_version(late, 2)
    assert await asyncio.to_thread(evening.log)
    assert await hand_on(one) != before
