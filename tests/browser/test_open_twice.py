"""A quiet line in the head of a page while its seat is open on another screen, too."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from sessions.evening import presence
from sessions.live import heartbeats
from sessions.models import Table
from tests.browser.test_evening import shown_version
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def test_two_screens_of_a_seat_say_so_until_one_is_closed(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.2)
    monkeypatch.setattr(presence, "TOGETHER_FOR", 0)
    one, two, other = await phone(server, ayumi), await laptop(server, ayumi), await phone(server, bo)
    for page in (one, two, other):
        await page.goto(table.get_absolute_url())
        await shown_version(page, 0)
    for page in (one, two):
        await expect(page.locator("#twice")).to_have_text("2つの画面で開いています", timeout=30_000)
        await expect(page.locator("#twice")).to_be_visible(timeout=30_000)
    await expect(other.locator("#twice")).to_be_hidden()
    await one.locator("#twice").tap()
    await expect(one.locator("#twice-sheet")).to_contain_text("使わないほうは閉じてください")
    await one.locator("#twice-sheet [data-close]").tap()
    await two.close()
    await expect(one.locator("#twice")).to_be_hidden(timeout=30_000)
