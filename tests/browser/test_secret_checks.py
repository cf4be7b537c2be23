"""A secret check and a look at a hand, on a desk, two phones and the table's screen."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from sessions.models import Session, Table
from tests.conftest import Somebody
from tests.evening import cards_in, hand
from tests.servers import ThreadServer

from .conftest import Devices
from .presses import press


@pytest.fixture
def cards(table: Table) -> list[str]:
    """The hand of p1 without jokers, which ask for a suit."""
    return [card for card in hand(table, "p1") if not card.startswith("x")]


async def at(page: Page, version: int) -> None:
    """Wait until a page shows a version of the table."""
    await expect(page.locator(f'#pulse[data-version="{version}"]')).to_be_attached()


async def test_a_secret_check_is_hidden_until_revealed_and_a_peek_is_announced(
    server: ThreadServer,
    laptop: Devices,
    phone: Devices,
    session: Session,
    table: Table,
    cards: list[str],
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    desk, own, other, face = (
        await laptop(server, gm),
        await phone(server, ayumi),
        await phone(server, bo),
        await laptop(server),
    )
    for page in (desk, own, other):
        await page.goto(table.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    everybody = (desk, own, other, face)
    await desk.click("#call .step-choice:nth-of-type(1)")
    await desk.click("#call-p1")
    await desk.fill("#call-label", "聞き耳")
    await desk.select_option("#call-secret", "own")
    await desk.click("#call-form .btn.primary")
    await expect(own.locator(".prompt-secret")).to_contain_text("あなたとGMだけ")
    await expect(other.locator("#board")).to_contain_text("秘密判定")
    await expect(other.locator(".board-difficulty")).to_have_count(0)
    # SHOT called

    await own.tap(f"#hand-{cards[0]}")
    await press(own.locator("#act-play button"))
    for page in everybody:
        await at(page, 2)
    # SHOT moment
    await expect(own.locator("#secrets")).to_contain_text("成功")
    await expect(own.locator("#say")).to_contain_text("成功。 「聞き耳」")
    await expect(other.locator("#say")).not_to_contain_text("成功")
    await expect(desk.locator("#secrets")).to_contain_text("成功")
    await expect(other.locator("#secrets li")).to_have_count(0)
    for page in (other, face):
        assert cards[0] not in cards_in(await page.content())
        await expect(page.locator(".face-down .card.back")).to_have_count(1)
    # SHOT laid

    await desk.click("[data-open=end-sheet]")
    await expect(desk.locator("#unrevealed")).to_contain_text("1件")
    # SHOT end
    await desk.click("#unrevealed form button")
    for page in everybody:
        await expect(page.locator("#verdict .verdict-word")).to_have_text("成功")
    # SHOT revealed
    await expect(desk.locator("#unrevealed > *")).to_have_count(0)
    await desk.keyboard.press("Escape")
    await expect(other.locator(".face-down")).to_have_count(0)
    await other.tap("[data-open=log-sheet]")
    await expect(other.locator("#log-sheet")).to_contain_text("あゆみが出した札")
    # SHOT log

    await desk.click("#party-p1 [data-open=peek-sheet]")
    # SHOT ask
    await desk.click("#peek-form .btn.primary")
    await expect(desk.locator(".peeked-cards .card")).not_to_have_count(0)
    await expect(own.locator(".prompt-peeked")).to_contain_text("GMがあなたの手札を見ました")
    await expect(other.locator("#log-sheet")).to_contain_text("手札を見ました")
    # SHOT peeked
    await desk.keyboard.press("Escape")
    await expect(desk.locator(".peeked-cards")).to_have_count(0)
