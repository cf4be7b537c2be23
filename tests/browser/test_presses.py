"""A press that began before a question appeared never answers it, and two quick ones are one."""

from __future__ import annotations

import json
import re
from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Locator, Page, expect

from sessions.models import Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play
from tests.servers import ThreadServer


def caught_lying(session: Session, seats: list[Seat]) -> Table:
    """LIAR MAFIA at the moment when p1 has to hold a card to remove it; then comes another question."""
    table = opening.open_table(
        session=session, module_key="liarmafia", players=seats, options={"first": "p1"}
    )
    slots = [{"card": card, "facing": "up"} for card in ("police", "hitman")]
    for seat, move in (
        ("p1", {"type": "place", "slots": slots}),
        ("p2", {"type": "place", "slots": slots}),
        ("p1", {"type": "declare", "action": "smuggle"}),
        ("p2", {"type": "doubt"}),
    ):
        play(table, seat, json.dumps(move).encode())
    return table


async def test_a_form_with_an_unknown_field_tells_the_player(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(caught_lying)(session, seats)
    page = await phone(server, ayumi, at=table)
    await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    form = page.locator("#commit form[data-move]").first
    await form.evaluate(
        """form => {
            form.insertAdjacentHTML("beforeend", '<input type="hidden" name="slit" value="0">');
            form.requestSubmit();
        }"""
    )
    await expect(page.locator("#refusal [data-reason]")).to_have_text(
        "この操作は読み取れませんでした。何も変わっていません。"
    )
    await table.arefresh_from_db()
    assert table.version == 4


class Finger:
    def __init__(self, page: Page) -> None:
        self.page = page

    async def down(self, button: Locator) -> None:
        box = await button.bounding_box()
        assert box
        self.touch = await self.page.context.new_cdp_session(self.page)
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        await self.touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})

    async def up(self) -> None:
        await self.touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_releasing_a_long_press_does_not_press_a_new_button_under_the_finger(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(caught_lying)(session, seats)
    page = await phone(server, ayumi, at=table)
    await page.evaluate(
        "window.sent = 0; document.addEventListener('table:sent', () => { window.sent += 1; })"
    )
    finger = Finger(page)
    await finger.down(page.locator("#commit [data-hold]").first)
    replaces = page.locator("#commit [data-move*=replace] button")
    await expect(replaces).to_have_count(2)
    await expect(page.locator("#table")).not_to_have_class(re.compile("just-sent"))
    await finger.up()
    # The press after it counts, and is the only other one.
    await replaces.nth(1).click()
    await expect(page.locator("#table")).to_have_attribute("data-version", "6")
    assert await page.evaluate("window.sent") == 2
    await table.arefresh_from_db()
    last = await table.moves.aget(number=6)
    assert json.loads(bytes(last.move))["facing"] == "down"


async def test_a_press_that_began_before_the_question_came_does_not_answer_it(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(caught_lying)(session, seats)
    page = await phone(server, ayumi, at=table)
    finger = Finger(page)
    # p1 holds a button for less than a long press while the same move comes from another device of theirs.
    button = page.locator("#commit [data-hold]").first
    await button.evaluate("button => button.removeAttribute('data-hold')")
    await finger.down(button)
    await database_sync_to_async(play)(table, "p1", b'{"type": "remove", "slot": 0}')
    replaces = page.locator("#commit [data-move*=replace] button")
    await expect(replaces).to_have_count(2)
    await finger.up()
    await replaces.nth(1).click()
    await expect(page.locator("#table")).to_have_attribute("data-version", "6")
    last = await table.moves.aget(number=6)
    assert json.loads(bytes(last.move))["facing"] == "down"


async def test_a_second_press_while_the_first_waits_for_its_answer_moves_nothing(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    """Where the question stays the same, the server could not tell it from a move that is meant."""
    desk = await laptop(server, gm, at=table)
    flip = desk.locator("form[data-move*=flip] button")
    await expect(desk.locator("#connection")).to_have_attribute("data-state", "on")
    await flip.evaluate("button => { button.click(); button.click(); }")
    await expect(desk.locator("#table:not(.is-sending)")).to_have_attribute(
        "data-version", re.compile("[1-9]")
    )
    assert await table.moves.acount() == 1


async def test_a_late_answer_shows_no_refusal_once_the_game_is_over(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    table = await database_sync_to_async(caught_lying)(session, seats)
    page = await phone(server, ayumi, at=table)
    await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    too_late = """() => {
        const form = document.createElement("form"), pulse = document.getElementById("pulse");
        form.dataset.move = '{"type": "doubt"}';
        document.getElementById("table").append(form);
        pulse.dataset.version = 0;
        pulse.dataset.asked = "an earlier question";
        form.requestSubmit();
    }"""
    await page.evaluate(too_late)
    await expect(page.locator("#refusal [data-reason]")).to_contain_text("卓が進みました")
    await database_sync_to_async(play)(table, "p2", b'{"type": "concede"}')
    await expect(page.locator("#evening .over-result")).to_be_visible(timeout=20_000)
    await expect(page.locator("#refusal")).to_be_hidden()

    # Nor by an answer that was on its way when the end came.
    await page.evaluate(too_late)
    await expect(page.locator("#table")).not_to_have_class(re.compile("is-sending"))
    await expect(page.locator("#refusal")).to_be_hidden()
