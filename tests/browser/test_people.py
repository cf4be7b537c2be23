"""Two phones at one board game: emotes at the sender's seat, and the clock of the table."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import expect

from sessions.models import Seat, Session
from sessions.table import opening
from tests.conftest import Somebody
from tests.servers import ThreadServer

#: Counts what shows, and what is said, from now on.
WATCH = """() => {
  window.seen = 0;
  const watcher = new MutationObserver(() => { window.seen += 1; });
  const parts = document.querySelectorAll("#emoted, #emoted-said");
  for (const part of parts) watcher.observe(part, { childList: true });
}"""


async def test_an_emote_shows_at_its_seat_unless_the_device_is_silenced(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=seats, clock=120
    )
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (one, two):
        await page.goto(table.get_absolute_url())
        await expect(page.locator("#clock")).to_be_visible()
    await one.locator("#emotes button").tap()
    await one.locator('[data-emote-send="nice"]').tap()
    await expect(one.locator("#emote-tray")).to_be_hidden()
    shown = two.locator(".emoted-one")
    await expect(shown).to_contain_text("ナイス！")
    await expect(two.locator("#emoted-said")).to_have_text("あゆみ：ナイス！")
    at, seat = await shown.bounding_box(), await two.locator("#board [data-at=p1]").bounding_box()
    assert at
    assert seat
    assert seat["y"] <= at["y"] + at["height"] / 2 <= seat["y"] + seat["height"]
    await expect(shown).to_have_count(0)
    await two.get_by_title("この端末ではエモートを出さない").tap()
    await two.evaluate(WATCH)
    await expect(one.locator('[data-emote-send="laugh"]')).to_be_enabled()
    await one.locator("#emotes button").tap()
    await one.locator('[data-emote-send="laugh"]').tap()
    await expect(one.locator(".emoted-one")).to_contain_text("あはは")
    await expect(one.locator(".emoted-one")).to_have_count(0)
    assert await two.evaluate("seen") == 0, "neither seen nor read aloud"
