"""The practice evening on a phone that has never been here."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import expect

from tests.browser.presses import press
from tests.servers import ThreadServer

#: The lesson lies whole on the screen, and nothing over it.
LIES_CLEAR = """() => {
  const lesson = document.querySelector("[data-lesson]:not([hidden])");
  const box = lesson.getBoundingClientRect();
  return [box.top + 1, box.bottom - 1].every(
    (y) => lesson.contains(document.elementFromPoint(box.left + 9, y)));
}"""


async def test_a_lesson_comes_with_the_first_check_and_does_not_come_back(
    server: ThreadServer, phone: Any
) -> None:
    one = await phone(server, at="/")
    await one.get_by_role("link", name=re.compile("練習の夜")).tap()
    await one.get_by_role("button", name="アカリで始める").tap()
    await expect(one).to_have_url(re.compile(r"/t/\d+/$"))
    goal, check = one.locator("[data-lesson$='.goal']"), one.locator("[data-lesson$='.check']")
    await expect(check).to_be_attached()  # The GM has called, and nothing more comes by itself.
    for width, height in ((844, 390), (320, 640), (360, 740), (390, 844)):
        await one.set_viewport_size({"width": width, "height": height})
        await one.wait_for_function(LIES_CLEAR)
    for lesson in (goal, check):
        await expect(lesson).to_be_visible()
        if await lesson.locator("[data-unfold]").is_visible():
            await lesson.locator("[data-unfold]").tap()
        await lesson.get_by_role("button", name="わかりました").tap()
    await one.reload()
    await expect(one.locator("#connection")).to_have_attribute("data-state", "on")
    await expect(check).to_be_hidden()
    await expect(goal).to_be_hidden()
    await one.locator(".hand li[data-fits=yes] .pick").first.tap()
    await press(one.locator("#act-play button"))
    await expect(one.locator("[data-lesson$='.checked']")).to_be_visible()
