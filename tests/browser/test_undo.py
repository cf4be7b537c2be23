"""Taking back: a word on the phone, and the GM's way back in the log."""

from __future__ import annotations

import re
from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Table
from tests.browser.presses import moving_properties
from tests.conftest import Somebody
from tests.evening import play
from tests.servers import ThreadServer

DECLARE = '{"type": "declare", "text": "壁を登る"}'.encode()


async def shown_version(page: Page, version: int) -> None:
    await expect(page.locator("#table")).to_have_attribute("data-version", str(version))


async def test_a_player_undoes_their_own_last_move(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    one, two = await phone(server, ayumi, at=table), await phone(server, bo, at=table)
    undo = one.locator("#undo button")
    await expect(undo).to_be_disabled()
    place = await undo.bounding_box()
    await one.locator("[data-open=say-sheet]").first.tap()
    await one.locator("#say-text").fill("壁を登る")
    await one.locator("#say-sheet button.primary").tap()
    await shown_version(one, 1)
    await expect(undo).to_be_enabled()
    assert await undo.bounding_box() == place, "nothing jumps"
    await expect(undo.locator(".runs-out")).to_be_visible()
    moving = await moving_properties(undo)
    assert moving == {"transform"}, "for seconds: nothing that has to be painted again and again"
    await expect(two.locator("#undo button")).to_be_disabled()
    await undo.tap()
    for page in (one, two):
        await shown_version(page, 2)
    await expect(undo).to_be_disabled()
    await two.locator("[data-open=log-sheet]").tap()
    gone = two.locator("#log .log-move[data-taken-back]")
    await expect(gone).to_contain_text("壁を登る")
    await expect(gone).to_have_css("text-decoration-line", "line-through")
    await expect(gone.locator(".visually-hidden")).to_have_text("取り消し済み：")
    await expect(two.locator("#log li").last).to_contain_text("あゆみが直前の操作を取り消しました。")


async def test_a_rewind_by_the_gm_reaches_all_pages(
    server: ThreadServer, phone: Any, laptop: Any, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    desk, one, two = await laptop(server, gm), await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(table.get_absolute_url())
    before = await one.locator("[data-hand] > li").count()
    await database_sync_to_async(play)(table, "p1", DECLARE)
    await database_sync_to_async(play)(table, "gm", b'{"type": "set_hp", "who": "p1", "hp": 1}')
    await database_sync_to_async(play)(table, "p2", DECLARE)
    for page in (desk, one, two):
        await shown_version(page, 3)

    entry = desk.locator("#log .log-move", has_text="壁を登る").first
    await entry.get_by_role("link", name="ここまで戻す").click()
    sheet = desk.locator("#rewind-sheet")
    await expect(sheet).to_contain_text("次の2手を取り消します")
    await expect(sheet).to_contain_text("3 → 1")
    await sheet.get_by_label("理由").fill("相手を間違えました")
    await sheet.get_by_role("button", name="ここまで戻す").click()
    for page in (desk, one, two):
        await shown_version(page, 4)
    await expect(one.locator("[data-hand] > li")).to_have_count(before)
    await expect(desk.locator("#log .log-move[data-taken-back]")).to_have_count(2)
    await expect(desk.locator("#log li").last).to_contain_text("「相手を間違えました」")
    await expect(one.get_by_role("link", name="ここまで戻す")).to_have_count(0)
    await expect(two.locator("#told")).to_contain_text("「相手を間違えました」")


async def test_the_gm_can_rewind_without_javascript(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    await database_sync_to_async(play)(table, "gm", b'{"type": "set_hp", "who": "p1", "hp": 1}')
    await database_sync_to_async(play)(table, "p1", DECLARE)
    desk = await laptop(server, gm, java_script_enabled=False, at=f"{table.get_absolute_url()}log/")
    await desk.get_by_role("link", name="ここまで戻す").first.click()
    await expect(desk.locator("main")).to_contain_text("次の2手を取り消します")
    await desk.get_by_role("button", name="ここまで戻す").click()
    await expect(desk).to_have_url(re.compile(rf"/t/{table.pk}/$"))
    await expect(desk.locator("#log .log-move[data-taken-back]")).to_have_count(2)
