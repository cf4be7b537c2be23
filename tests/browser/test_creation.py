"""A character made on a phone, from the first card to the sheet."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.urls import reverse
from PIL import Image
from playwright.async_api import expect

from characters.models import Creation
from characters.reference import PEOPLE
from characters.services.exchange import import_character
from sessions.models import Seat, Session
from tests.characters.conftest import SIX
from tests.characters.conftest import Phone as Making
from tests.characters.test_creation import make
from tests.companion.test_pictures import painted, saved
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


async def turn_all(page: Any) -> None:
    await page.click("text=すべてめくる")
    await expect(page.locator(".turn")).to_have_count(0)


@database_sync_to_async
def redraws(page: Any) -> int:
    return Creation.objects.get(pk=int(page.url.split("/")[4])).redraws


async def test_a_guest_makes_a_character_and_lands_on_its_sheet(server: Any, phone: Any, draws: Any) -> None:
    draws += [
        ["h01", "h02", "h03", "d01", "d02", "d03"],
        ["h01", "d05", "h12", "s03", "c13", "x01"],
    ]
    page = await phone(server, at="/characters/")
    await page.click("text=キャラクターを作る")
    await go_on(page)
    await go_on(page)
    await turn_all(page)
    await page.click("text=引き直す")
    await expect(page.locator(".turn")).to_have_count(6)
    await expect(page.locator("text=HP 4、特技 2つ")).to_be_hidden()
    await page.locator(".turn").nth(3).click()
    await expect(page.locator("#say")).to_have_text("スペードの3")
    await page.keyboard.press("Enter")
    await expect(page.locator("#say")).to_have_text("ハートのA")
    await page.reload()
    await expect(page.locator(".turn")).to_have_count(4)
    await turn_all(page)
    await page.wait_for_selector("text=HP 4、特技 2つ")
    await page.reload()
    await expect(page.locator(".turn")).to_have_count(0)
    await page.go_back()
    await page.go_forward()
    assert await redraws(page) == 1
    await page.click("text=HP 4、特技 2つ")
    await go_on(page)
    await page.check("[name=suits][value=h]")
    await go_on(page)
    await page.fill("[name=skill_0]", "剣術")
    await page.click(".idea:text-is('料理')")
    await expect(page.locator("[name=skill_1]")).to_have_value("料理")
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


async def test_the_count_of_unspent_cards_follows_each_choice(server: Any, phone: Any, draws: Any) -> None:
    draws.append(TWELVE)
    page = await phone(server, at="/characters/new/")
    await page.click("text=12枚で作る")
    for _ in range(2):
        await go_on(page)
    await turn_all(page)
    await go_on(page)
    await page.wait_for_selector(".left:has-text('数札 7枚、絵札とJK 5枚')")
    await page.click("#hp-more")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 5枚')")
    await page.click("#specials-more")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 4枚')")
    await page.click("#specials-less")
    await page.wait_for_selector(".left:has-text('数札 5枚、絵札とJK 5枚')")
    assert await page.is_disabled("#specials-less")


async def test_a_character_made_for_a_session_is_brought_without_another_tap(
    server: Any, phone: Any, draws: Any, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    making = Making(bo.client, draws)
    await database_sync_to_async(making.start)(cards=SIX, next=session.get_absolute_url())
    await database_sync_to_async(make)(making, until="create-review")
    review = await database_sync_to_async(lambda: reverse("characters:create-review", args=[making.pk]))()
    page = await phone(server, bo, at=review)
    await go_on(page)
    await page.wait_for_url(f"**{session.get_absolute_url()}")
    await page.wait_for_selector("text=朔")
    await database_sync_to_async(seats[1].refresh_from_db)()
    assert seats[1].character_id == making.pk


async def test_a_latecomer_sits_with_a_ready_made_character_after_three_taps(
    server: Any, phone: Any, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    page = await phone(server, bo, at=session)
    await page.click("text=キャラクターを作る")
    await page.click("text=すぐ遊べる人物から選ぶ")
    await page.click("text=ナギ")
    await page.wait_for_url(f"**{session.get_absolute_url()}")
    await database_sync_to_async(seats[1].refresh_from_db)()
    assert await database_sync_to_async(lambda: seats[1].character.name)() == "ナギ"


async def test_a_face_is_cut_on_the_phone_and_a_draft_of_the_sheet_outlives_a_reload(
    server: Any, phone: Any, bo: Somebody
) -> None:
    character = await database_sync_to_async(import_character)(owner=bo.person, sheet=PEOPLE["nagi"].sheet)
    page = await phone(server, bo, at=f"/characters/{character.pk}/face/")
    picture = {"name": "me.png", "mimeType": "image/png", "buffer": saved(painted(900, 600), "PNG")}
    await page.set_input_files("input[type=file]", picture)
    await page.focus(".crop canvas")
    # From the middle to the left edge, which is red.
    for _ in range(40):
        await page.keyboard.press("ArrowRight")
    await page.click("text=この画像を使う")
    await page.wait_for_url(f"**/characters/{character.pk}/")
    await database_sync_to_async(character.refresh_from_db)()
    content = await database_sync_to_async(lambda: bytes(character.portrait.content))()
    red, _, blue = Image.open(BytesIO(content)).convert("RGB").getpixel((400, 300))
    assert red > 200 > blue
    await page.goto(f"/characters/{character.pk}/edit/")
    await page.fill("[name=concept]", "書きかけ")
    await page.reload()
    await expect(page.locator("[name=concept]")).to_have_value("書きかけ")
    await page.click("text=書きかけを捨てる")
    await expect(page.locator("[name=concept]")).to_have_value("船が帰らなかった船乗り")
