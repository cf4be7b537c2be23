"""The end of a night: a phone ticks, the GM's laptop sees it and confirms, the sheet has the points."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from characters.models import Character
from sessions.models import Seat, Session
from tests.conftest import Somebody
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")


@pytest.fixture
def saku(seats: list[Seat]) -> Character:
    seat = seats[0]
    seat.character = Character.objects.create(
        owner=seat.person, name="朔", hp_max=1, hp=1, suits="h", status="done"
    )
    seat.save()
    return seat.character


async def test_experience_is_ticked_by_player_confirmed_by_gm_and_spent_on_the_sheet(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    saku: Character,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk, one = await laptop(server, gm, at=session), await phone(server, ayumi, at=session)
    await desk.get_by_role("button", name="セッションを終える").click()
    hold = desk.locator("#end-session [data-hold]")
    await hold.focus()
    await hold.press("Enter")
    await hold.press("Enter")

    lines = one.locator("#experience").get_by_role("checkbox")
    await expect(lines).to_have_count(9)
    for line in await lines.all():
        box = await line.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    await lines.nth(8).scroll_into_view_if_needed()
    where = await one.evaluate("scrollY")
    await lines.nth(8).tap()
    await expect(lines.nth(8)).to_be_checked()
    assert await one.evaluate("scrollY") == where, "a tick does not make the page jump"
    for number in (0, 1, 2, 3):
        await lines.nth(number).tap()
        await expect(lines.nth(number)).to_be_checked()
    await lines.nth(3).tap()
    await expect(lines.nth(3)).not_to_be_checked()

    boxes = desk.locator("#experience_gm").get_by_role("checkbox", name="あゆみ")
    await expect(boxes.nth(8)).to_be_checked()
    await boxes.nth(4).click()
    await expect(lines.nth(4)).to_be_checked()

    await desk.get_by_role("button", name=re.compile("確認する.*あゆみ")).click()
    await desk.locator("dialog[open] .btn.primary").click()
    await expect(one.get_by_text("+10点")).to_be_visible()
    await one.get_by_role("link", name="シートで経験点を使う").tap()
    await one.get_by_role("button", name="得る HP上限").tap()
    await expect(one.locator(".hp-count")).to_contain_text("/ 2")
    await expect(one.locator(".balance b")).to_have_text("0")


async def test_a_checklist_is_ticked_without_javascript(
    server: ThreadServer, phone: Any, session: Session, saku: Character, gm: Somebody, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, java_script_enabled=False)
    await database_sync_to_async(gm.client.post)(f"/s/{session.pk}/experience/")
    await one.goto(session.get_absolute_url())
    line = one.locator("#experience").get_by_role("checkbox").first
    await line.tap()
    await expect(line).to_be_checked()
