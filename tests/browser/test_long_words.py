"""Nothing is pushed off the screen by words that are 40 % longer."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from characters.models import Character
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Session, Table
from tests.browser.test_accessibility import SIDEWAYS
from tests.conftest import Somebody
from tests.evening import call, play
from tests.pseudo import pseudo_locale  # noqa: F401
from tests.servers import ThreadServer

WIDTHS = [(390, 844), (1280, 800)]


@pytest.fixture
def sheet(ayumi: Somebody) -> Character:
    return create_character(ayumi.person, SAMPLES[0])


@pytest.mark.long
@pytest.mark.usefixtures("reference_rows")
async def test_no_page_scrolls_sideways(
    server: ThreadServer,
    phone: Any,
    session: Session,
    table: Table,
    sheet: Character,
    ayumi: Somebody,
    gm: Somebody,
    pseudo_locale: str,  # noqa: F811
) -> None:
    await database_sync_to_async(play)(table, "gm", call("p1", 3))
    everybody = ["/", "/account/sign-in/", "/account/sign-up/", "/j/", f"/j/{session.code}/"]
    player = ["/characters/", "/characters/new/", f"/characters/{sheet.pk}/", f"/characters/{sheet.pk}/edit/"]
    campaign = f"/gm/campaigns/{session.campaign_id}/"
    desk = ["/gm/", campaign, f"{campaign}ready/", f"{campaign}house-rules/", "/gm/npcs/", "/gm/npcs/new/"]
    evening = [session.get_absolute_url(), table.get_absolute_url(), f"{table.get_absolute_url()}log/"]
    hurts: list[str] = []
    for who, paths in ((None, everybody), (ayumi, player + evening), (gm, desk + evening)):
        page = await phone(server, who, locale=pseudo_locale, reduced_motion="reduce")
        for path in paths:
            await page.goto(path)
            await expect(page.locator("html")).to_have_attribute("lang", pseudo_locale)
            for width, height in WIDTHS:
                await page.set_viewport_size({"width": width, "height": height})
                hurts += [f"{path} at {width}: {hurt}" for hurt in await page.evaluate(SIDEWAYS)]
    assert hurts == []
