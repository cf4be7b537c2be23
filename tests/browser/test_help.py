"""The help on a phone and on paper."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from sessions.engine.registry import registry
from sessions.engine.rulebook import cheat_sheet
from tests.browser.test_paper import printed
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("locale", ["ja-JP", "en-GB"])
async def test_a_cheat_sheet_is_one_side_of_paper_and_fits_on_a_small_phone(
    server: ThreadServer, phone: Any, locale: str
) -> None:
    page = await phone(server, locale=locale, viewport={"width": 320, "height": 640})
    for key in registry():
        if cheat_sheet(key, "ja"):
            await page.goto(f"/help/games/{key}/")
            await expect(page.locator(".cheat h2").last).to_be_attached()
            assert await page.evaluate(WIDER) <= 0, key
            assert await printed(page) == 1, key
