"""The few seconds after a play: a back where the card will come, and the way back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.live import heartbeats
from sessions.models import Table
from tests.browser.presses import press
from tests.conftest import Somebody
from tests.evening import call, play
from tests.servers import ThreadServer
from tests.sessions.test_grace import LONG, pass_grace


async def cards_on(page: Page) -> list[str]:
    return list(
        await page.eval_on_selector_all("[data-hand] > [data-card]", "all => all.map(li => li.dataset.card)")
    )


async def shown_version(page: Page, version: int) -> None:
    await expect(page.locator("#table")).to_have_attribute("data-version", str(version))


async def play_by_hand(page: Page, card: str) -> None:
    await page.locator(f'[data-card="{card}"]').tap()
    await press(page.locator("#act-play button"))


async def test_a_play_can_be_undone_until_its_undo_window_ends_with_a_draw(
    server: ThreadServer,
    phone: Any,
    table: Table,
    ayumi: Somebody,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.GRACE_SECONDS = LONG.total_seconds()
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.05)
    one = await phone(server, ayumi, at=table)
    await database_sync_to_async(play)(table, "gm", call("p1"))
    await shown_version(one, 1)
    before = await cards_on(one)
    card = next(card for card in before if card[0] != "x")
    kept = [other for other in before if other != card]
    back, undo = one.locator(".coming"), one.locator("#undo button")

    await play_by_hand(one, card)
    await shown_version(one, 2)
    await expect(back).to_have_count(1)
    assert await cards_on(one) == kept
    await expect(undo).to_be_enabled()
    await one.reload()
    await expect(back).to_have_count(1)
    await press(undo)
    await shown_version(one, 3)
    await expect(back).to_have_count(0)
    assert await cards_on(one) == before

    await play_by_hand(one, card)
    await shown_version(one, 4)
    await expect(back).to_have_count(1)
    await database_sync_to_async(pass_grace)(table, timedelta(seconds=0.2))
    await expect(back).to_have_count(0)
    assert (await cards_on(one))[:-1] == kept
    await expect(undo).to_be_disabled()

    await database_sync_to_async(play)(table, "gm", call("p1"))
    await shown_version(one, 5)
    card = next(card for card in await cards_on(one) if card[0] != "x")
    await play_by_hand(one, card)
    await shown_version(one, 6)
    await one.get_by_role("button", name="今すぐ引く").tap()
    await expect(back).to_have_count(0)
    assert len(await cards_on(one)) == len(before)
    await expect(undo).to_be_disabled()
