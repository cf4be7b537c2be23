"""The content of a bottom sheet comes when the sheet opens, and stays up to date while it is open."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from companion.models import Person
from sessions.engine.registry import registry
from sessions.evening import nights
from sessions.models import Role, Session, Table
from sessions.table import opening
from tests.browser.test_evening import hand_on, shown_version
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer

#: The sheets in which something is still to come.
WAITING = "[...document.querySelectorAll('dialog.sheet:has(.to-come)')].map((sheet) => sheet.id)"


def opened(session: Session, key: str, people: list[Person]) -> Table:
    fewest = max(len(people), registry()[key].seats.start) if key != "journey" else 1
    others = [Person.objects.create(name=f"客{number}") for number in range(fewest - len(people))]
    players = [sit(session, person) for person in [*people, *others]]
    return opening.open_table(session=session, module_key=key, players=players)


async def looks_into_every_sheet(page: Page) -> None:
    """Open one sheet after the other and find nothing that is still to come."""
    assert await page.locator(".to-come:not(dialog *)").count() == 0, "who would ever fill that?"
    sheets = await page.evaluate(WAITING)
    assert "state-sheet" in sheets
    for sheet in sheets:
        # Wide screens show the log beside the table already.
        await page.evaluate(
            "(id) => document.getElementById(id).open || document.getElementById(id).showModal()", sheet
        )
        await expect(page.locator(f"#{sheet} .to-come")).to_have_count(0)
        await page.evaluate("(id) => document.getElementById(id).close()", sheet)
    await expect(page.locator(".to-come")).to_have_count(0)


async def test_every_sheet_of_every_game_shows_what_lies_in_it(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
    kei: Somebody,
) -> None:
    """For a player, for a spectator, and for the GM."""

    def watched(key: str) -> Table:
        """Open a table in a session of its own, with a spectator."""
        own = nights.open_session(campaign=session.campaign, title="夜")
        sit(own, kei.person, Role.SPECTATOR)
        return opened(own, key, [ayumi.person])

    pages = [await phone(server, ayumi), await phone(server, kei), await laptop(server, gm)]
    for key in registry():
        table = await database_sync_to_async(watched)(key)
        for page in pages:
            await page.goto(table.get_absolute_url())
            await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
            await looks_into_every_sheet(page)


async def test_an_open_sheet_stays_up_to_date_when_the_line_comes_back(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await shown_version(one, 0)
    await one.locator("[data-open=log-sheet]").tap()
    log = one.locator("#log-sheet #log")
    await expect(log).to_be_visible()
    await one.evaluate("document.getElementById('live')._htmx.ws.connection.socket.close(1000)")
    await database_sync_to_async(play)(table, "p2", '{"type": "declare", "text": "留守の間"}'.encode())
    await one.evaluate("dispatchEvent(new Event('online'))")
    await expect(log).to_contain_text("留守の間")
    await database_sync_to_async(play)(table, "p2", '{"type": "declare", "text": "戻った後"}'.encode())
    await expect(log).to_contain_text("戻った後")


async def test_a_sheet_that_was_closed_shows_the_present_when_it_is_opened_again(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await shown_version(one, 0)
    log = one.locator("#log-sheet #log")
    for version, text in enumerate(["一度目", "二度目"], 1):
        await database_sync_to_async(play)(table, "p2", f'{{"type": "declare", "text": "{text}"}}'.encode())
        await shown_version(one, version)
        await one.locator("[data-open=log-sheet]").tap()
        await expect(log).to_contain_text(text)
        await one.locator("#log-sheet [data-close]").tap()


async def test_the_raised_card_is_the_choice_of_a_sheet_that_comes_when_it_opens(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await shown_version(one, 0)
    card = next(card for card in sorted(await hand_on(one)) if not card.startswith("x"))
    await one.locator(f'[data-card="{card}"] input').check(force=True)
    await open_by_button(one, "support-sheet")
    await expect(one.locator(f'#support-sheet [data-raised-choice][value="{card}"]')).to_be_checked()


async def open_by_button(page: Page, sheet: str) -> None:
    """Open a sheet as a button of the page does, wherever the button stands just now."""
    await page.evaluate(
        """(sheet) => {
            const button = Object.assign(document.createElement("button"), { type: "button" });
            button.dataset.open = sheet;
            document.body.append(button);
            button.click();
        }""",
        sheet,
    )
