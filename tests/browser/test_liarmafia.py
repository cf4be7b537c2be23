"""LIAR MAFIA on two phones, from the GM's lobby to the end."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect
from playwright.async_api import TimeoutError as TooLate

from sessions.models import Seat, Session, Table
from sessions.table import opening, seat_view
from tests.browser.presses import press_dimmed
from tests.conftest import Somebody
from tests.servers import PATIENCE, ThreadServer


async def lay(phone: Page, *cards: str) -> None:
    """Lay cards by tapping, with ``boss-down`` reversed. Then confirm."""
    for card in cards:
        name, _, facing = card.partition("-")
        place = phone.locator(f"#lay-{name}")
        await place.locator("[data-take]").tap()
        await expect(place.locator("[data-take]")).to_have_attribute("aria-pressed", "true")
        if facing:
            await place.locator("[data-turn]").tap()
    await phone.locator("#act-place button").tap()


async def act(phone: Page, move: str) -> None:
    """Press the first button of a move until it is played. A press right after another does not count."""
    before = await version(phone)
    asked = phone.locator(f'#table[data-version="{before}"]:not(.is-sending)')
    async with asyncio.timeout(PATIENCE):
        while await version(phone) == before:
            with suppress(AssertionError, TooLate):
                await asked.locator(f"#commit [data-move*='{move}'] button").first.click(timeout=2000)
                await expect(phone.locator(f'#table:not([data-version="{before}"])')).to_be_attached(
                    timeout=2000
                )


async def version(page: Page) -> int:
    return int(await page.locator("#table").get_attribute("data-version") or -1)


async def first_is_p1(table: Table) -> bool:

    return bool(await database_sync_to_async(lambda: seat_view.seat_view(table, None).view.turn == "p1")())


async def test_a_game_from_the_lobby_to_the_end(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    desk, face = await laptop(server, gm), await laptop(server)
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(session.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    # Players who are here are proposed for a game; until their pages have said so, the GM is.
    await expect(desk.locator(".seat-row").get_by_text("在席")).to_have_count(2)
    await desk.goto(f"/s/{session.pk}/games/liarmafia/")
    await desk.get_by_role("button", name="はじめる").click()
    for page in (desk, one, two):
        await expect(page).to_have_url(re.compile(r"/t/\d+/$"))
    table = await database_sync_to_async(Table.objects.latest)("pk")
    pages = (desk, one, two, face)

    async def shown(number: int) -> None:
        for page in pages:
            await expect(page.locator("#table")).to_have_attribute("data-version", str(number))

    # Nothing goes out before two cards are chosen; what is laid can be changed until both are ready.
    boss = one.locator("#lay-boss[data-place] [data-take]")  # its script is there
    await boss.tap()
    await expect(boss).to_have_attribute("aria-pressed", "true")
    await press_dimmed(one.locator("#act-place button"))
    assert await version(one) == 0
    await boss.tap()
    await expect(boss).to_have_attribute("aria-pressed", "false")
    await lay(one, "boss", "police")
    await shown(1)
    await expect(one.locator("#lay-hitman")).to_have_attribute("data-place", "hand")
    await one.locator("#lay-police [data-turn]").tap()
    await one.locator("#act-place button").tap()
    await shown(2)
    assert "police" not in await two.locator("#board").inner_html()
    await lay(two, "boss-down", "hitman")
    await shown(3)

    if not await first_is_p1(table):
        one, two = two, one
    # The five buttons are there, and one that cannot be paid for says why and leads to its rule.
    await expect(one.locator("#commit .act")).to_have_count(5)
    await press_dimmed(one.locator("#commit [data-move*='allout'] button"))
    await expect(one.locator("#refusal")).to_contain_text("LM-3.1")
    await act(one, "smuggle")
    await shown(4)
    await act(two, "pass")
    await shown(5)
    await act(one, "rotate")
    await shown(6)

    # A block of what nothing blocks, and a doubt, go by a sheet or at once; the loser holds to remove.
    await act(two, "smuggle")
    await shown(7)
    await act(one, "doubt")
    await shown(8)
    true = await face.locator("#face .mafioso:not(.face-down)").count() > 0
    loser, mover = (one, two) if true else (two, one)
    await expect(loser.locator("#prompt .say.mine")).to_be_visible()
    await expect(mover.locator("#prompt .say.waits")).to_be_visible()
    own = await loser.locator("#hand .own .mafioso").evaluate_all("all => all.map(card => card.dataset.card)")
    button = loser.locator("#commit button").nth(1 if own[0] == "boss" else 0)
    await button.tap()
    assert await version(loser) == 8, "a tap is not enough"
    box = await button.bounding_box()
    assert box
    await loser.mouse.move(box["x"] + 20, box["y"] + 20)
    await loser.mouse.down()
    await expect(loser.locator("#table")).to_have_attribute("data-version", "9")
    await loser.mouse.up()
    await act(loser, "replace")
    await shown(10)

    # Conceding is held, too, and the end is told to everybody.
    await one.locator('[data-open="menu-sheet"]').tap()
    await one.locator('[data-open="leave-sheet"]').tap()
    concede = one.locator("#leaving button")
    await concede.scroll_into_view_if_needed()
    box = await concede.bounding_box()
    assert box
    await one.mouse.move(box["x"] + 20, box["y"] + 10)
    await one.mouse.down()
    await shown(11)
    await one.mouse.up()
    for page in pages:
        await expect(page.locator('[data-phase="over"]').first).to_be_attached()
    await expect(two.locator("#prompt .say")).to_contain_text("勝ち")
    await expect(two.locator("#prompt .ending")).to_be_visible()
    await expect(two.locator("#prompt .ending")).to_contain_text("BAD POLICE")


@pytest.mark.parametrize("width", [320, 360, 430])
async def test_it_fits_every_phone(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody, width: int
) -> None:

    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=seats
    )
    page = await phone(server, ayumi, viewport={"width": width, "height": 720})
    await page.goto(table.get_absolute_url())
    await expect(page.locator("#laying")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = await page.locator(".phone button:visible").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []
