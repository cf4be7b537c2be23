"""Board games as people open and play them: three taps, two phones, a rematch, a bot, several tables."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.board_games import games
from sessions.evening import presence
from sessions.live import heartbeats
from sessions.models import Seat, Session, Table
from sessions.table import bots, opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("tally")

AT_A_TABLE = re.compile(r"/t/\d+/$")


async def lay_all(*phones: Page) -> None:
    """Play until the table waits for no player. Each player in turn lays the first card."""
    for turn in range(4):
        one = phones[turn % len(phones)]
        await one.locator("[data-lay]").first.tap()
        await expect(one.locator("[data-lay]")).to_have_count(0)


async def test_two_phones_play_a_game_opened_in_three_taps_and_a_rematch(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    await database_sync_to_async(games.let_players_open)(session=session, allowed=True)
    one, two = await phone(server, ayumi, at=session), await phone(server, bo, at=session)
    await expect(one.locator(".person [data-state=here]")).to_have_count(2)

    await one.get_by_role("link", name="ボードゲームを開く").tap()
    await one.get_by_role("link", name=re.compile("Tally")).tap()
    await one.get_by_role("button", name="はじめる").tap()
    for page in (one, two):
        await expect(page).to_have_url(AT_A_TABLE)
    first = one.url

    await lay_all(one, two)
    for page in (one, two):
        await expect(page.locator("#evening .over-result")).to_be_visible()
    await two.get_by_role("button", name="もう一度").tap()
    await expect(two).to_have_url(AT_A_TABLE)
    assert two.url != first
    await one.get_by_role("link", name="席へ").tap()
    await expect(one).to_have_url(two.url)
    await lay_all(two, one)
    await expect(one.locator("#evening .over-result")).to_be_visible()


async def test_the_order_of_seats_is_changed_with_a_thumb(
    server: ThreadServer, laptop: Any, session: Session, seats: list[Seat], gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=f"/s/{session.pk}/games/tally/")
    for name in ("あゆみ", "ボー"):
        await desk.get_by_label(name, exact=True).check()
    await desk.get_by_role("button", name="ボーを一つ上へ").click()
    await desk.get_by_role("button", name="はじめる").click()
    await expect(desk).to_have_url(AT_A_TABLE)
    table = await database_sync_to_async(Table.objects.get)()
    first = await database_sync_to_async(lambda: table.table_seats.get(key="p1").name)()
    assert first == "ボー"


async def test_a_bot_answers_and_takes_over_and_gives_back(
    server: ThreadServer,
    phone: Any,
    session: Session,
    seats: list[Seat],
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bots, "PACE", 0.05)
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="tally", players=[seats[0], Sitter(None, "steady")], options={"rounds": 3}
    )
    one = await phone(server, ayumi, at=table)
    await one.locator("[data-lay]").first.tap()
    await expect(one.locator("#table")).to_have_attribute("data-version", "2")
    await one.locator('[data-open="menu-sheet"]').tap()
    await one.get_by_role("button", name="ボットに任せる").tap()
    await expect(one.locator("#evening .over-result")).to_be_visible(timeout=20_000)
    assert await database_sync_to_async(table.moves.filter(seat="p1", bot="steady").count)() == 2


async def test_a_button_with_a_malformed_move_says_that_it_does_not_work(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="tally", players=seats
    )
    one = await phone(server, ayumi)
    phone.expect("script: Unexpected token")
    await one.goto(table.get_absolute_url())
    # In the submit itself: a push that comes in between would draw the form right again.
    wrong = "({ target }) => { target.dataset.move = 'no move' }"
    await one.evaluate(f"addEventListener('submit', {wrong}, true)")
    await one.locator("[data-lay]").first.tap()
    await expect(one.locator("#refusal")).to_contain_text("このボタンは動かない")


async def test_a_phone_goes_from_table_to_table_and_is_not_called_away(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], table: Table, bo: Somebody
) -> None:
    two = await phone(server, bo, at=table)
    await expect(two.locator("#table")).to_have_attribute("data-version", "0")
    await database_sync_to_async(opening.open_table)(session=session, module_key="tally", players=seats)
    said = two.locator(".begun:visible")
    await expect(said).to_have_count(1)
    # Once, and it can be put away; the next one is said.
    await said.locator("[data-begun-close]").tap()
    await expect(said).to_have_count(0)
    game = await database_sync_to_async(opening.open_table)(
        session=session, module_key="tally", players=seats[::-1]
    )
    await expect(said).to_have_count(1)
    await expect(said).to_contain_text(re.compile(r"Tally\s+2\s+が始まりました。"))
    height = await said.evaluate("one => one.offsetHeight")
    assert height < 50, "one line"
    assert two.url.endswith(table.get_absolute_url()), "still at the table"
    await two.get_by_role("link", name="席へ").tap()
    await expect(two).to_have_url(re.compile(rf"{game.get_absolute_url()}$"))
    await expect(said).to_have_count(0)
    await two.locator("#tabs a").first.tap()
    await expect(two).to_have_url(re.compile(rf"{table.get_absolute_url()}$"))
    await expect(two.locator("#tabs .tab-dot").first).to_be_visible()
    await expect(said).to_have_count(0)


async def test_many_tables_scroll_in_their_row_and_not_the_page(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    def many() -> Table:
        *_, last = [
            opening.open_table(session=session, module_key="journey", players=seats[:1]) for _ in range(6)
        ]
        return last

    table = await database_sync_to_async(many)()
    one = await phone(server, ayumi, at=table)
    await expect(one.locator("#tabs li")).to_have_count(6)
    assert await one.evaluate("document.documentElement.scrollWidth") == 390


async def test_an_unsent_move_is_sent_to_its_own_table_only(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    def opened() -> Table:
        return opening.open_table(session=session, module_key="tally", players=seats)

    def moves(table: Table) -> list[int]:
        return [json.loads(bytes(raw))["number"] for raw in table.moves.values_list("move", flat=True)]

    first, second = await database_sync_to_async(opened)(), await database_sync_to_async(opened)()
    one = await phone(server, ayumi, at=first)
    await expect(one.locator("#connection")).to_have_attribute("data-state", "on")
    await one.evaluate("document.getElementById('live')._htmx.ws.connection.socket.send = () => {}")
    unsent = int(await one.locator("[data-lay]").first.inner_text())
    await one.locator("[data-lay]").first.tap()
    await one.goto(second.get_absolute_url())
    sent = int(await one.locator("[data-lay]").last.inner_text())
    await one.locator("[data-lay]").last.tap()
    await expect(one.locator("#table")).to_have_attribute("data-version", "1")
    assert await database_sync_to_async(moves)(second) == [sent]
    await one.goto(first.get_absolute_url())
    await expect(one.locator("#table")).to_have_attribute("data-version", "1")
    assert await database_sync_to_async(moves)(first) == [unsent]


@pytest.mark.parametrize("keeps", [True, False])
async def test_the_board_names_an_absent_player_until_a_bot_plays_or_they_return(
    server: ThreadServer,
    phone: Any,
    session: Session,
    seats: list[Seat],
    ayumi: Somebody,
    bo: Somebody,
    monkeypatch: pytest.MonkeyPatch,
    keeps: bool,
) -> None:
    """The button is there for the keeper of the game's seats."""
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.2)
    monkeypatch.setattr(presence, "LEFT_AFTER", 0.5)
    table = await database_sync_to_async(opening.open_table)(
        session=session, module_key="tally", players=seats, opened_by=seats[0] if keeps else None
    )
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (one, two):
        await page.goto(table.get_absolute_url())
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    left = one.locator("#left p")
    await two.goto("about:blank")
    await expect(left).to_contain_text("ボーは離席中", timeout=20_000)
    button = left.get_by_role("button", name="ボットに任せる")
    await expect(button).to_have_count(int(keeps))
    if keeps:
        await button.tap()
        assert await one.locator("#table").get_attribute("data-table") == str(table.pk)
    else:
        await two.goto(table.get_absolute_url())
    await expect(left).to_have_count(0, timeout=20_000)
    sits = await database_sync_to_async(table.table_seats.get)(key="p2")
    assert bool(sits.bot) == keeps
