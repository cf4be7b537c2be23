"""An account and a shared phone: belongings that come along or stay, and the page of a link."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from characters.models import Character
from sessions.management.commands.demo import SAMPLES, create_character
from tests.conftest import Somebody
from tests.servers import ThreadServer


@pytest.fixture
def roku(bo: Somebody) -> Character:
    return create_character(bo.person, SAMPLES[1])


async def test_an_account_takes_over_the_characters_that_a_phone_kept(
    server: ThreadServer, phone: Any, laptop: Any, bo: Somebody, ayumi: Somebody, roku: Character
) -> None:
    one = await phone(server, bo, at="/characters/")
    await one.get_by_role("link", name="アカウント", exact=True).tap()
    await one.get_by_label("アカウント名").fill("ayumi")
    await one.get_by_label("パスワード").fill("ayumi")
    await one.get_by_role("button", name="サインイン").tap()
    await one.get_by_role("link", name="アカウントに移しますか？").tap()
    await expect(one.locator("#device")).to_contain_text("鍵師のロク")
    await one.get_by_role("button", name="アカウントに移す").tap()
    await expect(one.locator(".messages")).to_contain_text("1件をアカウントに移しました")
    other = await laptop(server, ayumi, at="/characters/")
    await expect(other.get_by_text("鍵師のロク")).to_be_visible()
    await one.get_by_role("button", name="この端末からサインアウトする").tap()
    await expect(one).to_have_url(f"{server.lan_url}/")
    await one.goto("/characters/")
    await expect(one.get_by_text("まだだれもいません")).to_be_visible()


async def test_a_guest_makes_an_account_and_deletes_it_again(
    server: ThreadServer, phone: Any, bo: Somebody, roku: Character
) -> None:
    one = await phone(server, bo, at="/characters/")
    await one.locator("main").get_by_role("link", name="アカウントを作る").tap()
    await one.get_by_label("アカウント名").fill("haru")
    await one.get_by_label("パスワード", exact=True).fill("momo-no-hana")
    await one.get_by_label("同じパスワードをもう一度").fill("momo-no-hana")
    await one.get_by_role("button", name="アカウントを作る").tap()
    await expect(one.get_by_text("鍵師のロク")).to_be_visible()
    await one.goto("/account/delete/")
    await one.get_by_label("パスワード").fill("momo-no-hana")
    await one.get_by_role("button", name="進む").tap()
    hold = one.get_by_role("button", name="長押しで完全に消す")
    await hold.tap()
    await expect(hold).to_be_visible()
    await hold.dispatch_event("pointerdown", {"button": 0})
    await expect(one.locator(".messages")).to_contain_text("すべて消しました")
    await one.goto("/characters/")
    await expect(one.get_by_text("まだだれもいません")).to_be_visible()


async def test_a_link_to_a_sheet_is_made_copied_and_ended(
    server: ThreadServer, phone: Any, bo: Somebody, kei: Somebody, roku: Character
) -> None:
    one, two = await phone(server, bo), await phone(server, kei)
    phone.expect("404")
    await one.goto(roku.get_absolute_url())
    await one.get_by_role("button", name="同じ卓の人").tap()
    await expect(one.get_by_text("セッションに席のある人")).to_be_visible()
    await one.get_by_role("button", name="このシートへのリンクを作る").tap()
    await one.get_by_role("button", name="リンクをコピー").tap()
    await expect(one.get_by_text("コピーしました")).to_be_visible()
    link = await one.locator("#link-text").input_value()
    await two.goto(link)
    await expect(two.get_by_role("heading", name="鍵師のロク")).to_be_visible()
    await one.get_by_role("button", name="長押しでリンクを止める").dispatch_event(
        "pointerdown", {"button": 0}
    )
    await expect(one.get_by_role("button", name="このシートへのリンクを作る")).to_be_visible()
    answer = await two.goto(link)
    assert answer.status == 404
