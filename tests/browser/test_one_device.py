"""Two people with one tablet, and the GM on a laptop: no hand stays for the other one's eyes."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Session, Table
from sessions.table import opening
from tests.browser.test_evening import shown_version
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play, sit
from tests.servers import ThreadServer

TABLET = {"viewport": {"width": 1024, "height": 768}}


def deal(session: Session, *names: str) -> tuple[Table, list[set[str]]]:
    """Open the card table, and return it with the hands of these people."""
    seats = [session.seats.get(name=name) for name in names]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    return table, [set(hand(table, f"p{number}")) for number, _ in enumerate(names, start=1)]


async def shows(page: Page, own: set[str], other: set[str]) -> None:
    await shown_version(page, 0)
    html = await page.content()
    assert own <= cards_in(html)
    assert not other & cards_in(html)


async def behind_the_curtain(page: Page, name: str) -> None:
    await expect(page.locator("h1")).to_have_text(f"{name}さんに渡してください")
    assert cards_in(await page.content()) == set()


async def test_two_people_share_one_tablet_without_seeing_each_others_hand(
    server: ThreadServer, phone: Any, laptop: Any, session: Session, gm: Somebody, bo: Somebody
) -> None:
    await database_sync_to_async(sit)(session, bo.person)
    tablet, desk = await phone(server, bo, **TABLET, at=f"/s/{session.pk}/"), await laptop(server, gm)
    await tablet.get_by_role("link", name="ほかの人が座る").tap()
    await tablet.get_by_label("座る人の名前").fill("アキ")
    await tablet.get_by_role("button", name="席に着いて、端末を渡す").tap()
    await behind_the_curtain(tablet, "アキ")
    await tablet.get_by_role("button", name="アキです。手札を見る").tap()
    await tablet.wait_for_url(f"**/s/{session.pk}/")
    await tablet.goto("/help/")  # A lobby goes to a new table by itself.

    table, (of_bo, of_aki) = await database_sync_to_async(deal)(session, "ボー", "アキ")
    await desk.goto(table.get_absolute_url())
    await tablet.goto(table.get_absolute_url())
    await shows(tablet, of_aki, of_bo)
    second = await tablet.context.new_page()
    await second.goto(table.get_absolute_url())
    await shows(second, of_aki, of_bo)

    # The GM calls Bo to a check: whoever is not asked has one tap to him.
    await database_sync_to_async(play)(table, "gm", call("p1"))
    await shown_version(tablet, 1)
    await tablet.get_by_role("button", name="ボーさんに渡す").tap()
    await behind_the_curtain(tablet, "ボー")
    await behind_the_curtain(second, "ボー")
    await tablet.go_back()
    await behind_the_curtain(tablet, "ボー")
    await tablet.reload()
    await behind_the_curtain(tablet, "ボー")
    assert await tablet.evaluate("sessionStorage.length") == 0

    await tablet.get_by_role("button", name="ボーです。手札を見る").tap()
    await shown_version(tablet, 1)
    for leave in (tablet.reload, tablet.go_back, tablet.go_forward):
        await leave()
        assert not of_aki & cards_in(await tablet.content())
    await expect(second.locator("#table")).to_be_attached()
    assert not of_aki & cards_in(await second.content())
    await expect(tablet.get_by_role("button", name="アキさんに渡す")).to_have_count(0)
