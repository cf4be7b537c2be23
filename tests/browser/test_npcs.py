"""NPCs under the GM's hands at a running table."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from sessions.models import Table
from tests.conftest import Somebody
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")


async def test_a_gm_adds_three_npcs_in_three_taps_and_removes_one(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=table)
    await desk.locator("[data-open=npc-sheet]").click()
    await desk.locator('.spawn label:has([name=count][value="3"])').click()
    await desk.locator('.spawn [name=rank][value="1"]').click()
    strips = desk.locator("#party .strip.npc")
    await expect(strips).to_have_count(3)
    await expect(desk.locator("#npc-sheet")).to_be_hidden()
    await expect(strips.locator("h2").first).to_have_text("雑魚A")
    # HP typed in, then off the table: a click alone is not enough.
    await desk.locator('[data-open="npc-n1"]').click()
    await desk.locator("#hp-n1").fill("-2")
    await desk.locator("#npc-n1 form[data-move*=set_hp] button:not([type])").click()
    await expect(desk.locator("#party-n1 .strip-hp")).to_contain_text("-2")
    # It is down: it lies folded away from those who stand.
    await desk.locator("#fallen-npcs > summary").click()
    await desk.locator('[data-open="npc-n1"]').click()
    remove = desk.locator("#npc-n1 [data-hold]")
    await remove.click()
    await expect(strips).to_have_count(3)
    await remove.focus()
    await desk.keyboard.press("Enter")
    await desk.keyboard.press("Enter")
    await expect(strips).to_have_count(2)


async def test_adding_too_many_npcs_says_why_not(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    laptop.expect("409")
    desk = await laptop(server, gm, at=table)
    for came in (6, 12, 18):
        await desk.locator("[data-open=npc-sheet]").click()
        await desk.locator('.spawn label:has([name=count][value="6"])').click()
        await desk.locator('.spawn [name=rank][value="1"]').click()
        await expect(desk.locator("#party .strip.npc")).to_have_count(came)
    await desk.locator("[data-open=npc-sheet]").click()
    await desk.locator('.spawn label:has([name=count][value="6"])').click()
    await desk.locator('.spawn [name=rank][value="1"]').click()
    await expect(desk.locator(".spawn [data-spawn-refused]")).to_have_text("NPCは20人までです。")
    await expect(desk.locator("#party .strip.npc")).to_have_count(18)
