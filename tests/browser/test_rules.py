"""The rules at hand. A refusal opens its clause, the sheet is fetched once, and the page needs no scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Table
from tests.conftest import Somebody
from tests.evening import call, play
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")


async def refused_move(page: Page) -> None:
    """Send a move that the rules refuse: drawing without being asked."""
    await page.evaluate(
        """() => { const form = document.createElement("form"); form.dataset.move = '{"type": "draw"}';
                   document.getElementById("table").append(form); form.requestSubmit(); }"""
    )


async def test_a_refused_move_opens_its_clause_on_a_phone(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi)
    fetched: list[str] = []
    one.on("request", lambda request: fetched.append(request.url) if "/rules/" in request.url else None)
    await one.goto(table.get_absolute_url())
    await refused_move(one)
    button = one.locator("#refusal [data-rule]")
    await expect(button).to_have_text("UC-4.1")
    assert fetched == []
    await button.tap()
    clause = one.locator('#rules-sheet [id="UC-4.1"]')
    await expect(clause).to_be_in_viewport()
    await expect(clause).to_be_focused()
    await expect(one.locator('#rules-sheet [id="UC-8.1"]')).not_to_be_in_viewport()
    # From clause to clause inside the sheet; the address stays the table's.
    await clause.locator('a[href="#UC-4.8"]').tap()
    await expect(one.locator('#rules-sheet [id="UC-4.8"]')).to_be_focused()
    await expect(one).to_have_url(re.compile(rf"{table.get_absolute_url()}$"))
    await one.locator("#rules-sheet [data-close]").tap()
    await button.tap()
    await expect(clause).to_be_focused()
    assert len(fetched) == 1


async def test_why_a_raised_card_fits_or_not_opens_its_clause(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(play)(table, "gm", call("p1", 5))
    one = await phone(server, ayumi, at=table)
    await one.locator("#hand [data-card]:not([data-card^=x])").first.tap()
    why = one.locator(".phone [data-why] a[data-rule]")
    await expect(why).to_have_text(re.compile(r"^UC-4\.\d$"))
    rule = await why.inner_text()
    await why.tap()
    await expect(one.locator(f'#rules-sheet [id="{rule}"]')).to_be_focused()


async def test_the_search_leaves_the_clauses_that_hold_every_word(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await one.locator("[data-open=rules-sheet]").tap()
    words = one.locator("#rules-sheet input[type=search]")
    await words.fill("JK 山引")
    found = one.locator("#rules-sheet .clause:visible")
    await expect(one.locator('#rules-sheet [id="UC-4.6"]')).to_be_visible()
    await expect(one.locator('#rules-sheet [id="UC-3.1"]')).to_be_hidden()
    for text in await found.all_inner_texts():
        assert "JK" in text
        assert "山引" in text
    await words.fill("ぞうさん")
    await expect(found).to_have_count(0)
    await expect(one.locator("#rules-sheet [role=status]")).to_have_text(
        "見つかりません。別の言葉で探してみてください。"
    )
    await words.fill("")
    await expect(one.locator('#rules-sheet [id="UC-3.1"]')).to_be_visible()


async def test_rules_that_did_not_arrive_are_asked_for_again(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    phone.expect("rules|ERR_")
    one = await phone(server, ayumi, at=table)
    await one.route("**/rules/", lambda route: route.abort())
    await one.locator("[data-open=rules-sheet]").tap()
    again = one.locator("[data-rules-again]")
    await expect(again).to_be_visible()
    await one.unroute("**/rules/")
    await again.tap()
    await expect(one.locator('#rules-sheet [id="UC-1.1"]')).to_be_attached()


async def test_the_page_is_whole_without_javascript(server: ThreadServer, phone: Any, db: None) -> None:
    one = await phone(server, java_script_enabled=False, at="/rules/uroboros/")
    await expect(one.locator("[data-book-search]")).to_be_hidden()
    await one.locator('.book-contents a[href="#UC-8"]').tap()
    await expect(one.locator('[id="UC-8"]')).to_be_in_viewport()
