"""A character made on a phone, from the first card to the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.urls import reverse

from characters.models import Creation
from sessions.models import Seat, Session
from tests.characters.conftest import SIX
from tests.characters.conftest import Phone as Making
from tests.characters.test_creation import make
from tests.conftest import Somebody

TWELVE = ["s01", "s02", "s03", "s04", "h05", "h06", "h07", "d11", "d12", "c13", "x01", "c11"]


pytestmark = pytest.mark.usefixtures("reference_rows")


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The next cards."""
    coming: list[list[str]] = []
    monkeypatch.setattr("characters.rules.draw", lambda *_: coming.pop(0))
    return coming


async def go_on(page: Any) -> None:
    await page.click("main form button.primary")


@database_sync_to_async
def redraws(page: Any) -> int:
    return Creation.objects.get(pk=int(page.url.split("/")[4])).redraws


async def test_a_stranger_makes_a_character_and_lands_on_the_sheet(
    server: Any, phone: Any, draws: Any
) -> None:
    draws += [
        ["h01", "h02", "h03", "d01", "d02", "d03"],
        ["h01", "d05", "h12", "s03", "c13", "x01"],
    ]
    page = await phone(server)
    await page.goto("/characters/")
    await page.click("text=キャラクターを作る")
    await go_on(page)
    await go_on(page)
    assert await page.locator(".drawn .card").count() == 6
    await page.click("text=引き直す")
    await page.wait_for_selector("text=HP 4、特技 2つ")
    await page.reload()
    await page.go_back()
    await page.go_forward()
    assert await redraws(page) == 1
    await page.click("text=HP 4、特技 2つ")
    await go_on(page)
    await page.check("[name=suits][value=h]")
    await go_on(page)
    await page.fill("[name=skill_0]", "剣術")
    await page.fill("[name=skill_1]", "料理")
    await go_on(page)
    assert not await page.is_visible(".values-weapon")
    await page.check(".kinds [value=weapon]")
    await page.fill("[name$=name]", "脇差")
    await page.click("text=片手用の刀剣")
    await go_on(page)
    await go_on(page)
    await page.fill("[name=name]", "朔")
    await go_on(page)
    await go_on(page)
    await page.wait_for_selector("h1:has-text('朔')")
    await page.click("#hp-less")
    await page.wait_for_selector(".hp-count b:text('3')")
    assert await page.evaluate("document.activeElement.id") == "hp-less"


async def test_the_purse_of_twelve_cards_counts_along(server: Any, phone: Any, draws: Any) -> None:
    draws.append(TWELVE)
    page = await phone(server)
    await page.goto("/characters/new/")
    await page.click("text=12枚で作る")
    for _ in range(3):
        await go_on(page)
    await page.wait_for_selector(".left:has-text('数札 7枚、絵札とJK 5枚')")
    await page.click("#hp-more")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 5枚')")
    await page.click("#specials-more")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 4枚')")
    await page.click("#specials-less")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 5枚')")
    assert await page.is_disabled("#specials-less")


async def test_who_makes_a_character_for_tonight_brings_it_without_another_tap(
    server: Any, phone: Any, draws: Any, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    draws.append(SIX)
    making = Making(bo.client)
    await database_sync_to_async(making.start)(next=session.get_absolute_url())
    await database_sync_to_async(make)(making, until="create-review")
    review = await database_sync_to_async(lambda: reverse("characters:create-review", args=[making.pk]))()
    page = await phone(server, bo)
    await page.goto(review)
    await go_on(page)
    await page.wait_for_url(f"**{session.get_absolute_url()}")
    await page.wait_for_selector("text=朔")
    await database_sync_to_async(seats[1].refresh_from_db)()
    assert seats[1].character_id == making.pk
