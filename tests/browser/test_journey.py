"""A whole journey on a real phone, by touch alone, with the table face beside it."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions import tables
from sessions.engine.step import encode
from sessions.models import Session, Table
from sessions.modules.journey import module
from tests.conftest import Somebody
from tests.evening import sit
from tests.servers import ThreadServer

MOST_TAPS = 300


@pytest.fixture
def trip(session: Session, ayumi: Somebody) -> Table:
    return tables.open_table(session=session, module_key="journey", players=[sit(session, ayumi.person)])


def state_of(trip: Table) -> Any:
    trip.refresh_from_db()
    return tables.look(trip, "p1").view


async def tap_one(page: Page) -> None:
    """Choose whatever is offered first: raise a card if one is to be raised, then press a button."""
    picks = page.locator("#hand input[name=raised]")
    if await picks.count() and not await page.locator("#hand input[name=raised]:checked").count():
        await page.locator("#hand .pick").first.tap()
    await page.locator("#hand form[data-move] button:visible").last.tap()


async def test_a_journey_to_its_end(
    server: ThreadServer, phone: Any, laptop: Any, trip: Table, ayumi: Somebody
) -> None:
    one, face = await phone(server, ayumi), await laptop(server)
    await one.goto(trip.get_absolute_url())
    await face.goto(f"/face/{trip.session.face_key}/")
    await one.locator("label.item").nth(1).tap()
    await one.locator("#hand form.pack button").tap()
    await expect(one.locator("#board .day")).to_have_count(8)
    view = await database_sync_to_async(state_of)(trip)
    assert view.items == ("map",)
    assert await one.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(MOST_TAPS):
        pulse = await one.locator("#pulse").get_attribute("data-version")
        if await one.locator("#board").get_attribute("data-phase") == "over":
            break
        await tap_one(one)
        await expect(one.locator("#pulse")).not_to_have_attribute("data-version", str(pulse))
    view = await database_sync_to_async(state_of)(trip)
    assert view.result
    await expect(one.locator("#prompt .say")).to_be_visible()
    await expect(face.locator("#face")).to_have_attribute("data-phase", "over")


async def test_a_raised_card_shows_on_the_board_where_everybody_goes(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi)
    await one.goto(trip.get_absolute_url())
    await one.locator("#hand form.pack button").tap()
    await one.locator("#hand .pick").first.tap()
    view = await database_sync_to_async(state_of)(trip)
    first = view.me.previews[0]
    landing = one.locator("#board .day.landing")
    await expect(landing).to_have_attribute("data-day", str(first.day))
    await expect(landing.locator('.ghost[data-pawn="white"]')).to_have_count(1)
    await expect(one.locator("#hand .preview:visible")).to_have_count(1)


async def test_without_the_switch_pauses_go_on_by_themselves(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    def pause() -> None:
        state = module.load(bytes(trip.snapshot))
        state.phase, state.letters, state.turn = "draw", 1, 3
        trip.snapshot = encode(state)
        trip.save(update_fields=["snapshot"])

    await database_sync_to_async(pause)()
    one = await phone(server, ayumi)
    await one.goto(trip.get_absolute_url())
    await expect(one.locator("#hand form[data-pass] button")).to_be_visible()
    await one.locator("[data-open=menu-sheet]").tap()
    await one.locator("[data-journey-pauses]").uncheck()
    await expect(one.locator("#board")).to_have_attribute("data-phase", "move")
