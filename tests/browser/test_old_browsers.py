"""What people bring: phones whose browser has learnt nothing since 2022."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.shelf import shelf
from sessions.models import Session, Table
from tests.browser.old import make_old, old_style
from tests.browser.test_cover import LEAVES_THE_PAGE
from tests.browser.test_first_load import a_table
from tests.conftest import Somebody
from tests.evening import play
from tests.servers import ThreadServer

#: What tells a hand by each game, by what is drawn of it.
FACES = {
    "uroboros": "[data-hand] .card, [data-hand] .card *, [data-hand] .pick-fit",
    "liarmafia": ".own-cards .mafioso, .own-cards .mafioso *, .own-cards .lies, .truth",
    "goodcop": ".gc-own > li, .gc-own > li *, .gc-team, .gc-team *, .gc-role",
    "twentyfour": ".tf-cards .tf-card, .tf-cards .tf-card *",
    "journey": ".journey-hand .event-card, .journey-hand .event-card *",
}
BEFORE_THE_HAND = ("detectives", "pack")
SCRIPTS = re.compile(r"\.js($|\?)")
PAINTED = """(faces) => faces
  .filter((face) => face.getClientRects().length && getComputedStyle(face).visibility === "visible")
  .map((face) => face.outerHTML.slice(0, 120))"""


async def painted(page: Page, key: str) -> list[str]:
    found: list[str] = await page.eval_on_selector_all(f":is({FACES[key]})", PAINTED)
    return found


def test_the_old_browser_knows_nothing_new() -> None:
    new = ":root { --a: light-dark(#fff, #000); height: 100dvh } .a:has(.b) { } @container (width > 1px) { }"
    assert not re.search(r"(?<![-\w])(light-dark\(|100dvh)|:has\(|@container", old_style(new))


@pytest.fixture
def players(ayumi: Somebody, bo: Somebody, kei: Somebody) -> list[Somebody]:
    return [ayumi, bo, kei]


def deal_a_hand(session: Session, key: str, players: list[Somebody]) -> Table:
    """Open a table, and play until the first player has cards to look at."""
    table, module = a_table(session, key, players), shelf()[key]
    while (state := module.load(bytes(table.snapshot))) and getattr(state, "phase", "") in BEFORE_THE_HAND:
        seat = sorted(module.waiting_for(state))[0]
        play(table, seat, msgspec.json.encode(module.legal_moves(state, seat)[0]))
        table.refresh_from_db()
    return table


@pytest.mark.parametrize("key", sorted(shelf()))
async def test_a_covered_hand_shows_no_face_with_scripts_and_without(
    server: ThreadServer, phone: Any, session: Session, players: list[Somebody], key: str
) -> None:
    table = await database_sync_to_async(deal_a_hand)(session, key, players)
    page = await phone(server, players[0], covers=True)
    phone.expect(r"\.js")
    await page.add_init_script("localStorage.setItem('cover', 'on')")
    await make_old(page.context)
    await page.route(SCRIPTS, lambda route: route.abort())
    await page.goto(table.get_absolute_url())
    cover = page.locator("#hand .cover")
    await expect(cover).to_be_visible()
    assert await page.locator(FACES[key]).count() > 2
    assert await painted(page, key) == []
    await page.unroute(SCRIPTS)
    await page.reload()
    await expect(page.locator("#connection[data-state=on]")).to_be_attached()
    await expect(cover).to_be_visible()
    assert await painted(page, key) == []
    await cover.tap()
    await expect(cover).to_be_hidden()
    assert await painted(page, key) != []
    await page.evaluate(LEAVES_THE_PAGE)
    await expect(cover).to_be_visible()
    assert await painted(page, key) == []
