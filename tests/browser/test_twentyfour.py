"""24 on real phones: cards are laid by taps, and bots play the other seats."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from companion.fate import Fate
from sessions.engine.registry import registry
from sessions.models import Session, Table
from sessions.modules.twentyfour.bot import bot
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer


@pytest.fixture
def game(session: Session, ayumi: Somebody, bo: Somebody, kei: Somebody) -> Table:
    players = [sit(session, somebody.person) for somebody in (ayumi, bo, kei)]
    return opening.open_table(session=session, module_key="twentyfour", players=players)


def state_of(table: Table) -> Any:
    table.refresh_from_db()
    return registry()["twentyfour"].load(bytes(table.snapshot))


def play_until_asked(table: Table) -> None:
    """Let the bots play until p1 is asked."""
    module = registry()["twentyfour"]
    while "p1" not in (waiting := module.waiting_for(state := state_of(table))):
        seat = min(waiting)
        legal = module.legal_moves(state, seat)
        move = bot(module.view(state, seat), legal, Fate("bots", table.version))
        play(table, seat, msgspec.json.encode(move))


def choose(game: Table) -> None:
    for seat, detective in (("p1", "wolf"), ("p2", "lloyd"), ("p3", "scotch")):
        play(game, seat, json.dumps({"type": "choose_detective", "detective": detective}).encode())


async def test_the_npc_plays_by_itself_and_its_cards_are_shown(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(choose)(game)
    page = await phone(server, ayumi, at=game)
    npc = page.locator("#row-npc")
    await expect(npc.locator(".tf-act.down")).to_have_count(5)
    for _ in range(5):
        await page.locator(".tf-card:not(.is-placed)").first.tap()
    await page.locator("form[data-placing] .btn.primary").tap()
    await expect(page.locator("#row-p1 .tf-act.down")).to_have_count(5)
    await database_sync_to_async(play_until_asked)(game)
    await expect(page.locator("#moment-1")).to_be_attached()
    await expect(npc.locator("td .tf-act:not(.down)")).to_have_count(5)
    await expect(npc.locator(".tf-act.down")).to_have_count(5)


async def test_a_placed_card_is_moved_and_taken_back_by_taps_and_survives_a_reload(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(choose)(game)
    page = await phone(server, ayumi, at=game)
    hours = page.locator("[data-hours-placed]")

    async def tap(*what: str) -> None:
        for one in what:
            slot = one.startswith("s")
            await page.locator(f"[data-slot='{one[1:]}']" if slot else f"[data-action='{one}']").first.tap()

    async def lies(*cards: str) -> None:
        for at, card in enumerate(cards):
            await expect(page.locator(f"[data-slot='{at}'] .tf-act")).to_have_count(int(bool(card)))
            await expect(page.locator(f"[data-slot='{at}']")).to_contain_text(card or str(at + 1))

    await tap("6", "4", "5")
    await lies("6", "4", "5", "", "")
    await expect(page.locator("[data-action='4']")).to_have_attribute("aria-pressed", "true")
    await tap("s3")
    await lies("6", "4", "", "5", "")
    await expect(hours).to_have_text("15")
    # What was just laid pushes no other away: a tap there raises that one instead.
    await tap("3", "s0", "s1")
    await lies("4", "6", "3", "5", "")
    await page.reload()
    await lies("4", "6", "3", "5", "")
    await expect(page.locator("form[data-placing] .btn.primary")).to_have_attribute("aria-disabled", "true")
    await tap("5")
    await lies("4", "6", "3", "", "")
    # By keys: a card and the incident it is moved to.
    await page.locator("[data-action='5']").press("Enter")
    await page.locator("[data-slot='4']").press("Enter")
    await lies("4", "6", "3", "", "5")
    await page.locator("[data-clear]").tap()
    await expect(hours).to_have_text("0")
    await tap("hero", "5", "1", "2", "3")
    await page.locator("form[data-placing] .btn.primary").tap()
    await expect(page.locator("#row-p1 .tf-act.down")).to_have_count(5)
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "4")
    state = await database_sync_to_async(state_of)(game)
    assert state.players["p1"].first == ["hero", "5", "1", "2", "3"]


async def test_a_small_phone_hides_nothing_under_the_hand(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    page = await phone(server, ayumi, viewport={"width": 320, "height": 640}, locale="ja-JP", at=game)
    hidden = """selector => document.querySelector(selector).getBoundingClientRect().bottom
        > document.querySelector(".phone-hand").getBoundingClientRect().top + 1"""
    await expect(page.locator(".tf-detectives button")).to_have_count(5)
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all five in sight"
    await page.locator(".tf-detectives button").nth(1).tap()
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "1")

    def choose() -> None:
        for seat, detective in (("p2", "lloyd"), ("p3", "hibachi")):
            play(game, seat, json.dumps({"type": "choose_detective", "detective": detective}).encode())

    await database_sync_to_async(choose)()
    await expect(page.locator("form[data-placing]")).to_be_visible()
    assert not await page.evaluate(hidden, "#prompt")
    # A lesson covers nothing until it is asked for; a button brings the one of this question back.
    for lesson in ("goal", "wolf", "place1"):
        words = page.locator(f"[data-lesson='twentyfour.{lesson}']")
        await expect(words).to_be_visible()
        assert not await page.evaluate(hidden, f"[data-lesson='twentyfour.{lesson}']")
        assert await words.evaluate("one => one.offsetHeight") < 50
        await expect(page.locator(".lesson.is-over:visible")).to_have_count(0)
        await words.locator("[data-unfold]").tap()
        assert not await page.evaluate(hidden, f"[data-lesson='twentyfour.{lesson}'] [data-understood]")
        await words.locator("[data-understood]").tap()
        await expect(words).to_be_hidden()
    await page.locator("[data-lesson-again]").tap()
    await expect(page.locator("[data-lesson='twentyfour.place1']")).to_be_visible()
