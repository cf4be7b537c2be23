"""What people bring: phones whose browser has learnt nothing since 2022."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.registry import registry
from sessions.evening import nights
from sessions.models import Campaign, Session, Table
from tests.browser.old import make_old, old_style
from tests.browser.test_cover import LEAVES_THE_PAGE
from tests.browser.test_first_load import a_table
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer

#: What tells a hand by each game, by what is drawn of it.
FACES = {
    "uroboros": "[data-hand] .card, [data-hand] .card *, [data-hand] .pick-fit",
    "liarmafia": ".own-cards .mafioso, .own-cards .mafioso *, .own-cards .lies, .truth",
    "goodcop": ".gc-own > li, .gc-own > li *, .gc-team, .gc-team *, .gc-role",
    "twentyfour": ".tf-cards .tf-card, .tf-cards .tf-card *",
    "journey": ".journey-hand .event-card, .journey-hand .event-card *",
}
CARDS = "[data-hand] .card, .own-cards .mafioso, .gc-own > li, .tf-card, .journey-hand .event-card"
BEFORE_THE_HAND = ("detectives", "pack")
SCRIPTS = re.compile(r"\.js($|\?)")
PAINTED = """(faces) => faces
  .filter((face) => face.getClientRects().length && getComputedStyle(face).visibility === "visible")
  .map((face) => face.outerHTML.slice(0, 120))"""


async def painted(page: Page, key: str) -> list[str]:
    found: list[str] = await page.eval_on_selector_all(f":is({FACES[key]})", PAINTED)
    return found


def test_the_style_sheet_for_old_browsers_has_no_new_css() -> None:
    new = ":root { --a: light-dark(#fff, #000); height: 100dvh } .a:has(.b) { } @container (width > 1px) { }"
    assert not re.search(r"(?<![-\w])(light-dark\(|100dvh)|:has\(|@container", old_style(new))


@pytest.fixture
def players(ayumi: Somebody, bo: Somebody, kei: Somebody) -> list[Somebody]:
    return [ayumi, bo, kei]


def deal_a_hand(session: Session, key: str, players: list[Somebody]) -> Table:
    """Open a table, and play until the first player has cards to look at."""
    table, module = a_table(session, key, players), registry()[key]
    while (state := module.load(bytes(table.snapshot))) and getattr(state, "phase", "") in BEFORE_THE_HAND:
        seat = sorted(module.waiting_for(state))[0]
        play(table, seat, msgspec.json.encode(module.legal_moves(state, seat)[0]))
        table.refresh_from_db()
    return table


@pytest.mark.parametrize("key", sorted(registry()))
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
    widths = await page.eval_on_selector_all(f":is({CARDS})", "all => all.map((card) => card.offsetWidth)")
    assert min(widths, default=44) >= 40, "a finger finds a card"
    await page.evaluate(LEAVES_THE_PAGE)
    await expect(cover).to_be_visible()
    assert await painted(page, key) == []


#: The words that cannot be read: of buttons, and of what stands on the page and on cards.
PALE = """() => {
  const READ = ".btn, h1, h2, p, label, li, .card-index b, .card-index .icon";
  const parts = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, n) => one * a + below[n] * (1 - a));
  const light = (colour) => {
    const linear = (one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4;
    const [r, g, b] = colour.map((one) => linear(one / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ground = (element) => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    if (!element) return isDark ? [18, 18, 18] : [255, 255, 255];
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    if (backgroundImage.includes("gradient")) return null;
    const own = parts(backgroundColor);
    if (own[3] === 1) return own;
    const below = ground(element.parentElement);
    return below && over(own, below);
  };
  const pale = [];
  for (const element of document.querySelectorAll(READ)) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3);
    const words = texts.map((node) => node.data.trim()).join(" ").trim();
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!(words || element.matches(".icon")) || box.width < 2) continue;
    if (style.visibility !== "visible" || style.clipPath !== "none") continue;
    if (element.closest("[aria-disabled=true], :disabled, [aria-hidden=true]:not(.card)")) continue;
    const below = ground(element);
    if (!below) continue;
    const [more, less] = [light(over(parts(style.color), below)), light(below)].sort((a, b) => b - a);
    const contrast = (more + .05) / (less + .05);
    const named = words || element.outerHTML.slice(0, 60);
    if (!(contrast >= 4.5)) pale.push(`${contrast.toFixed(1)}: ${named}, ${style.color} on ${below}`);
  }
  return pale;
}"""


def open_lobbies(gm: Somebody, player: Somebody) -> list[str]:
    """Return the addresses of a lobby where no table was opened, and of one whose session has ended."""
    campaign = Campaign.objects.create(gm=gm.person, name="雪待駅の鐘")
    ended, waiting = (nights.open_session(campaign=campaign, title=title) for title in ("第一夜", "第二夜"))
    for one in (ended, waiting):
        sit(one, player.person)
    nights.close_session(session=ended)
    return [ended.get_absolute_url(), waiting.get_absolute_url()]


async def test_every_kind_of_page_can_be_read_by_day_and_by_night(
    server: ThreadServer, phone: Any, session: Session, gm: Somebody, players: list[Somebody]
) -> None:
    """A chosen theme is looked at on the tables: its colours are those of the device's, whatever the page."""
    deals = [await database_sync_to_async(deal_a_hand)(session, key, players) for key in sorted(registry())]
    tables = [session.get_absolute_url(), *(table.get_absolute_url() for table in deals)]
    pages = ["/", "/nowhere/", "/help/", "/characters/", f"/j/{session.code}/"]
    pages += await database_sync_to_async(open_lobbies)(gm, players[0])
    pages += [f"/face/{session.face_key}/", *tables]
    pale: dict[str, list[str]] = {}
    phone.expect("404")
    for scheme in ("light", "dark"):
        looks = (
            (gm, "device", [tables[0], tables[-1]]),
            (players[0], "device", pages),
            (players[0], scheme, tables),
        )
        for who, theme, paths in looks:
            page = await phone(server, who, color_scheme=scheme)
            await page.context.add_cookies([{"name": "theme", "value": theme, "url": server.lan_url}])
            await make_old(page.context)
            for path in paths:
                await page.goto(path)
                if found := await page.evaluate(PALE):
                    pale[f"{path} of {who.person.name}, {theme} {scheme}"] = found
    assert pale == {}
