"""A phone without a connection: its person alone can read the last known table and their sheets."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import call, hand, play, sit
from tests.servers import PATIENCE, ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")

CACHES = "async () => (await caches.keys()).filter(name => name.startsWith('kept-'))"
KEPT = """async () => {
    const names = (await caches.keys()).filter(name => name.startsWith("kept-"));
    const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
    const paths = requests.flat().map(request => new URL(request.url).pathname);
    return paths.filter(path => BOOK.test(path) === false).sort();
}""".replace("BOOK", r"/^\/(help|rules)\//")
BOOKS = KEPT.replace("false", "true")


@pytest.fixture
def table(session: Session, ayumi: Somebody, bo: Somebody) -> Table:
    seats = [sit(session, player.person) for player in (ayumi, bo)]
    nights.bring_character(seat=seats[0], character=create_character(ayumi.person, SAMPLES[0]))
    return opening.open_table(session=session, module_key="uroboros", players=seats)


async def here(devices: Any, server: ThreadServer, who: Somebody) -> Page:
    """A phone that browsers trust as they trust https: it calls the server localhost."""
    # The fixture counts every other host as leaving home, and a line that is down as a complaint.
    devices.expect(r"leaves the host: (http|ws)://localhost:")
    devices.expect("ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket connection|htmx:ws:error")
    page: Page = await devices(server, who, base_url=f"http://localhost:{server.port}")
    await become(page, who)
    return page


async def become(page: Page, who: Somebody) -> None:
    """Make a device that of another person."""
    await page.context.clear_cookies()
    cookies = [{"name": n, "value": v, "domain": "localhost", "path": "/"} for n, v in who.cookies.items()]
    await page.context.add_cookies(cookies)


async def until(page: Page, script: str, wanted: Any) -> None:
    """Wait until what a script promises is this: Playwright's own waiting takes the promise for a yes."""
    async with asyncio.timeout(PATIENCE):
        while await page.evaluate(script) != wanted:
            await asyncio.sleep(0.05)


async def test_hand_and_sheet_are_read_offline_by_their_owner_only(
    server: ThreadServer, phone: Any, table: Table, session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    hero = await database_sync_to_async(ayumi.person.characters.get)()
    address, sheet = table.get_absolute_url(), hero.get_absolute_url()
    one = await here(phone, server, ayumi)
    await one.goto(address)
    await expect(one.locator("html[data-kept]")).to_be_attached()
    await until(one, KEPT, sorted([address, sheet]))
    # What happens at the open table is kept, too.
    await database_sync_to_async(play)(table, "gm", call("p1"))
    called = f"async () => (await (await caches.match('{address}')).text()).includes('あなたの判定')"
    await until(one, called, wanted=True)
    cards = await database_sync_to_async(hand)(table, "p1")

    await asyncio.to_thread(server.stop)
    await one.goto(address)
    await expect(one.locator(".kept-banner")).to_contain_text("オフライン")
    for card in cards:
        await expect(one.locator(f'[data-hand] [data-card="{card}"]')).to_be_visible()
    pressable = "button:enabled, input:enabled, main a[href], form[action], script"
    assert await one.locator(pressable).count() == 0
    assert "csrf" not in await one.content()
    await one.goto("/")
    await one.get_by_role("link", name=re.compile(hero.name)).click()
    await expect(one.locator("main")).to_contain_text("海の知識")
    await expect(one.locator("#sharing, link[rel=alternate]")).to_have_count(0)
    await expect(one.locator(".kept-banner")).to_be_visible()

    # Bo takes the phone: with the line back, the first page of his drops what was Ayumi's.
    await asyncio.to_thread(server.start)
    await become(one, bo)
    await one.goto("/")
    await asyncio.to_thread(server.stop)
    await one.goto(sheet)
    await expect(one.get_by_role("heading", name="つながっていません")).to_be_visible()
    assert hero.name not in await one.content()
    assert address not in await one.evaluate(KEPT)


async def test_rules_help_and_cheat_sheets_are_readable_offline_unlike_other_pages(
    server: ThreadServer, phone: Any, ayumi: Somebody
) -> None:
    answer = await database_sync_to_async(ayumi.client.get)("/kept/")
    listed = answer.json()["books"]
    assert {"/help/", "/help/player/", "/help/games/uroboros/", "/rules/journey/"} <= listed.keys()
    one = await here(phone, server, ayumi)
    await one.goto("/")
    await until(one, BOOKS, sorted(listed))

    await asyncio.to_thread(server.stop)
    await one.goto("/rules/uroboros/")
    await expect(one.locator(".kept-banner")).to_be_visible()
    await one.locator(".book a[href^='#']").first.click()
    await expect(one).to_have_url(re.compile("/rules/uroboros/#"))
    await one.get_by_role("link", name="明日、旅に出ます").click()
    await expect(one).to_have_url(re.compile("/rules/journey/$"))
    await expect(one.locator(".clause").first).to_be_visible()
    await one.goto("/help/games/goodcop/")
    await expect(one.locator(".cheat h2").first).to_be_visible()
    await one.goto("/book/")
    await expect(one.get_by_role("heading", name="つながっていません")).to_be_visible()
    await expect(one.get_by_role("link", name=re.compile("プレイヤー")).first).to_be_visible()


async def test_signing_out_and_losing_the_seat_leave_nothing_behind(
    server: ThreadServer, phone: Any, table: Table, session: Session, ayumi: Somebody
) -> None:
    hero = await database_sync_to_async(ayumi.person.characters.get)()
    address = table.get_absolute_url()
    one = await here(phone, server, ayumi)
    await one.goto(address)
    await until(one, KEPT, sorted([address, hero.get_absolute_url()]))
    seat = await database_sync_to_async(session.seats.get)(person=ayumi.person)
    phone.expect("403")
    await database_sync_to_async(nights.remove_seat)(seat=seat)
    await expect(one.locator("#table")).to_have_count(0)
    await until(one, KEPT, [hero.get_absolute_url()])
    await one.goto("/account/")
    await one.get_by_role("button", name="この端末からサインアウトする").click()
    await expect(one).to_have_url(re.compile(r"/$"))
    await until(one, CACHES, [])


async def test_a_hidden_page_notifies_a_player_who_switched_it_on_of_their_turn(
    server: ThreadServer, notified_phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await here(notified_phone, server, ayumi)
    await one.context.grant_permissions(["notifications"], origin=f"http://localhost:{server.port}")
    await one.goto(table.get_absolute_url())
    await one.locator("[data-open=menu-sheet]").tap()
    await one.locator("#menu-sheet [data-open=settings-sheet]").tap()
    await one.locator("[data-pref=notify]").check()
    await expect(one.locator("html[data-notify]")).to_be_attached()
    await one.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    await database_sync_to_async(play)(table, "gm", call("p1"))
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body }) => `${title}|${body}`).join()"""
    await until(one, shown, "あなたの番です。|")
    await one.evaluate(
        """Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
           document.dispatchEvent(new Event('visibilitychange'))"""
    )
    await until(one, shown, "")
