"""The line breaks: the phone comes back by itself, and no acknowledged move is lost or doubled."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.evening import nights
from sessions.models import Campaign, Table
from sessions.table import opening
from tests.browser.test_evening import hand_on, shown_version, tap_tap
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.servers import ProcessServer, ThreadServer

LOST = (
    "ERR_CONNECTION|ERR_CONTENT_LENGTH|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED"
    "|WebSocket connection|htmx:ws:error"
)


async def numbers(table: Table) -> list[int]:
    return await database_sync_to_async(lambda: list(table.moves.values_list("number", flat=True)))()


async def line_is(page: Page, states: str, timeout: int = 10_000) -> None:
    """Wait until the page says that its line is in one of these states: "lost|stuck"."""
    await expect(page.locator("#connection")).to_have_attribute(
        "data-state", re.compile(f"^(?:{states})$"), timeout=timeout
    )


async def asked_phone(server: ThreadServer | ProcessServer, phone: Any, table: Table, who: Somebody) -> Page:
    """A phone that is asked for a card any card passes."""
    phone.expect(LOST)
    await database_sync_to_async(play)(table, "gm", call("p1"))
    page = await phone(server, who, at=table)
    await shown_version(page, 1)
    return page


@pytest.fixture
def tables(table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody) -> list[Table]:
    """Four tables with a call for p1, each of a session of its own."""

    def another() -> Table:
        campaign = Campaign.objects.create(gm=gm.person, name="無限の蛇")
        session = nights.open_session(campaign=campaign, title="第一夜")
        seats = [sit(session, who.person) for who in (ayumi, bo)]
        return opening.open_table(session=session, module_key="uroboros", players=seats)

    return [table, *(another() for _ in range(3))]


async def test_cards_played_during_a_server_outage_are_played_at_most_once(
    server_process: ProcessServer, phone: Any, tables: list[Table], ayumi: Somebody
) -> None:
    """One phone waits, one plays a card, one takes its card back, and one plays on a table that moves on."""
    pages = [await asked_phone(server_process, phone, table, ayumi) for table in tables]
    still, played, taken_back, late = pages
    hands = [await hand_on(page) for page in pages]
    server_process.kill()
    for page, before in zip(pages, hands, strict=True):
        await line_is(page, "lost|stuck")
        assert await hand_on(page) == before, "the hand stays in sight"
    for page, before in list(zip(pages, hands, strict=True))[1:]:
        await tap_tap(page, sorted(before)[0])
        await line_is(page, "unsent")
    await taken_back.locator("[data-unsend]").tap()
    await database_sync_to_async(play)(tables[3], "gm", b'{"type": "cancel"}')
    await database_sync_to_async(play)(tables[3], "gm", call("p1"))
    server_process.start()
    await line_is(still, "on", timeout=20_000)
    await tap_tap(still, sorted(hands[0])[0])
    await shown_version(still, 2)
    assert await numbers(tables[0]) == [1, 2]
    for page in pages[1:]:
        await line_is(page, "back|on", timeout=20_000)
    await shown_version(played, 2)
    assert await numbers(tables[1]) == [1, 2]
    assert await numbers(tables[2]) == [1]
    await shown_version(late, 3)
    await expect(late.locator("#refusal")).to_be_visible()
    assert await numbers(tables[3]) == [1, 2, 3]


async def test_a_lost_answer_does_not_play_the_card_twice(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    """The server has committed, but the phone did not hear it and asks again with the same id."""
    one = await asked_phone(server, phone, table, ayumi)
    await one.evaluate(
        """() => document.addEventListener("htmx:ws:before:message:incoming", (event) => {
               event.detail.cancelled = true;
               event.stopImmediatePropagation();
               if (event.detail.message.data.includes('"accepted"')) document.body.dataset.lost = "";
           }, true)"""
    )
    await tap_tap(one, sorted(await hand_on(one))[0])
    await expect(one.locator("body[data-lost]")).to_be_attached(timeout=15_000)
    assert await numbers(table) == [1, 2]
    await one.reload()
    await shown_version(one, 2)
    await expect(one.locator("#table")).not_to_have_class(re.compile("is-sending"))
    assert await numbers(table) == [1, 2]


async def test_a_view_that_comes_late_does_not_cover_a_newer_one(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await asked_phone(server, phone, table, ayumi)
    await one.evaluate(
        """() => {
               const table = document.getElementById("table"), views = [], versions = [];
               const socket = document.getElementById("live")._htmx.ws.connection.socket;
               socket.addEventListener("message", ({ data }) => {
                   if (data.includes("data-version")) views.push(data);
               });
               const look = () => versions.push(Number(table.dataset.version));
               new MutationObserver(look).observe(table, { attributeFilter: ["data-version"] });
               const late = () => socket.dispatchEvent(new MessageEvent("message", { data: views[0] }));
               Object.assign(window, { versions, late });
           }"""
    )
    for version in (2, 3):
        await database_sync_to_async(play)(
            table, "p2", f'{{"type": "declare", "text": "{version}"}}'.encode()
        )
        await shown_version(one, version)
    await one.evaluate("window.late()")
    await database_sync_to_async(play)(table, "p2", b'{"type": "declare", "text": "4"}')
    await shown_version(one, 4)
    shown = await one.evaluate("window.versions")
    assert shown == sorted(shown)


async def test_a_phone_that_wakes_up_fetches_the_newest_view_at_once(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    """iOS kills the socket silently and brings the page back without a visibility change."""
    one = await asked_phone(server, phone, table, ayumi)
    woken = ("new PageTransitionEvent('pageshow', {persisted: true})", "new Event('online')")
    for version, event in enumerate(woken, start=2):
        await line_is(one, "on")
        await one.evaluate("document.getElementById('live')._htmx.ws.connection.socket.close(1000)")
        await database_sync_to_async(play)(table, "p2", '{"type": "declare", "text": "やあ"}'.encode())
        await one.evaluate(f"dispatchEvent({event})")
        await shown_version(one, version)
