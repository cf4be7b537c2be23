"""A guest signs in beside an open table: that page says whose seat it was, and takes it along."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import expect

from companion.models import Person, User
from sessions.models import Table
from tests.browser.test_evening import shown_version
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def test_a_guest_who_signs_in_in_another_tab_takes_the_seat_along(
    server: ThreadServer, phone: Any, table: Table, bo: Somebody
) -> None:
    def account() -> None:
        Person.objects.create(user=User.objects.create_user("mio", password="mio"), name="ミオ")

    await database_sync_to_async(account)()
    phone.expect("409")
    one = await phone(server, bo, at=table)
    await shown_version(one, 0)
    two = await one.context.new_page()
    await two.goto("/account/sign-in/")
    await two.get_by_label("アカウント名").fill("mio")
    await two.get_by_label("パスワード").fill("mio")
    await two.get_by_role("button", name="サインイン").tap()
    await expect(one.locator("h1")).to_have_text("ボーの席をアカウントに移しますか？")
    await one.get_by_role("button", name="アカウントに移す").tap()
    await expect(one).to_have_url(table.get_absolute_url())
    await shown_version(one, 0)
