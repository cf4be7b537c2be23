"""Cards are weighed before they are played, and what is not possible says why."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.modules.uroboros.tests.test_checks import npc
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.servers import ThreadServer

SHEET = {"weapons": [{"name": "長剣", "value": 1}]}

#: True if the corners of a raised card are its own, and not below anything else.
NOTHING_COVERS = """card => {
  const pick = document.querySelector(`#hand [data-card="${card}"] .pick`);
  const box = pick.querySelector(".card").getBoundingClientRect();
  return [[8, 8], [box.width - 8, 8], [8, box.height - 8], [box.width - 8, box.height - 8]]
    .every(([x, y]) => pick.contains(document.elementFromPoint(box.left + x, box.top + y)));
}"""


def deal(table: Table, hand: list[str]) -> None:
    """Give Ayumi another hand, in her turn."""
    arranged = Arranged(
        {"p1": " ".join(hand), "p2": "c04"}, field="h07", deck="c05", characters={"p1": SHEET}
    )
    arranged.change(npcs=[npc()])
    arranged.do("gm", "start_combat")
    table.snapshot = arranged.snapshot
    table.save()


@pytest.fixture
def turn(session: Session, ayumi: Somebody, bo: Somebody) -> Table:
    """Ayumi's turn, with cards that fit the 7 of hearts and that do not; a foe lies, another stands."""
    seats = [sit(session, player.person) for player in (ayumi, bo)]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    arranged = Arranged({"p1": "h12 s05 d11", "p2": "c03"}, field="h07", deck="c02", characters={"p1": SHEET})
    arranged.change(npcs=[npc(hp=0), npc(id="n2", name="bat")])
    arranged.do("gm", "start_combat")
    table.snapshot = arranged.snapshot
    table.save()
    return table


async def tap_twice_over_the_chat(page: Page) -> None:
    """Tap twice, quickly, where the attack is sent and the button of the chat lies behind."""
    sends, chat = page.locator("#attack-form button.primary"), page.locator("[data-open=chat-sheet]")
    await sends.scroll_into_view_if_needed()
    await expect(page.locator(":root:not(.just-tapped)")).to_be_attached()
    await sends.hover(trial=True)  # it lies still
    above, behind = await sends.bounding_box(), await chat.bounding_box()
    assert above
    assert behind
    x, y = behind["x"] + behind["width"] / 2, max(above["y"], behind["y"]) + 8
    assert y < min(above["y"] + above["height"], behind["y"] + behind["height"])
    await page.touchscreen.tap(x, y)
    await page.touchscreen.tap(x, y)


async def test_a_player_sees_an_attacks_damage_and_sends_it_by_one_or_two_taps(
    server: ThreadServer, phone: Any, turn: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=turn)
    await one.locator('[data-card="h12"]').tap()
    await expect(one.locator("[data-why]")).to_contain_text("難易度1、2に合います")
    await one.locator("[data-open=attack-sheet]").tap()
    sheet = one.locator("#attack-sheet")
    easy = sheet.locator('[data-step="1"]')
    await expect(sheet.locator("#weigh-h12 input")).to_be_checked()
    await expect(easy).to_contain_text("ダメージ2", use_inner_text=True)
    await expect(easy.locator("[data-when=y]")).to_be_visible()
    await sheet.locator("#weigh-s05").tap()
    await expect(easy).to_contain_text("ダメージ1", use_inner_text=True)
    await expect(easy.locator("[data-when=n]")).to_be_visible()
    await expect(one.locator("#pick-s05")).to_be_checked()
    names = sheet.locator(".choice:not(.give) label[id^=attack-]:visible")
    assert [(await name.inner_text()).split()[0] for name in await names.all()] == ["bat", "rat"]

    await sheet.locator("#attack-n2").tap()
    await tap_twice_over_the_chat(one)
    await expect(one.locator("#table")).to_have_attribute("data-version", "1")
    await expect(sheet).to_be_hidden()
    await expect(one.locator("#chat-sheet")).to_be_hidden()
    await expect(one.locator("[data-why]")).to_contain_text("スートが違い、数字も2つ離れています")


async def test_an_impossible_action_says_why_when_it_is_tapped(
    server: ThreadServer, phone: Any, turn: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(play)(turn, "gm", call("p1", 0, chain=True))
    one = await phone(server, ayumi, at=turn)
    await one.locator("#commit [data-because]").press("Enter")
    await expect(one.locator("[data-why]")).to_have_text("連続判定では山引ができません。")
    await database_sync_to_async(play)(turn, "gm", json.dumps({"type": "cancel"}).encode())
    await database_sync_to_async(play)(
        turn, "gm", json.dumps({"type": "set_hp", "who": "p1", "hp": 1}).encode()
    )
    await one.locator("#act-discard button").press("Enter")
    await expect(one.locator("[data-why]")).to_have_text("あと2枚えらぶ")


SIZES = ((390, 844), (320, 640), (844, 390))
#: The part of a phone's height that a raised card fills, by the number of cards.
LONG = {3: 0.32, 7: 0.15}


@pytest.mark.parametrize("count", LONG)
async def test_a_raised_card_fills_a_third_of_the_screen_and_every_other_can_be_tapped(
    server: ThreadServer, phone: Any, turn: Table, ayumi: Somebody, count: int
) -> None:
    hand = ["h12", "s05", "d11", "c02", "h03", "s09", "c10"][:count]
    await database_sync_to_async(deal)(turn, hand)
    one = await phone(server, ayumi, at=turn)
    for width, height in SIZES:
        await one.set_viewport_size({"width": width, "height": height})
        for card in (hand[-1], hand[1]):
            index = one.locator(f'#hand [data-card="{card}"] .card-index')
            await index.tap()
            await expect(one.locator(f"#pick-{card}")).to_be_checked()
            box = await one.locator(f'#hand [data-card="{card}"] .card').bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["height"] / height >= (LONG[count] if width == 390 else 0.13)
            assert await one.evaluate("document.documentElement.scrollWidth") == width
            assert await one.evaluate(NOTHING_COVERS, card), "all corners of the raised card are free"
    await one.locator(".phone-asked").tap(position={"x": 4, "y": 4})
    await expect(one.locator("#hand .pick :checked")).to_have_count(0)
