"""A page that has taken in push after push shows what a page shows that comes now."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from companion.models import Person
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.models import Session, Table
from sessions.table import opening
from tests.bench import scripts
from tests.browser.conftest import ASKED_EACH_TIME
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer

MOVES = 15
REGIONS = ["board", "log", "party", "prompt", "face"]
#: The regions, without what scripts do to them at times of their own and without an order of attributes.
SHOWN = """(names) => names.map((name) => {
  const OWN = ["data-htmx-powered", "style", "open"];
  const region = document.getElementById(name)?.cloneNode(true);
  for (const one of region?.querySelectorAll("*") ?? []) {
    if (!one.className) one.removeAttribute("class");
    const attributes = [...one.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of attributes) one.removeAttribute(name);
    for (const { name, value } of attributes) if (!OWN.includes(name)) one.setAttribute(name, value);
  }
  for (const drawn of region?.querySelectorAll("[data-aims], .ghost") ?? []) drawn.remove();
  for (const { classList } of region?.querySelectorAll("*") ?? []) classList.remove("landing", "falling");
  return region?.innerHTML ?? "";
})"""
#: The words that the body says of its regions, and those that they say.
SAID = """() => [document.body, ...document.body.querySelectorAll("[data-shows]:not([hidden])")]
  .map(({ dataset }) => dataset.shows.split(" ").filter(Boolean))"""


@pytest.fixture(params=["goodcop", "journey", "liarmafia", "twentyfour", "uroboros"])
def game(request: pytest.FixtureRequest, session: Session, ayumi: Somebody) -> Table:
    sizes = registry()[request.param].seats
    others = [Person.objects.create(name=f"人{number}") for number in range(min(4, sizes[-1]) - 1)]
    players = [sit(session, person) for person in [ayumi.person, *others]]
    return opening.open_table(session=session, module_key=request.param, players=players)


async def assert_body_says_what_regions_say(page: Page) -> None:
    body, *regions = await page.evaluate(SAID)
    assert body == sorted({word for words in regions for word in words})


async def shows(page: Page, version: int) -> None:
    await expect(page.locator("#table")).to_have_attribute("data-version", str(version))
    await expect(page.locator(".is-travelling")).to_have_count(0)


async def test_a_page_updated_by_pushes_equals_a_reloaded_page(
    server: ThreadServer, phone: Any, laptop: Any, game: Table, gm: Somebody, ayumi: Somebody
) -> None:
    desk, one, face = await laptop(server, gm), await phone(server, ayumi), await laptop(server)
    heard: list[str] = []
    desk.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(str(frame))))
    await face.goto(f"/face/{game.session.face_key}/")
    for page in (desk, one):
        await page.add_init_script(ASKED_EACH_TIME)
        await page.goto(game.get_absolute_url())
    for page in (desk, one, face):
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    await one.locator("[data-open=log-sheet]").first.tap()
    script = scripts.game(registry()[game.module], bytes(game.snapshot), game.secret, bots.RANDOM)
    for version, (seat, move) in enumerate(islice(script, MOVES), 1):
        await database_sync_to_async(play)(game, seat, msgspec.json.encode(move))
        await shows(one, version)
    for page in (desk, one, face):
        await shows(page, version)
        stayed = await page.evaluate(SHOWN, REGIONS)
        await assert_body_says_what_regions_say(page)
        await page.reload(wait_until="commit")
        await page.locator("#live").wait_for(state="attached")
        await assert_body_says_what_regions_say(page)
        if page is one:
            await page.locator("[data-open=log-sheet]").first.tap()
        if page is not face:  # The log is sent after the page: beside a wide board, or when its sheet opens.
            await expect(page.locator("#log .log-move").first).to_be_visible()
        await shows(page, version)
        assert await page.evaluate(SHOWN, REGIONS) == stayed
    assert any("data-kept" in frame for frame in heard)
