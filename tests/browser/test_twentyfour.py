"""A whole game of 24 on real phones: two are tapped, the third player and the NPC play by themselves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions import tables
from sessions.engine.shelf import shelf
from sessions.models import Session, Table
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer


@pytest.fixture
def game(session: Session, ayumi: Somebody, bo: Somebody, kei: Somebody) -> Table:
    seats = [sit(session, somebody.person) for somebody in (ayumi, bo, kei)]
    return tables.open_table(session=session, module_key="twentyfour", players=seats)


def state_of(table: Table) -> Any:
    table.refresh_from_db()
    return shelf()["twentyfour"].load(bytes(table.snapshot))


def play_third(table: Table) -> None:
    """The third player takes what comes first, as long as it is asked."""
    module = shelf()["twentyfour"]
    while "p3" in module.waiting_for(state := state_of(table)):
        move = module.legal_moves(state, "p3")[-1]
        play(table, "p3", msgspec.json.encode(move))


async def answer(page: Page) -> None:
    """Do on a phone what it asks for."""
    if await page.locator(".tf-detectives").count():
        await page.locator(".tf-detectives button").first.tap()
    elif await page.locator("form[data-placing]").count():
        for place in range(5):
            await page.locator(".tf-card:not(.is-placed)").first.tap()
            await page.locator(f"[data-slot='{place}']").tap()
        await page.locator("form[data-placing] .btn.primary").tap()
    elif await page.locator(".tf-challenge").count():
        await page.locator(".tf-challenge button").first.tap()
    elif await page.locator(".tf-choices").count():
        await page.locator(".tf-choices button").last.tap()
    else:
        await page.locator(".tf-style .tf-toggle").first.tap()
        await page.locator(".tf-style .btn.primary").tap()


async def shows(page: Page, table: Table) -> None:
    """Wait until a page shows the newest version."""
    await database_sync_to_async(table.refresh_from_db)()
    await expect(page.locator("#pulse")).to_have_attribute("data-version", str(table.version), timeout=20_000)


async def test_a_game_to_its_end(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    game: Table,
    session: Session,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    module = shelf()["twentyfour"]
    phones = {"p1": await phone(server, ayumi), "p2": await phone(server, bo)}
    face = await laptop(server)
    for page in phones.values():
        await page.goto(game.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    while True:
        state = await database_sync_to_async(state_of)(game)
        waiting = sorted(module.waiting_for(state))
        if not waiting:
            break
        if waiting == ["p3"]:
            await database_sync_to_async(play_third)(game)
            continue
        seat = waiting[0]
        await shows(phones[seat], game)
        before = game.version
        await answer(phones[seat])
        await expect(phones[seat].locator("#pulse")).not_to_have_attribute(
            "data-version", str(before), timeout=20_000
        )
    for page in [*phones.values(), face]:
        await expect(page.locator(".tf-score")).to_be_visible(timeout=20_000)
    await expect(face.locator("form[data-move]")).to_have_count(0)


async def test_a_placement_is_swapped_and_cleared_and_survives_a_reload(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    def choose() -> None:
        for seat, detective in (("p1", "wolf"), ("p2", "lloyd"), ("p3", "scotch")):
            play(game, seat, json.dumps({"type": "choose_detective", "detective": detective}).encode())

    await database_sync_to_async(choose)()
    page: Page = await phone(server, ayumi)
    await page.goto(game.get_absolute_url())
    slot, hours = "[data-slot='{}']".format, page.locator("[data-hours-placed]")
    await page.locator("[data-action='6']").tap()
    await page.locator(slot(0)).tap()
    await page.locator("[data-action='4']").tap()
    await page.locator("[data-action='4']").tap()
    await expect(page.locator(slot(1))).to_contain_text("4")
    await expect(hours).to_have_text("10")
    await page.locator(slot(0)).tap()
    await page.locator(slot(1)).tap()
    await expect(page.locator(slot(0))).to_contain_text("4")
    await page.reload()
    await expect(page.locator(slot(1))).to_contain_text("6")
    await expect(page.locator("form[data-placing] .btn.primary")).to_have_attribute("aria-disabled", "true")
    await page.locator("[data-clear]").tap()
    await expect(hours).to_have_text("0")
    for card in ("hero", "5", "1", "2", "3"):
        await page.locator(f"[data-action='{card}']").first.tap()
        await page.locator(f"[data-action='{card}']").first.tap()
    await page.locator("form[data-placing] .btn.primary").tap()
    await expect(page.locator("#row-p1 .tf-act.down")).to_have_count(5)
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "4")
    state = await database_sync_to_async(state_of)(game)
    assert state.players["p1"].first == ["hero", "5", "1", "2", "3"]
