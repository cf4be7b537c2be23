"""A round of combat on five devices: attack, interrupt, support, chain attack, another action, treatment."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Locator, Page, expect

from sessions.models import Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.table import opening
from tests.browser.presses import press
from tests.conftest import Somebody, _guest
from tests.evening import cards_in, hand, sit
from tests.servers import ThreadServer

SHEETS: dict[str, Any] = {
    "p1": {"name": "あゆみ", "suits": ["h"], "skills": ["剣術"], "weapons": [{"name": "長剣", "value": 2}]},
    "p2": {"name": "ボー", "skills": ["医術"]},
    "p3": {"name": "サキ", "armour": 1},
    "p4": {"name": "ケイ"},
}


pytestmark = pytest.mark.usefixtures("reference_rows")


@pytest.fixture
def players(ayumi: Somebody, bo: Somebody, kei: Somebody) -> list[Somebody]:
    return [ayumi, bo, _guest("サキ"), kei]


@pytest.fixture
def fight(session: Session, players: list[Somebody]) -> Table:
    """A table for four, with every card where the fight wants it."""
    seats = [sit(session, player.person) for player in players]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    table.snapshot = Arranged(
        {"p1": "h02 h12 x01 s05", "p2": "c03 d09 s11", "p3": "s01 s13 d04 c08 h09", "p4": "d02 c12"},
        gm="h05 h08 c05 d12 s02",
        field="h07",
        deck="d11 c02 s08 h03 d05 c09 h11 s06",
        characters=SHEETS,
    ).snapshot
    table.save()
    return table


async def says(page: Page, sentence: str) -> None:
    """The page's question to its reader, or the people it waits for."""
    await expect(page.locator("#prompt .say")).to_have_text(sentence)


async def holds(page: Page, count: int) -> None:
    await expect(page.locator("[data-hand] > li")).to_have_count(count)


async def plays(page: Page, card: str) -> None:
    """Raise a card, and press the button that names it."""
    raised = page.locator(f'[data-card="{card}"] input')
    await expect(page.locator("#act-play")).to_be_visible()
    await raised.check(force=True)
    short = await page.locator(f'[data-card="{card}"]').get_attribute("data-short")
    button = page.locator("#act-play button")
    await expect(button).to_contain_text(str(short))
    await press(button)
    await expect(raised).to_have_count(0)


async def opens(page: Page, sheet: str) -> Locator:
    await page.locator(f'[data-open="{sheet}-sheet"]:visible').first.click()
    return page.locator(f"#{sheet}-sheet")


async def choose(sheet: Locator, *labels: str) -> None:
    for label in labels:
        await sheet.locator(f"#{label}").click()


async def send(sheet: Locator) -> None:
    await sheet.locator("form > button.primary").click()
    await expect(sheet).to_be_hidden()


async def nobody_sees_the_cards_of_another(table: Table, pages: dict[str, Page]) -> None:
    hands = await database_sync_to_async(lambda: {seat: set(hand(table, seat)) for seat in pages})()
    for seat, page in pages.items():
        await expect(page.locator("#table")).to_have_attribute("data-version", str(table.version))
        shown = cards_in(await page.content())
        for other, cards in hands.items():
            assert shown & cards == (cards if other == seat else set())


