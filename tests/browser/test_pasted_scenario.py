"""A scenario that is pasted or chosen: the preview comes in below, and the file is still there to be kept."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import FilePayload, expect

from sessions.models import Scenario, ScenarioPicture
from tests.conftest import Somebody
from tests.servers import ThreadServer
from tests.sessions.scenarios.rooms import room

PAGE = "/gm/scenarios/paste/"


async def test_a_chosen_room_file_is_previewed_and_saved_as_a_scenario(
    server: ThreadServer, phone: Any, gm: Somebody
) -> None:
    page = await phone(server, gm, at=PAGE)
    chosen = FilePayload(name="部屋.zip", mimeType="application/zip", buffer=room())
    await page.locator("input[type=file]").set_input_files(chosen)
    await page.get_by_role("button", name="内容を確認する").click()
    await expect(page.locator("#read li").first).to_contain_text("桟橋")
    await page.get_by_role("button", name="下書きとして保存").click()
    await expect(page.get_by_text("「灯の消えた港」を下書きとして保存しました。")).to_be_visible()
    assert await database_sync_to_async(Scenario.objects.count)() == 1
    assert await database_sync_to_async(ScenarioPicture.objects.count)() == 4


async def test_a_refusal_stands_by_the_button(server: ThreadServer, phone: Any, gm: Somebody) -> None:
    page = await phone(server, gm)
    phone.expect("422")
    await page.goto(PAGE)
    await page.get_by_role("button", name="内容を確認する").click()
    await expect(page.get_by_role("alert").filter(has_text="選ばれていません")).to_be_in_viewport()
