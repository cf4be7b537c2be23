"""A player is asked before somebody plays for them, and reads on coming back who did."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, expect

from sessions.models import Seat, Session, Table
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def ask(desk: Page, seat: Seat) -> None:
    """Say at the GM's desk that the GM plays for a seat."""
    row = desk.locator(f"#seat-{seat.pk}")
    await row.locator("summary").click()
    await row.get_by_role("button", name="代行を頼む").click()
    await desk.get_by_role("dialog").get_by_role("button", name="GM").click()


async def test_a_player_who_is_here_says_no_then_yes_and_takes_the_seat_back(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    seats: list[Seat],
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk, one = await laptop(server, gm), await phone(server, ayumi)
    await one.goto(table.get_absolute_url())
    await desk.goto(session.get_absolute_url())
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


async def test_who_was_away_reads_first_who_played_for_them(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    seats: list[Seat],
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk = await laptop(server, gm)
    await desk.goto(session.get_absolute_url())
    await ask(desk, seats[0])
    await expect(desk.locator("#table")).to_have_attribute("data-seat", "p1")
    one = await phone(server, ayumi)
    for there in (session, table):
        await one.goto(there.get_absolute_url())
        banner = one.get_by_text("GMさんが代行中で、あなたの手札も見えています。")
        await expect(banner).to_be_in_viewport()
    await one.get_by_role("button", name="戻りました").tap()
    await expect(banner).to_have_count(0)
