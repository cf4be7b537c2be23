"""The GM's desk: writing beside the table, and nothing that moves away under the cursor."""

from __future__ import annotations

from playwright.async_api import Page, expect

from sessions.models import Table
from tests.conftest import Somebody
from tests.servers import ThreadServer

from .conftest import Devices

PLACES = ("#board", "#call", ".gm-hand")


async def tops(page: Page) -> list[float]:
    """Return how far down the desk its parts begin, once they stand still."""
    boxes = [await page.locator(place).bounding_box() for place in PLACES]
    return [box["y"] for box in boxes if box]


async def test_a_gm_improvises_a_handout_in_three_clicks_and_a_call_moves_nothing(
    server: ThreadServer, laptop: Devices, phone: Devices, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    laptop.expect("422")
    desk, player = await laptop(server, gm), await phone(server, ayumi)
    await desk.goto(table.get_absolute_url())
    await player.goto(table.get_absolute_url())
    await desk.click("[data-open=write-sheet]")
    await desk.fill("#write-handout-secret", "あなたは蛇の一族だ")
    await desk.reload()
    await desk.click("[data-open=write-sheet]")
    secret, now = desk.locator("#write-handout-secret"), desk.locator("#write-panel-handouts [name=now]")
    await expect(secret).to_have_value("あなたは蛇の一族だ")
    await now.click()
    await expect(desk.locator("#write-panel-handouts [data-error=to]")).to_have_text(
        "渡す相手を選んでください。"
    )
    await expect(secret).to_have_value("あなたは蛇の一族だ")
    await desk.locator("#write_to label", has_text="あゆみ").click()
    await now.click()
    await expect(desk.locator("#write-sheet")).not_to_be_visible()
    await expect(secret).to_have_value("")

    await expect(player.locator(".letter-away")).not_to_be_visible()
    await player.tap("#notice-inside > summary")
    await expect(player.locator("#notice-inside")).to_contain_text("あなたは蛇の一族だ")
    await player.tap(".letter-away")
    await expect(player.locator("[data-notice]")).to_have_count(0)

    before = await tops(desk)
    last = await desk.locator("#hand .hand, .gm-hand .hand").first.bounding_box()
    assert last
    assert last["y"] + last["height"] <= 800, "the GM's hand is in sight"
    await desk.click("#call .step-choice:nth-of-type(3)")
    await desk.click("#call-p1")
    await desk.fill("#call-label", "崖を登る")
    await desk.click("#call-form .btn.primary")
    await expect(desk.locator("#running")).to_contain_text("あゆみ")
    assert await tops(desk) == before