async def test_a_round_of_combat_on_five_devices(
    server: ThreadServer, phone: Any, laptop: Any, fight: Table, players: list[Somebody], gm: Somebody
) -> None:
    desk = await laptop(server, gm)
    ayumi, bo, saki, kei = phones = [await phone(server, player) for player in players]
    pages = {"gm": desk, "p1": ayumi, "p2": bo, "p3": saki, "p4": kei}
    for page in pages.values():
        await page.goto(fight.get_absolute_url())

    # The GM brings a master of the source's ranks, with a weapon and three skills, and the fight begins.
    await (await opens(desk, "npc")).locator('[data-spawn-form] button[name=rank][value="5"]').click()
    await expect(desk.locator("#party-n1")).to_be_visible()
    foe = await desk.locator("#party-n1 > header h2").inner_text()
    await desk.locator("#scene form[data-move*=start_combat] button").click()
    await says(ayumi, "あなたの番です。どうしますか？")
    for page in phones[1:]:
        await says(page, "あゆみの番です。")
        await expect(page.locator(".order-seat.now")).to_contain_text("あゆみ")

    # An attack with weapon and skill; two want to step in.
    sheet = await opens(ayumi, "attack")
    await choose(sheet, "attack-n1")
    await sheet.locator("#attack-skill").select_option(label="剣術")
    await send(sheet)
    await says(ayumi, f"{foe}への攻撃です。札を出してください。")
    await expect(ayumi.locator("#prompt")).to_contain_text("特技")
    for page, words in ((bo, "矢を投げ渡す"), (kei, "石を投げる")):
        sheet = await opens(page, "interrupt")
        await sheet.locator("textarea").fill(words)
        await send(sheet)
        await expect(page.locator("#prompt form[data-move*=withdraw]")).to_be_visible()
    await desk.locator('#interrupts button[form="refuse-p4"]').click()
    await expect(kei.locator("#prompt [data-open=interrupt-sheet]")).to_be_visible()
    await desk.locator("#interrupt-p2 button.primary").click()
    await says(bo, "割り込めます。札を1枚出すか、1枚渡してください。")
    await says(ayumi, "ボーを待っています。")
    sheet = await opens(bo, "support")
    await choose(sheet, "give-d09", "support-p1")
    await sheet.locator("#support-text").fill("受け取れ！")
    await send(sheet)
    await holds(bo, 2)
    await holds(ayumi, 5)
    await expect(ayumi.locator('[data-card="d09"]')).to_have_class(re.compile("is-new"))
    await nobody_sees_the_cards_of_another(fight, pages)

    # The GM's hand is there when it is wanted, without scrolling; a card that does not fit is a hit.
    await plays(ayumi, "h02")
    await says(kei, "GMを待っています。")
    await expect(desk.locator("#call")).to_be_hidden()
    await expect(desk.locator("[data-hand]")).to_be_in_viewport(ratio=1)
    await expect(desk.locator('[data-card="c05"]')).to_have_attribute("data-fits", "no")
    await plays(desk, "c05")
    await expect(bo.locator("#board .board-last")).to_contain_text("ダメージ2")
    await expect(desk.locator("#party-n1 .marks")).to_contain_text("3/5")
    await holds(ayumi, 4)

    # A support in the own turn: the receiver keeps a card more, the giver draws.
    await says(bo, "あなたの番です。どうしますか？")
    await expect(desk.locator("#party-p2 .strip-debts")).to_be_visible()
    sheet = await opens(bo, "support")
    await choose(sheet, "give-c03", "support-p3")
    await sheet.locator("#support-text").fill("盾を貸す")
    await send(sheet)
    await holds(bo, 3)
    await holds(saki, 6)

    # A chain of two; the defender would need two in a row as well.
    sheet = await opens(saki, "attack")
    await choose(sheet, "attack-n1")
    await sheet.locator(".step-choice:has([value='1'])").click()
    await sheet.locator("[name=chain]").check()
    await send(sheet)
    await plays(saki, "s01")
    await plays(saki, "s13")
    await press(saki.locator("#act-stop button"))
    await says(desk, f"サキが{foe}を連続攻撃。合う札を2枚続けて防御してください！")
    await press(desk.locator("#act-give-up button"))
    await expect(desk.locator("#party-n1 .marks")).to_contain_text("1/5")
    await expect(desk.locator("#party-p3 .strip-debts")).to_be_visible()
    await holds(saki, 4)

    # Something else: the turn waits for the GM's word.
    await says(kei, "あなたの番です。どうしますか？")
    sheet = await opens(kei, "other")
    await sheet.locator("textarea").fill("扉に鍵をかける")
    await send(sheet)
    await expect(ayumi.locator("#board")).to_contain_text("扉に鍵をかける")
    await desk.locator("#turn form[data-move*=end_turn] button").click()

    # The NPC attacks with its own weapon and one of its own skills; whoever is hit holds fewer cards.
    await says(kei, "GMの番です。")
    await desk.locator("#turn-n1 [data-open=attack-sheet]").click()
    sheet = desk.locator("#attack-sheet")
    await choose(sheet, "attack-p4")
    await sheet.locator(".step-choice:has([value='1'])").click()
    await expect(sheet.locator("#skill-n1 option")).to_have_count(4)
    await sheet.locator("#skill-n1").select_option("2")
    await send(sheet)
    await plays(desk, "s02")
    await says(kei, f"{foe}がケイを攻撃。防御してください。")
    await press(kei.locator("#act-give-up button"))
    await kei.locator('[data-card="d02"]').tap()
    await press(kei.locator("#act-discard button"))
    await holds(kei, 1)
    await expect(ayumi.locator(".board-npcs")).to_contain_text("行動済み")
    await expect(kei.locator(".order-seat", has_text="ケイ")).to_contain_text("HP 1")

    # The next round; in it somebody is treated.
    await desk.locator("#turn form[data-move*=end_turn] button").click()
    await says(ayumi, "あなたの番です。どうしますか？")
    sheet = await opens(desk, "treat")
    await choose(sheet, "treat-p2", "patient-p4")
    await send(sheet)
    await says(bo, "ケイの手当てです。札を出してください。")
    await plays(bo, "c02")
    await holds(kei, 2)
    await holds(bo, 3)
    await expect(kei.locator(".order-seat", has_text="ケイ")).to_contain_text("HP 2")
    await says(ayumi, "あなたの番です。どうしますか？")
    await nobody_sees_the_cards_of_another(fight, pages)
