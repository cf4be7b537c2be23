"""LIAR MAFIA on phones: laying cards, a button that says why it is dim, and the room that all takes."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Seat, Session
from sessions.table import opening
from tests.browser.presses import press_dimmed
from tests.conftest import Somebody
from tests.servers import ThreadServer


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


async def test_two_cards_are_chosen_and_changed_until_both_players_have_laid(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=seats, options={"first": "p1"}
    )
    one, two = await phone(server, ayumi, at=table), await phone(server, bo, at=table)

    async def shown(number: int) -> None:
        for page in (one, two):
            await expect(page.locator("#table")).to_have_attribute("data-version", str(number))

    # Nothing goes out before two cards are chosen.
    boss = one.locator("#lay-boss[data-place] [data-take]")  # its script is there
    await boss.tap()
    await expect(boss).to_have_attribute("aria-pressed", "true")
    await press_dimmed(one.locator("#act-place button"))
    assert await one.locator("#table").get_attribute("data-version") == "0"
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
    # A button for an action that p1 cannot pay for says why and names the rule.
    await expect(one.locator("#commit .act")).to_have_count(5)
    await press_dimmed(one.locator("#commit [data-move*='allout'] button"))
    await expect(one.locator("#refusal")).to_contain_text("LM-3.1")


async def test_the_liarmafia_table_fits_every_phone(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=seats
    )
    page = await phone(server, ayumi, at=table)
    await expect(page.locator("#laying")).to_be_visible()
    for width in (320, 360, 430):
        await page.set_viewport_size({"width": width, "height": 720})
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        small = await page.locator(".phone button:visible").evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
        )
        assert small == [], width
