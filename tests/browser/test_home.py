"""The front door in a real browser."""

from __future__ import annotations

from typing import Any


async def test_the_front_door_opens_on_a_phone_without_complaint(server: Any, phone: Any) -> None:
    page = await phone(server)
    answer = await page.goto("/")
    assert answer.status == 200
    assert "卓上" in await page.title()
    assert await page.evaluate("document.documentElement.lang") == "ja"


async def test_phones_at_home_are_no_secure_context(server: Any, phone: Any) -> None:
    page = await phone(server, at="/")
    assert await page.evaluate("isSecureContext") is False


async def test_a_laptop_carries_its_persons_cookies(server: Any, laptop: Any, gm: Any) -> None:
    page = await laptop(server, gm)
    answer = await page.goto("/admin/")
    assert answer.status == 200
    assert page.url.endswith("/admin/"), "a stranger is sent to the sign-in page"
