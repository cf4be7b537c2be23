"""The cover over a hand that lies on the table among neighbours."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.bots import RANDOM
from sessions.evening import nights
from sessions.models import Role, Seat, Session, Table
from sessions.modules.goodcop.tests.table import Game
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.table import opening
from sessions.table.opening import Sitter
from tests.browser.presses import press_dimmed
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.servers import ThreadServer

#: The time after the last touch passes when the test says so.
TIME_STANDS = """const later = setTimeout;
    setTimeout = (act, ms) => {
      if (ms !== 20000) return later(act, ms);
      window.timePasses = act;
      document.documentElement.dataset.closes = "soon";
    };"""
LEAVES_THE_PAGE = """() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    delete document.hidden;
}"""


async def expect_covered(page: Page) -> None:
    await expect(page.locator("#hand .cover")).to_be_visible()
    await expect(page.locator("[data-hand]")).to_be_hidden()
    await expect(page.get_by_role("radio")).to_have_count(0)


async def expect_open(page: Page) -> None:
    await expect(page.locator("#hand .cover")).to_be_hidden()
    await expect(page.locator("[data-hand]")).to_be_visible()


async def test_a_covered_hand_opens_by_a_tap_and_closes_with_its_raised_card(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(play)(table, "gm", call("p1", 0))
    one = await phone(server, ayumi, covers=True)
    await one.add_init_script(TIME_STANDS)
    await one.goto(table.get_absolute_url())
    await expect_covered(one)
    opener = one.get_by_role("button", name="カード3枚を伏せています タップで開く")
    await expect(opener).to_have_attribute("aria-expanded", "false")
    places = "all => JSON.stringify(all.map(card => card.getBoundingClientRect()))"
    lay = await one.eval_on_selector_all("[data-hand] .card", places)
    await opener.tap()
    await expect_open(one)
    await expect(one.locator("#say")).to_have_text("手札を開きました。")
    assert await one.eval_on_selector_all("[data-hand] .card", places) == lay
    await expect(one.locator(".pick > input:checked")).to_have_count(0)

    card = one.locator("[data-hand] > li:not([data-asks])").first
    await card.locator("label").tap()
    button = one.locator("#act-play button")
    names_it = await button.inner_text()
    closers = (
        lambda: one.get_by_role("button", name="手札を伏せる").tap(),
        lambda: one.evaluate(LEAVES_THE_PAGE),
        lambda: one.evaluate("timePasses()"),
    )
    for close in closers:
        await close()
        await expect_covered(one)
        await expect(button).to_have_text("出す札をえらぶ")
        await press_dimmed(button)  # plays nothing that lies covered
        await expect_open(one)
        await expect(button).to_have_text(names_it)
    await expect(one.locator("#table")).to_have_attribute("data-version", "1")
    await expect(one.locator("#table:not(.just-sent)")).to_be_visible()
    await button.tap()
    await expect(one.locator("#table")).to_have_attribute("data-version", "2")
    await expect_open(one)


async def test_a_lone_players_hand_is_covered_once_another_person_joins(
    server: ThreadServer, phone: Any, session: Session, gm: Somebody, ayumi: Somebody
) -> None:
    def alone() -> Table:
        players = [session.seats.get(), Sitter(None, RANDOM)]
        return opening.open_table(session=session, module_key="liarmafia", players=players)

    table = await database_sync_to_async(alone)()
    one = await phone(server, gm, covers=True)
    await one.add_init_script(TIME_STANDS)
    await one.goto(table.get_absolute_url())
    await expect(one.locator("#connection")).to_have_attribute("data-state", "on")
    await expect(one.locator(".own-cards")).to_be_visible()
    await expect(one.locator("[data-closes]")).to_have_count(0)
    await database_sync_to_async(nights.take_seat)(
        session=session, person=ayumi.person, name="あゆみ", role=Role.PLAYER
    )
    await expect(one.locator("[data-closes]")).to_have_count(1)  # not at once: a finger may be on the cards
    await expect(one.locator(".own-cards")).to_be_visible()
    await one.evaluate("timePasses()")
    await expect(one.locator(".own-cards")).to_be_hidden()


def about_to_play(session: Session, who: Somebody) -> Table:
    """Open a table of Good Cop Bad Cop at which a player has an equipment card to play."""
    players = [sit(session, who.person), *[Sitter(None, RANDOM)] * 3]
    table = opening.open_table(session=session, module_key="goodcop", players=players)
    table.snapshot = Game(hands={"p1": "blackmail"}).snapshot
    table.save()
    return table


async def test_a_card_that_is_about_to_be_played_does_not_stay_open_without_the_hand(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody
) -> None:
    table = await database_sync_to_async(about_to_play)(session, ayumi)
    one = await phone(server, ayumi, covers=True, at=table)
    await one.locator("[data-open=equipment-sheet]").tap()
    await one.locator("[data-act=act-play-0]").tap()
    await expect(one.locator("#act-play-0")).to_be_visible()
    await one.evaluate(LEAVES_THE_PAGE)
    await expect(one.locator("#hand .cover")).to_be_visible()
    await expect(one.locator("#act-play-0")).to_be_hidden()
    await expect(one.locator("#ring .fits")).to_have_count(0)


async def test_the_hand_of_a_gm_who_plays_along_is_covered_on_a_laptop(
    server: ThreadServer, laptop: Any, session: Session, seats: list[Seat], gm: Somebody
) -> None:
    """A GM who plays along has a laptop that others look at."""
    gm_seat = await database_sync_to_async(session.seats.get)(role=Role.GM)
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="liarmafia", players=[gm_seat, seats[0]]
    )
    desk = await laptop(server, gm, covers=True)
    await desk.add_init_script(TIME_STANDS)
    await desk.goto(table.get_absolute_url())
    cover, own = desk.locator("#hand .cover"), desk.locator(".own-cards")
    await expect(cover).to_be_visible()
    await expect(own).to_be_hidden()
    closers = (
        lambda: desk.keyboard.press("c"),
        lambda: desk.evaluate(LEAVES_THE_PAGE),
        lambda: desk.evaluate("timePasses()"),
    )
    for close in closers:
        await desk.keyboard.press("c")
        await expect(own).to_be_visible()
        await close()
        await expect(own).to_be_hidden()
    await cover.click()
    await expect(own).to_be_visible()


async def test_a_gms_hand_is_covered_unless_the_settings_say_never(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, covers=True, at=table)
    await expect(desk.locator(".gm-hand .cover")).to_be_visible()
    await desk.keyboard.press("c")
    await expect(desk.locator(".gm-hand [data-hand]")).to_be_visible()
    await desk.get_by_text("メニュー", exact=True).click()
    await desk.get_by_role("button", name="設定").click()
    await desk.get_by_label("手札を伏せておく").select_option(label="しない")
    await desk.reload()
    await expect(desk.locator(".gm-hand [data-hand]")).to_be_visible()
    await expect(desk.locator(".gm-hand .cover")).to_be_hidden()


async def test_a_half_filled_sheet_comes_back_when_the_hand_is_uncovered(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    def in_combat() -> None:
        arranged = Arranged({"p1": "h12 s02 d05", "p2": "c03"})
        arranged.do("gm", "start_combat")
        table.snapshot = arranged.snapshot
        table.save()

    await database_sync_to_async(in_combat)()
    one = await phone(server, ayumi, covers=True)
    await one.add_init_script(TIME_STANDS)
    await one.goto(table.get_absolute_url())
    await one.get_by_role("button", name="カード3枚を伏せています タップで開く").tap()
    await one.get_by_role("button", name="援護").tap()
    sheet, words = one.locator("#support-sheet"), one.locator("#support-text")
    await words.fill("受け取れ！")
    await one.evaluate("timePasses()")
    await expect(sheet).to_be_hidden()
    await expect_covered(one)
    await one.locator("#hand .cover").tap()
    await expect(sheet).to_be_visible()
    await expect(words).to_have_value("受け取れ！")


async def test_a_covered_sheet_does_not_come_back_over_another_that_was_opened(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody
) -> None:
    table = await database_sync_to_async(about_to_play)(session, ayumi)
    one = await phone(server, ayumi, covers=True)
    await one.add_init_script(TIME_STANDS)
    await one.goto(table.get_absolute_url())
    await one.locator("[data-open=me-sheet]").first.tap()
    await one.locator("#me-sheet [data-cover-now]").tap()
    await expect(one.locator("#me-sheet")).to_be_hidden()
    await one.locator("[data-open=equipment-sheet]").tap()
    await expect(one.locator("#equipment-sheet")).to_be_visible()
    await expect(one.locator("#me-sheet")).to_be_hidden()
