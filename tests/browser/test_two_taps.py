"""Two taps while the answer is slow: the browser drops the first one, and shows what the second one got."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from companion.models import Person
from sessions.evening import nights
from sessions.models import Seat, Session
from tests.conftest import Somebody
from tests.servers import PATIENCE, ThreadServer

AT_AN_EVENING = re.compile(r"/s/\d+/$")


async def test_a_new_phone_that_taps_join_twice_gets_one_seat(
    server: ThreadServer, phone: Any, session: Session, gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated, tapped_twice = threading.Event(), threading.Event()
    take_seat = nights.take_seat

    def slowly(**asked: Any) -> Seat:
        seat = take_seat(**asked)
        if not seated.is_set():
            seated.set()
            assert tapped_twice.wait(PATIENCE)
        return seat

    monkeypatch.setattr(nights, "take_seat", slowly)
    one = await phone(server, at=f"/j/{session.code}/")
    await one.get_by_label("お名前は？").fill("ハル")
    button = await one.get_by_role("button", name="席につく").bounding_box()
    assert button
    # A locator would wait until the page that was asked for is there.
    await one.touchscreen.tap(button["x"] + 9, button["y"] + 9)
    assert await asyncio.to_thread(seated.wait, PATIENCE)
    async with one.expect_request(lambda request: request.method == "POST"):
        await one.touchscreen.tap(button["x"] + 9, button["y"] + 9)
    tapped_twice.set()

    await expect(one).to_have_url(AT_AN_EVENING)
    await one.reload()
    await expect(one).to_have_url(AT_AN_EVENING)
    names = await database_sync_to_async(lambda: list(session.seats.values_list("name", flat=True)))()
    assert names == ["GM", "ハル"]
    assert await database_sync_to_async(Person.objects.count)() == 2
