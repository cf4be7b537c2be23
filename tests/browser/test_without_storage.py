"""A session on devices without storage, and on devices whose clock is set."""

from __future__ import annotations

from typing import Any

from playwright.async_api import expect

from sessions.models import Seat, Session, Table
from tests.browser.test_evening import call_check, hand_on, shown_version, tap_tap
from tests.browser.test_home_screen import here
from tests.browser.test_reconnect import LOST, line_is
from tests.browser.test_talk import open_chat, say
from tests.conftest import Somebody
from tests.servers import ProcessServer, ThreadServer

#: What browsers do that keep site data from a page.
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
  Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });"""
#: Somebody sets the device's clock while the page is open.
SET_CLOCK = "(by) => { const now = Date.now; Date.now = () => now() + by; }"
HOUR = 3_600_000


async def test_a_session_is_played_on_browsers_that_forbid_storage(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    """The devices fail the test for each error of a script."""
    desk = await laptop(server, gm)
    one = await here(phone, server, ayumi)  # a page that browsers trust has more to be forbidden
    for page in (desk, one):
        await page.context.add_init_script(FORBIDDEN)
    for path in ("/", session.get_absolute_url(), f"/face/{session.face_key}/", "/gm/scenarios/paste/"):
        await desk.goto(path)
        await expect(desk.locator("main")).to_be_visible()
    await desk.goto(table.get_absolute_url())
    for path in ("/", session.get_absolute_url(), table.get_absolute_url()):
        await one.goto(path)
    assert (
        await one.evaluate("() => { try { return localStorage; } catch (no) { return no.name; } }")
        == "SecurityError"
    )

    cover = one.locator(".coverable > .cover:visible")
    if await cover.count():
        await cover.first.tap()
    lesson = one.locator("[data-lesson]:visible [data-understood]")
    while await lesson.count():
        await lesson.first.tap()
    await one.locator("[data-hand-sort]").first.select_option("suit", force=True)
    await call_check(desk, "p1", 0)
    await shown_version(one, 1)
    await tap_tap(one, sorted(await hand_on(one))[0])
    await shown_version(one, 2)
    await expect(lesson).to_have_count(0)
    await open_chat(one)
    await say(one, "覚えなくても話せる")
    await expect(one.locator("#chat_main .msg-text")).to_have_text(["覚えなくても話せる"])
    await expect(one.locator("#chat-text")).to_have_value("")


async def test_a_dead_connection_is_noticed_with_a_wrong_clock(
    server_process: ProcessServer, phone: Any, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    phone.expect(LOST)
    ahead, behind = await phone(server_process, ayumi, at=table), await phone(server_process, bo, at=table)
    for page, by in ((ahead, HOUR), (behind, -HOUR)):
        await line_is(page, "on")
        await page.evaluate(SET_CLOCK, by)
    server_process.freeze()
    for page in (ahead, behind):
        await line_is(page, "lost|stuck", timeout=60_000)
    server_process.thaw()
    for page in (ahead, behind):
        await line_is(page, "back|on", timeout=60_000)
