"""A game over days: the home page says whose turn it is, and the table how much time is left."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from sessions.models import Seat, Session
from sessions.table import clock, opening
from tests.conftest import Somebody
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("tally")


async def test_the_home_page_leads_to_the_table_that_waits(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    opened = {"module_key": "tally", "clock": clock.DAY}
    await database_sync_to_async(opening.open_table)(session=session, players=seats, **opened)
    page = await phone(server, ayumi)
    await page.goto("/")
    mine = page.get_by_role("region", name="みんなと進行中のゲーム").get_by_role("link")
    await expect(mine).to_contain_text("あなたの番")
    await expect(page).to_have_title("(1) 卓上 — 卓を囲む夜のコンパニオン")

    await mine.tap()
    await expect(page.get_by_role("timer")).to_have_text("あと23 時間")
    await page.locator("[data-lay]").first.tap()
    await expect(page.locator("[data-lay]")).to_have_count(0)

    await page.goto("/")
    await expect(mine).to_contain_text("ボーの番")
    await expect(mine).to_contain_text("あと23時間")
