"""A first game on small phones: the lesson covers nothing, and pressing the pointed elements goes on."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import expect

from sessions.models import Table
from tests.browser.presses import press
from tests.conftest import Somebody
from tests.servers import ThreadServer
from tests.sessions.test_first_games import begin, play_on

#: The board, what is told, the question and the hand lie one under the other, all on the screen.
ONE_UNDER_THE_OTHER = """() => {
  const places = ["#board", "#first-game", "#prompt .say", ".phone-hand"];
  const boxes = places.map((place) => document.querySelector(place).getBoundingClientRect());
  const under = boxes.every((box, i) => box.height > 0 && (i === 0 || box.top >= boxes[i - 1].bottom - 1));
  return under && boxes.at(-1).bottom <= innerHeight + 1;
}"""
#: What is pointed at is on the screen, and nothing lies over its middle.
CAN_BE_PRESSED = """(one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
}"""


async def test_a_first_game_points_at_each_button_and_covers_none(server: ThreadServer, phone: Any) -> None:
    one = await phone(server, at="/games/liarmafia/")
    await one.get_by_role("button", name="はじめての一局").tap()
    pointed, lesson = one.locator(".is-pointed-at"), one.locator("#first-lesson")
    for words in ("一味", "一味", "一味", "スルー", "あなたの番", "通りました", "手番の終わり", "ダウト"):
        await expect(lesson).to_contain_text(words)
        await expect(pointed).to_have_attribute("aria-describedby", "first-lesson")
        for width, height in ((390, 844), (360, 640)):
            await one.set_viewport_size({"width": width, "height": height})
            await one.wait_for_function(ONE_UNDER_THE_OTHER)
            assert await pointed.evaluate(CAN_BE_PRESSED), words
        at = await pointed.get_attribute("id") or await pointed.inner_text()
        await press(pointed)
        if words == "一味":  # The next card, and then the button.
            await expect(pointed).not_to_have_text(at)
    await expect(one.locator(".over")).to_contain_text("みごとに見抜きました")
    await one.get_by_role("button", name="もう一度").tap()
    await expect(lesson).to_contain_text("一味")


async def test_a_newcomer_who_follows_the_pointers_wins_a_challenge_in_twentyfour(
    server: ThreadServer, phone: Any
) -> None:
    one = await phone(server)
    await one.goto("/games/twentyfour/")
    await one.get_by_role("button", name="はじめての一局").tap()
    pointed, placed = one.locator(".is-pointed-at"), one.locator(".tf-card.is-placed")
    for first in ("4", "2"):
        await expect(one.locator(f".tf-card.is-pointed-at[data-action='{first}']")).to_be_visible()
        for count in range(1, 6):
            await press(pointed)
            await expect(placed).to_have_count(count)
        await press(one.locator(".btn.primary.is-pointed-at"))
    await press(one.locator(".tf-challenge .is-pointed-at"))
    await expect(one.locator(".over")).to_be_visible()


async def test_the_first_game_of_goodcop_ends_with_the_ring_and_no_more_prompts(
    server: ThreadServer, phone: Any, ayumi: Somebody
) -> None:
    def played() -> Table:
        table = begin(ayumi.client, "goodcop")
        play_on(table)
        return table

    table = await database_sync_to_async(played)()
    one = await phone(server, ayumi)
    await one.goto(table.get_absolute_url())
    await expect(one.locator(".first-game-over")).to_be_visible()
    await expect(one.locator("#ring")).to_be_visible()
    for what_it_would_ask in (".gc-strip", ".gc-asked", ".gc-wants"):
        await expect(one.locator(what_it_would_ask)).to_be_hidden()
