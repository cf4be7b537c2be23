"""A game over days: the home page says whose turn it is, and the table how much time is left."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from sessions.models import Seat, Session
from sessions.table import clock, opening
from tests.browser.test_home_screen import here
from tests.conftest import Somebody
from tests.servers import PATIENCE, ThreadServer

pytestmark = pytest.mark.usefixtures("tally")


async def test_the_home_page_leads_to_the_table_that_waits(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    opened = {"module_key": "tally", "clock": clock.DAY}
    await database_sync_to_async(opening.open_table)(session=session, players=seats, **opened)
    page = await phone(server, ayumi, at="/")
    mine = page.get_by_role("region", name="みんなと進行中のゲーム").get_by_role("link")
    await expect(mine).to_contain_text("あなたの番")
    await page.get_by_role("button", name="番や手紙、次の夜を知らせる").tap()
    await expect(page.locator("form.turn-calls")).to_contain_text("httpsの接続が必要")
    await expect(page).to_have_title("(1) 卓上 — 卓を囲む夜のコンパニオン")

    await mine.tap()
    await expect(page.get_by_role("timer")).to_have_text("あと23時間")
    await page.locator("[data-lay]").first.tap()
    await expect(page.locator("[data-lay]")).to_have_count(0)

    await page.goto("/")
    await expect(mine).to_contain_text("ボーの番")
    await expect(mine).to_contain_text("あと23時間")


async def test_a_push_notification_leads_to_the_table_that_waits(
    server: ThreadServer, notified_phone: Any, seats: list[Seat], ayumi: Somebody
) -> None:
    """By Chromium's own way into a worker: its push service is none that a test could ask."""
    page = await here(notified_phone, server, ayumi)
    origin = f"http://localhost:{server.port}"
    await page.context.grant_permissions(["notifications"], origin=origin)
    devtools, registered = await page.context.new_cdp_session(page), asyncio.Queue[str]()
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: [registered.put_nowait(one["registrationId"]) for one in event["registrations"]],
    )
    await devtools.send("ServiceWorker.enable")
    await page.goto("/")
    await page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    letter = {"title": "Tally", "body": "第一夜：あなたの番です。", "url": "/t/7/", "lang": "ja", "icon": ""}
    number = await asyncio.wait_for(registered.get(), PATIENCE)
    pushed = {"origin": origin, "registrationId": number, "data": json.dumps(letter)}
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, data, tag }) => [title, body, data.url, tag].join("|")).join()"""
    # A letter may come before a busy browser lets the worker show any; two of one table are one.
    async with asyncio.timeout(PATIENCE):
        while await page.evaluate(shown) != f"Tally|第一夜：あなたの番です。|{origin}/t/7/|/t/7/":
            await devtools.send("ServiceWorker.deliverPushMessage", pushed)
