"""A player is asked before a stand-in plays for them, and reads the stand-in's name on coming back."""

from __future__ import annotations

import re
from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, WebSocketRoute, expect

from sessions.evening import stand_ins
from sessions.models import Seat, Session, Table
from tests.browser.test_evening import shown_version
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def ask(desk: Page, seat: Seat) -> None:
    """Say at the GM's desk that the GM plays for a seat."""
    row = desk.locator(f"#seat-{seat.pk}")
    await row.locator("summary").click()
    await row.get_by_role("button", name="代行を頼む").click()
    await desk.get_by_role("dialog").get_by_role("button", name="GM").click()


async def test_a_present_player_may_refuse_or_allow_a_stand_in_and_end_it(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    seats: list[Seat],
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk, one = await laptop(server, gm, at=session), await phone(server, ayumi, at=table)
    await expect(desk.locator(f'#seat-{seats[0].pk} [data-state="here"]')).to_be_visible()
    banner = one.get_by_role("alert").filter(has_text="GMさん")

    await ask(desk, seats[0])
    await expect(desk.locator(".messages")).to_contain_text("先に本人に確かめています")
    await expect(banner).to_contain_text("GMさんに代行を任せますか？")
    await expect(banner).to_be_in_viewport()
    await banner.get_by_role("button", name="断る").tap()
    await expect(banner).to_have_count(0)
    await expect(desk.locator("#seat-notes")).to_contain_text("代行は取りやめ")
    await desk.goto(f"{table.get_absolute_url()}?as={seats[0].pk}")
    await expect(desk.locator("#table")).to_have_attribute("data-seat", "gm")

    await desk.goto(session.get_absolute_url())
    await ask(desk, seats[0])
    await banner.get_by_role("button", name="任せる").tap()
    await expect(banner).to_contain_text("あなたの手札も見えています")
    await desk.goto(f"{table.get_absolute_url()}?as={seats[0].pk}")
    await expect(desk.locator("#table")).to_have_attribute("data-seat", "p1")
    await banner.get_by_role("button", name="戻りました").tap()
    await expect(banner).to_have_count(0)
    await expect(desk.locator("#table")).to_have_attribute("data-seat", "gm")
    await one.goto(f"{session.get_absolute_url()}log/")
    await expect(one.locator(".night-log")).to_contain_text("GMさんがあゆみさんを代行")


async def test_a_returning_player_reads_first_who_stood_in_for_them(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    seats: list[Seat],
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk = await laptop(server, gm, at=session)
    await ask(desk, seats[0])
    await expect(desk.locator("#table")).to_have_attribute("data-seat", "p1")
    one = await phone(server, ayumi)
    for there in (session, table):
        await one.goto(there.get_absolute_url())
        banner = one.get_by_text("GMさんが代行中で、あなたの手札も見えています。")
        await expect(banner).to_be_in_viewport()
    await one.get_by_role("button", name="戻りました").tap()
    await expect(banner).to_have_count(0)


async def declare(page: Page, words: str) -> None:
    await page.locator('[data-open="say-sheet"]').first.tap()
    await page.locator('#say-sheet [name="text"]').fill(words)
    await page.locator("#say-sheet form button").last.tap()


async def test_a_stand_ins_unsent_move_is_not_sent_for_their_own_seat(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], bo: Somebody
) -> None:
    await database_sync_to_async(stand_ins.let_stand_in)(seat=seats[0], stand_in=seats[1])
    page, own = await phone(server, bo), table.get_absolute_url()
    silent = True

    def answer(line: WebSocketRoute) -> None:
        if not silent:
            line.connect_to_server()

    await page.route_web_socket("**/ws/**", answer)
    await page.goto(f"{own}?as={seats[0].pk}")
    await declare(page, "代行の言葉")
    await expect(page.locator("#table")).to_have_class(re.compile("is-sending"))
    silent = False
    await page.goto(own)
    await declare(page, "自分の言葉")
    await shown_version(page, 1)
    await page.goto(f"{own}?as={seats[0].pk}")
    await shown_version(page, 2)
    said = await database_sync_to_async(lambda: list(table.moves.values_list("seat", "stand_in")))()
    assert said == [("p2", ""), ("p1", bo.person.name)]
