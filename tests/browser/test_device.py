"""A device's answer to a call, its switches, and the place of the band about the line."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Seat, Session, Table
from tests.browser.test_evening import shown_version
from tests.conftest import Somebody
from tests.evening import call, play
from tests.servers import ThreadServer

#: The doings of the device, noted instead.
EARS = """
    window.buzzed = []; window.sounded = 0;
    Object.defineProperty(navigator, "vibrate", {value: (pattern) => Boolean(window.buzzed.push(pattern))});
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        createOscillator() { window.sounded++; return super.createOscillator(); }
    };
"""
CALLED = [60, 40, 60]


async def listening(phone: Any, server: ThreadServer, table: Table, who: Somebody) -> Page:
    page: Page = await phone(server, who)
    await page.add_init_script(EARS)
    await page.goto(table.get_absolute_url())
    await shown_version(page, 0)
    return page


async def settings(page: Page) -> None:
    await page.locator('[data-open="menu-sheet"]').tap()
    await page.locator('[data-open="settings-sheet"]').tap()


async def switch(page: Page, name: str) -> None:
    await settings(page)
    await page.locator(f'label:has([data-pref="{name}"])').tap()
    await page.locator("#settings-sheet [data-close]").tap()


async def called(page: Page, table: Table, version: int = 1) -> dict[str, Any]:
    """Call this phone and return its reaction."""
    await page.evaluate("window.buzzed = []; window.sounded = 0;")
    await database_sync_to_async(play)(table, "gm", call("p1"))
    await shown_version(page, version)
    return dict(await page.evaluate("({buzzed: window.buzzed, sounded: window.sounded})"))


async def test_a_phone_buzzes_when_called_and_is_silent_unless_asked(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await listening(phone, server, table, ayumi)
    await one.locator("#board").tap()
    assert await called(one, table) == {"buzzed": [CALLED], "sounded": 0}


async def test_the_switches_change_what_happens_also_after_a_reload(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await listening(phone, server, table, ayumi)
    await switch(one, "vibrate")
    await switch(one, "sound")
    assert await one.evaluate("window.sounded") > 0, "who switches sound on hears it"
    await one.reload()
    await expect(one.locator('[data-pref="sound"]')).to_be_checked()
    await expect(one.locator('[data-pref="vibrate"]')).not_to_be_checked()
    await one.locator("#board").tap()
    happened = await called(one, table)
    assert happened["buzzed"] == []
    assert happened["sounded"] > 0


async def test_without_a_wake_lock_the_settings_say_what_to_do(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    """Plain http on the local network has no wake lock."""
    one = await listening(phone, server, table, ayumi)
    await settings(one)
    await expect(one.locator('[data-stay-on="no"]')).to_be_visible()
    await expect(one.locator('[data-stay-on="yes"]')).to_be_hidden()


async def test_with_a_wake_lock_there_is_a_switch_for_it(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi)
    await one.add_init_script(
        """window.locks = []; Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
               const lock = {released: false, release: async () => { lock.released = true; }};
               window.locks.push(lock); return lock; }}});"""
    )
    await one.goto(table.get_absolute_url())
    await shown_version(one, 0)
    await one.locator("#board").tap()
    await one.wait_for_function("locks.length === 1 && !locks[0].released")
    await switch(one, "awake")
    await one.wait_for_function("locks.length === 1 && locks[0].released")
    await switch(one, "awake")
    await one.wait_for_function("locks.length === 2 && !locks[1].released")


BAND_AND_PLACES = """(state) => {
    document.getElementById("connection").dataset.state = state;
    const box = (e) => { const {top, bottom} = e.getBoundingClientRect(); return {top, bottom}; };
    return [`#connection > [data-when=${state}]`, "#board .card", ".phone-hand"]
        .map((one) => box(document.querySelector(one)));
}"""


async def test_connection_messages_cover_neither_the_field_card_nor_the_hand(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi)
    for language in ("ja", "en"):
        cookie = {"name": "django_language", "value": language, "url": server.lan_url}
        await one.context.add_cookies([cookie])
        await one.goto(table.get_absolute_url())
        await shown_version(one, 0)
        for state in ("lost", "stuck", "unsent", "back"):
            # Measured in one go: the page itself puts the state right twice a second.
            band, *kept = await one.evaluate(BAND_AND_PLACES, state)
            assert band["bottom"] > band["top"], (language, state)
            assert all(band["bottom"] <= place["top"] + 1 for place in kept), (language, state)


async def test_a_player_left_out_of_the_next_table_stays_out_when_others_join(
    server: ThreadServer, phone: Any, laptop: Any, session: Session, seats: list[Seat], gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=session)
    tick = desk.locator(f"#seat-{seats[0].pk} input[type=checkbox]")
    await tick.uncheck()
    late = await phone(server, at=f"/j/{session.code}/")
    await late.get_by_role("textbox").fill("おそいひと")
    await late.locator('button[value="player"]').tap()
    await expect(desk.locator(".seat-who").get_by_text("おそいひと")).to_be_visible()
    await expect(tick).not_to_be_checked()


async def test_a_gm_removes_a_seat_by_holding_and_restores_it_by_a_tap(
    server: ThreadServer, laptop: Any, session: Session, seats: list[Seat], gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=session)
    await desk.locator(f"#menu-{seats[0].pk} > summary").click()
    await desk.locator(f'[data-open="remove-{seats[0].pk}"]').click()
    hold = desk.locator(f"#remove-{seats[0].pk} [data-hold]")
    await hold.click()
    await expect(desk.locator(f"#remove-{seats[0].pk}")).to_be_visible()
    await hold.click(delay=800)
    await desk.locator(f"#removed-{seats[0].pk} button").click()
    await expect(desk.locator(f"#seat-{seats[0].pk}")).to_be_visible()


async def test_the_language_changes_and_the_table_stays(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await one.get_by_label("言語").locator("visible=true").tap()
    await one.locator('button[name="language"][value="en"]').tap()
    await expect(one.locator("html")).to_have_attribute("lang", "en")
    assert one.url.endswith(table.get_absolute_url())


async def test_a_browser_without_cookies_on_websockets_does_not_reload_for_ever(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server)
    await one.context.add_cookies(
        [
            {"name": name, "value": value, "url": server.lan_url + table.get_absolute_url()}
            for name, value in ayumi.cookies.items()
        ]
    )
    shown: list[str] = []
    one.on("framenavigated", lambda frame: shown.append(frame.url))
    await one.goto(table.get_absolute_url())
    await expect(one.locator("#connection")).to_have_attribute("data-state", "lost")
    assert len(shown) == 2
