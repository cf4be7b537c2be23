"""The board games in wide windows: the board large, the question in sight, the log open.

The same pages are made as narrow as a phone: nothing lies beside the screen there.
"""

from __future__ import annotations

from functools import cache

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.models import Role, Session, Table
from sessions.table import opening, table_cache
from tests.conftest import Somebody, _guest
from tests.evening import sit
from tests.servers import ThreadServer

from .conftest import ASKED_EACH_TIME, Devices
from .test_fits import hidden

#: How many play.
GAMES = {"twentyfour": 4, "journey": 1, "goodcop": 6, "liarmafia": 2}
SIZES = ((1280, 800), (1024, 768))
LANGUAGES = ("ja", "en")
#: What is pressed; journey's seven days and Good Cop's ring are the board.
PRESSED = ("#prompt .say", "#hand button, #hand .pick, .phone-icons button")
BOARD = ".gc-round, #board"


@cache
def questions(game: str) -> dict[str, bytes]:
    """Return a position for each kind of question that games of chance ask the first seat."""
    module, asked = registry()[game], dict[str, bytes]()
    for seed in range(3):
        for played in random_game(module, GAMES[game], f"wide {seed}"):
            view = module.view(module.load(played.snapshot), "p1")
            if "p1" in view.waiting_for:
                asked.setdefault(view.phase, played.snapshot)
    return asked


@pytest.fixture
def players(session: Session, ayumi: Somebody) -> list[Somebody]:
    return [ayumi, *map(_guest, ("ボー", "アレクサンドラ", "ケイ", "サキ", "リョウ"))]


def opened(session: Session, players: list[Somebody], game: str) -> Table:
    seats = [sit(session, player.person) for player in players[: GAMES[game]]]
    return opening.open_table(session=session, module_key=game, players=seats)


def put(table: Table, snapshot: bytes) -> None:
    """Bring a table to where a test wants it."""
    table.refresh_from_db()
    table.snapshot, table.version = snapshot, table.version + 1
    table.save()
    table_cache.invalidate_table(table.pk)


#: What of the right half cannot be brought into sight by scrolling there.
UNREACHABLE = """() => [...document.querySelectorAll("#hand :is(button, .pick)")].filter((one) => {
  if (!one.checkVisibility()) return false;
  one.scrollIntoView({ block: "nearest" });
  const box = one.getBoundingClientRect();
  const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return !met || !(one.contains(met) || met.contains(one));
}).map((one) => one.textContent.trim())"""


async def widest(page: Page) -> float:
    """Return the part of the window's width that the board takes."""
    return float(
        await page.evaluate(
            "(board) => Math.max(...[...document.querySelectorAll(board)]"
            ".map((one) => one.getBoundingClientRect().width)) / innerWidth",
            BOARD,
        )
    )


@pytest.mark.parametrize("game", GAMES)
async def test_board_question_and_hand_are_in_sight_at_once(
    server: ThreadServer,
    laptop: Devices,
    session: Session,
    players: list[Somebody],
    ayumi: Somebody,
    game: str,
) -> None:
    table = await database_sync_to_async(opened)(session, players, game)
    page = await laptop(server, ayumi)
    await page.add_init_script(ASKED_EACH_TIME)
    out: dict[str, object] = {}
    for phase, snapshot in questions(game).items():
        await database_sync_to_async(put)(table, snapshot)
        for language in LANGUAGES:
            await page.context.add_cookies(
                [{"name": "django_language", "value": language, "url": server.lan_url}]
            )
            await page.goto(table.get_absolute_url())
            for width, height in SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                at = f"{phase}, {language}, {width}×{height}"
                if found := await hidden(page, *PRESSED):
                    out[at] = found
                if (wide := await widest(page)) < 0.55:
                    out[f"{at}: board"] = wide
            await page.set_viewport_size({"width": 320, "height": 640})
            if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                out[f"{phase}, {language}, narrow"] = "scrolls sideways"
            await page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    assert out == {}


