"""Board games from the front door, on phones that have never been here."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import expect

from tests.servers import ThreadServer

AT_A_TABLE = re.compile(r"/t/\d+/$")


async def test_two_taps_from_the_front_door_lead_into_a_game(server: ThreadServer, phone: Any) -> None:
    one = await phone(server, at="/")
    await one.locator('.game-box[href*="journey"]').tap()
    await one.get_by_role("button", name="はじめる").tap()
    await expect(one).to_have_url(AT_A_TABLE)
    await expect(one.locator("#connection")).to_have_attribute("data-state", "on")
    table = one.url
    await one.goto("/")
    await one.get_by_role("link", name="続きから遊ぶ").tap()
    await expect(one).to_have_url(table)


async def test_friends_scan_the_code_and_are_called_to_the_game_that_begins(
    server: ThreadServer, phone: Any
) -> None:
    one, two = await phone(server, at="/games/liarmafia/"), await phone(server)
    await one.get_by_label("お名前は？").fill("ハル")
    await one.get_by_role("button", name="友だちと遊ぶ").tap()
    code = "".join((await one.locator("#lounge .code").inner_text()).split())
    await two.goto(f"/j/{code}/")
    await two.get_by_label("お名前は？").fill("ナオ")
    await two.get_by_role("button", name="席につく").tap()
    await expect(one.locator(".person [data-state=here]")).to_have_count(2)
    await one.get_by_role("link", name=re.compile("ライアーマフィア — はじめる")).tap()
    await one.get_by_role("button", name="はじめる").tap()
    for page in (one, two):
        await expect(page).to_have_url(AT_A_TABLE)
