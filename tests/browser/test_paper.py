"""A printed sheet: always one A4 page, and nothing is lost without a word."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from characters import access
from characters.models import Character, Item, Skill
from companion.models import Person
from sessions.management.commands.demo import SAMPLES, create_character
from tests.conftest import Somebody
from tests.servers import ThreadServer

WORD = "Supercalifragilistic "
LONG = {
    "ja": ("漢" * 40, "灯台守の娘は港町の灯をひとりで守ってきた。" * 200),
    "one endless word": ("W" * 40, "W" * 4000),
    "en": ((WORD * 2)[:40].strip(), "Mixed words of many lengths, as English has them. " * 80),
    "short lines": ("あ い" * 13, "行\n" * 2000),
    "empty lines": ("Il" * 20, "\n" * 3999 + "終"),
}  # fmt: skip


def largest(owner: Person, name: str, background: str) -> Character:
    """Return a sheet with as much of everything as the rules allow."""
    concept = (name * 3)[:120]
    made = Character.objects.create(
        owner=owner, name=name, concept=concept, background=background[:4000], suits="shd",
        hp_max=20, hp=20, status="done",
    )  # fmt: skip
    Skill.objects.bulk_create(Skill(character=made, order=n, name=name) for n in range(20))
    kinds = ["weapon", "armour", "shield", "tool"]
    Item.objects.bulk_create(
        Item(character=made, kind=kinds[n % 4], name=name, table_value=3, special=n < 2) for n in range(20)
    )
    return made


@pytest.fixture
def usual(ayumi: Somebody) -> Character:
    """A sheet as people have them."""
    made = create_character(ayumi.person, SAMPLES[0])
    made.background = "沈んだ港町の灯台で育った。父は帰らない。"
    made.save()
    return made


async def printed(page: Page) -> int:
    """Print, and return the number of pages."""
    pdf = await page.pdf(format="A4", prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


OVERFULL = """() => [...document.querySelectorAll(".paper, .paper *")].filter(e =>
    e.getBoundingClientRect().width && (e.scrollWidth > e.clientWidth + 2 && e.clientWidth
    || e.matches(".paper") && e.scrollHeight > e.clientHeight + 2)).map(e => e.outerHTML.slice(0, 80))"""
#: Millimetres left for notes; less than none means that something slid off the page.
FREE = """() => document.querySelector(".paper").getBoundingClientRect().bottom
    - document.querySelector(".paper-free h2").getBoundingClientRect().bottom"""


@pytest.mark.parametrize("locale", ["ja-JP", "en-GB"])
async def test_the_largest_sheet_fits_on_one_page(
    server: ThreadServer, laptop: Any, ayumi: Somebody, locale: str
) -> None:
    page = await laptop(server, ayumi, locale=locale)
    for kind, (name, background) in LONG.items():
        sheet = await database_sync_to_async(largest)(ayumi.person, name, background)
        await page.emulate_media(media="null")
        await page.goto(sheet.get_absolute_url())
        assert await printed(page) == 1, kind
        await page.emulate_media(media="print")
        # As wide as the paper between its margins.
        await page.set_viewport_size({"width": 688, "height": 1000})
        assert await page.evaluate(OVERFULL) == [], kind
        assert await page.evaluate(FREE) >= 0, kind
        cut = await page.locator(".paper-story .paper-note").count()
        text = await page.locator(".paper-story > p").first.text_content()
        assert cut == (text != sheet.background), f"{kind}: what is missing is missed in words"


async def test_a_sheet_is_printed_black_on_white_with_boxes_for_hp(
    server: ThreadServer, laptop: Any, ayumi: Somebody, usual: Character
) -> None:
    """Also from a dark screen; a light one is nearer to paper already."""
    page = await laptop(server, ayumi, color_scheme="dark", at=usual)
    await expect(page.locator(".paper")).to_be_hidden()
    assert await printed(page) == 1
    await page.emulate_media(media="print")
    await expect(page.locator(".paper-boxes i")).to_have_count(usual.hp_max)
    await expect(page.locator("main")).to_be_hidden()
    await expect(page.locator("header.top")).to_be_hidden()
    colours = "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    assert await page.locator(".paper").evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert (
        await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        == "rgb(255, 255, 255)"
    )


async def test_a_shared_sheet_is_printed_too(
    server: ThreadServer, laptop: Any, kei: Somebody, usual: Character
) -> None:
    await database_sync_to_async(access.set_visibility)(character=usual, visibility="public")
    page = await laptop(server, kei, at=usual)
    await expect(page.get_by_role("button", name="印刷")).to_be_visible()
    assert await printed(page) == 1