@pytest.mark.parametrize("game", GAMES)
async def test_a_phone_on_its_side_has_the_board_left_and_all_else_right(
    server: ThreadServer,
    phone: Devices,
    session: Session,
    players: list[Somebody],
    ayumi: Somebody,
    game: str,
) -> None:
    table = await database_sync_to_async(opened)(session, players, game)
    page = await phone(server, ayumi, viewport={"width": 844, "height": 390})
    await page.add_init_script(ASKED_EACH_TIME)
    out: dict[str, object] = {}
    for phase, snapshot in questions(game).items():
        await database_sync_to_async(put)(table, snapshot)
        await page.goto(table.get_absolute_url())
        if found := await hidden(page, "#prompt .say", ".phone-icons button"):
            out[phase] = found
        if found := await page.evaluate(UNREACHABLE):
            out[f"{phase}: out of reach"] = found
        if await page.evaluate("document.documentElement.scrollHeight > innerHeight"):
            out[f"{phase}: page"] = "scrolls"
        left = await page.locator(".gc-round, #board").last.bounding_box()
        right = await page.locator("#hand").bounding_box()
        assert left
        assert right
        if left["x"] + left["width"] > right["x"]:
            out[f"{phase}: board"] = "is not on the left"
    assert out == {}


async def test_the_log_stands_open_and_the_rules_open_beside_the_board(
    server: ThreadServer, laptop: Devices, session: Session, players: list[Somebody], kei: Somebody
) -> None:
    table = await database_sync_to_async(opened)(session, players, "liarmafia")
    await database_sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    page = await laptop(server, kei, at=table)
    log, rules = page.locator("#log-sheet"), page.locator("#rules-sheet")
    await expect(log.locator("#log")).to_be_in_viewport()
    await page.get_by_role("button", name="ルール").click()
    await expect(rules.locator("[data-book]")).to_be_visible()
    board, beside = await page.locator("#board").bounding_box(), await rules.bounding_box()
    assert board
    assert beside
    assert board["x"] + board["width"] <= beside["x"]
    await page.keyboard.press("Escape")
    await expect(rules).to_be_hidden()
    await expect(page.get_by_role("button", name="ルール")).to_be_focused()
    # A narrower window has the log in a sheet again, and no sheet is left open there.
    await page.set_viewport_size({"width": 900, "height": 800})
    await expect(log).to_be_hidden()
    await page.set_viewport_size({"width": 1280, "height": 800})
    await expect(log).to_be_visible()


async def test_a_turn_is_played_by_keys_alone_and_letters_can_be_switched_off(
    server: ThreadServer,
    laptop: Devices,
    session: Session,
    players: list[Somebody],
    ayumi: Somebody,
) -> None:
    table = await database_sync_to_async(opened)(session, players, "goodcop")
    await database_sync_to_async(put)(table, questions("goodcop")["action"])
    page = await laptop(server, ayumi, at=table)
    press, focused = page.keyboard.press, page.locator(":focus")
    # To investigate: its button, a card of the ring by its digit, back, and once more to the end.
    await press("ArrowDown")
    await expect(focused).to_have_attribute("data-act", "act-investigate")
    for ends in ("Escape", "Enter"):
        await press("Enter")
        await expect(page.locator("#act-investigate")).to_be_visible()
        await press("1")
        await expect(page.locator("#ring .chosen")).to_have_count(1)
        await expect(focused).to_have_text("宣言する")
        await press(ends)
        await expect(page.locator("#act-investigate:not([hidden])")).to_have_count(0)
    await expect(page.locator("#log")).to_contain_text("調査しようとしています")

    # The edge, and a list of all keys.
    await press("r")
    await expect(page.locator("#rules-sheet")).to_be_visible()
    await press("Escape")
    await press("l")
    await expect(page.locator("#log")).to_be_focused()
    await press("?")
    await expect(page.locator("#keys-sheet")).to_be_visible()
    await press("Escape")
    await expect(page.locator("#keys-sheet")).to_be_hidden()

    await page.get_by_role("button", name="メニュー").click()
    await page.get_by_role("button", name="設定").click()
    await page.get_by_label("数字キーと文字キーで操作する").uncheck()
    await press("Escape")
    await press("r")
    await expect(page.locator("#rules-sheet")).to_be_hidden()
    await press("ArrowUp")
    await expect(page.locator(".phone :focus")).to_be_visible()
