"""Faces of lines as people use them: a tap on one's phone, the line on another, and who speaks on the TV."""

from __future__ import annotations

import re

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from characters.models import Character
from characters.services import faces
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Seat, Table
from tests.browser.conftest import Devices
from tests.browser.test_talk import open_chat, say
from tests.companion.test_pictures import painted, saved
from tests.conftest import Somebody
from tests.servers import ThreadServer

#: How long the subtitle has stood, in milliseconds.
STANDS = """(speaker) => Math.max(...speaker.getAnimations().map((one) => one.currentTime))"""


@pytest.fixture
def hero(ayumi: Somebody, seats: list[Seat]) -> Character:
    made = create_character(ayumi.person, SAMPLES[0])
    for label in ("笑顔", "怒り"):
        faces.add_face(character=made, label=label, sent=saved(painted(300, 400), "PNG"))
    nights.bring_character(seat=seats[0], character=made)
    return made


async def test_a_face_that_a_player_taps_stands_beside_the_line_and_large_on_the_tv(
    server: ThreadServer,
    phone: Devices,
    laptop: Devices,
    hero: Character,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    pictures = dict(
        await database_sync_to_async(lambda: list(hero.faces.values_list("label", "picture__key")))()
    )
    one, two = await phone(server, ayumi), await phone(server, bo)
    tv = await laptop(server, viewport={"width": 1920, "height": 1080})
    for page in (one, two):
        await page.goto(table.get_absolute_url())
    await tv.goto(f"/face/{table.session.face_key}/")
    await open_chat(one)
    await open_chat(two)
    await one.locator(".chat-faces label", has_text="怒り").tap()
    await say(one, "もう知らない！")
    shown = f'img[src*="{pictures["怒り"]}"]'
    await expect(two.locator("#chat_main .msg", has_text="もう知らない！").locator(shown)).to_be_visible()
    speaker = tv.locator(".speaker")
    await expect(speaker).to_contain_text("もう知らない！")
    await expect(speaker.locator(shown)).to_be_visible()
    box = await speaker.locator(shown).bounding_box()
    assert box
    assert box["height"] > 200
    assert box["y"] + box["height"] <= 1080

    # A label at the end of a line chooses as a tap does, and the face stays chosen.
    began = await speaker.evaluate(STANDS)
    await say(one, "なんてね @笑顔")
    await expect(tv.locator(".speaker")).to_contain_text("なんてね")
    assert await tv.locator(".speaker").evaluate(STANDS) < began + 6000
    await expect(tv.locator(".speaker p")).to_have_text("なんてね")
    await expect(one.get_by_role("radio", name="笑顔")).to_be_checked()
    await say(one, "続きを話そう")
    last = two.locator("#chat_main .msg").last
    await expect(last).to_contain_text("続きを話そう")
    await expect(last.locator(f'img[src*="{pictures["笑顔"]}"]')).to_be_visible()
    await expect(tv.locator(".speaker")).to_be_hidden(timeout=15_000)
    assert not re.search("chat-faces", await two.content()), "nobody has another's tray"
