"""A night as people play it: a GM's laptop, phones, the table face, each a browser of its own."""

from __future__ import annotations

import re
from typing import Any

from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from characters.models import Character
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import cards_in, hand, play, sit
from tests.servers import ThreadServer


async def shown_version(page: Page, version: int) -> None:
    await expect(page.locator("#table")).to_have_attribute("data-version", str(version))


async def hand_on(page: Page) -> set[str]:
    return set(await page.eval_on_selector_all("[data-hand] > li", "all => all.map(li => li.dataset.card)"))


async def call_check(desk: Page, seat: str, difficulty: int) -> None:
    """Three taps: how hard, who, call."""
    await desk.locator(f'#call-form label:has(input[name="difficulty"][value="{difficulty}"])').click()
    await desk.locator(f'#call-form label:has(input[name="seat"][value="{seat}"])').click()
    await desk.locator("#call-form button.primary").click()


async def tap_tap(phone: Page, card: str) -> None:
    """Raise a card, then tap it again. A joker asks for its suit."""
    await phone.locator(f'[data-card="{card}"]').tap()
    await phone.locator(f'[data-card="{card}"]').tap()
    if card.startswith("x"):
        await phone.locator('#suit-sheet [data-answer-with="h"], #suit-sheet button[value="h"]').first.tap()


async def test_a_guest_who_scans_the_code_is_seated_after_typing_a_name(
    server: ThreadServer, phone: Any, laptop: Any, session: Session, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=session)
    one = await phone(server, at=f"/j/{session.code}/")
    await one.get_by_role("textbox").fill("はる")
    await one.locator('button[value="player"]').tap()
    await expect(one).to_have_url(re.compile(rf"/s/{session.pk}/$"))
    await expect(desk.get_by_role("listitem").filter(has_text="はる").first).to_be_visible()


async def test_the_code_typed_at_the_front_door_leads_to_the_table(
    server: ThreadServer, phone: Any, session: Session
) -> None:
    one = await phone(server, at="/")
    await one.locator("input[name=code]").press_sequentially(session.spoken_code)
    await expect(one).to_have_url(re.compile(rf"/j/{session.code}/\?key=\w+$"))


async def test_a_session_goes_from_the_lobby_to_a_played_check(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    desk, face = await laptop(server, gm), await laptop(server)
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(session.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    await desk.locator('button[name="module"][value="uroboros"]').click()
    for page in (desk, one, two):
        await expect(page).to_have_url(re.compile(r"/t/\d+/$"))
    await expect(face.locator("#table")).to_be_visible()

    await call_check(desk, "p1", 0)
    for page in (desk, one, two, face):
        await shown_version(page, 1)
    card = sorted(await hand_on(one))[0]
    await tap_tap(one, card)
    for page in (desk, one, two, face):
        await shown_version(page, 2)
    assert card not in await hand_on(one)
    assert len(await hand_on(one)) == 3, "refilled"


async def test_no_page_holds_a_card_it_may_not_show(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    hands = await database_sync_to_async(lambda: {seat: hand(table, seat) for seat in ("gm", "p1", "p2")})()
    pages = {"gm": await laptop(server, gm), "p1": await phone(server, ayumi), "p2": await phone(server, bo)}
    face = await laptop(server, at=f"/face/{session.face_key}/")
    for page in pages.values():
        await page.goto(table.get_absolute_url())
    await database_sync_to_async(play)(table, "gm", b'{"type": "declare", "text": "hello"}')
    for page in (*pages.values(), face):
        await shown_version(page, 1)
    for seat, page in {**pages, None: face}.items():
        shown = cards_in(await page.content())
        for other, cards in hands.items():
            assert shown & set(cards) == (set(cards) if other == seat else set())


async def test_typed_text_and_focus_survive_other_seats_moves(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=table)
    await desk.locator("#call-label").fill("高い壁")
    await desk.locator("#call-label").press("Home")
    await database_sync_to_async(play)(table, "p1", '{"type": "declare", "text": "登る"}'.encode())
    await shown_version(desk, 1)
    assert await desk.evaluate("document.activeElement.id") == "call-label"
    assert await desk.evaluate("document.activeElement.selectionStart") == 0
    assert await desk.input_value("#call-label") == "高い壁"


async def test_a_refusal_is_told_near_the_hand_and_to_screen_readers(
    server: ThreadServer, phone: Any, table: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await shown_version(one, 0)
    await one.evaluate(
        """() => { const form = document.createElement("form"); form.dataset.move = '{"type": "draw"}';
                   document.getElementById("table").append(form); form.requestSubmit(); }"""
    )
    await expect(one.locator("#refusal")).to_be_visible()
    assert await one.inner_text("#refusal [data-reason]") == await one.locator("#alert").text_content()
    await shown_version(one, 0)


async def test_a_removed_player_is_told_so(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    phone.expect("403")
    one = await phone(server, bo, at=table)
    await shown_version(one, 0)
    await database_sync_to_async(gm.client.post)(f"/s/{table.session_id}/seats/{seats[1].pk}/remove/")
    await expect(one.get_by_role("heading", level=1)).to_contain_text("席")


async def test_a_latecomer_is_seated_from_the_gms_table(
    server: ThreadServer, phone: Any, laptop: Any, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=table)
    late = await phone(server, at=f"/j/{table.session.code}/")
    await late.get_by_role("textbox").fill("おそいひと")
    await late.locator('button[value="player"]').tap()
    await desk.locator("#latecomers button").click()
    await expect(late).to_have_url(re.compile(r"/t/\d+/$"))
    await expect(late.locator("[data-hand] > li")).to_have_count(3)


AT_ITS_END = "log => log.scrollTop + log.clientHeight >= log.scrollHeight - 1"


async def test_the_log_stays_at_its_newest_line_unless_a_reader_scrolled_up(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    def talk(first: int) -> None:
        for number in range(first, first + 25):
            play(table, "p1", f'{{"type": "declare", "text": "line {number}"}}'.encode())

    await database_sync_to_async(talk)(0)
    desk = await laptop(server, gm, at=table)
    await shown_version(desk, 25)
    log = desk.locator("#log")
    assert await log.evaluate("log => log.scrollHeight > log.clientHeight"), "nothing to scroll"
    assert await log.evaluate(AT_ITS_END)
    await database_sync_to_async(talk)(25)
    await shown_version(desk, 50)
    await expect(log.get_by_text("line 49")).to_be_in_viewport()
    await log.evaluate("log => { log.scrollTop = 0; log.dispatchEvent(new Event('scroll')); }")
    await database_sync_to_async(talk)(50)
    await shown_version(desk, 75)
    assert await log.evaluate("log => log.scrollTop") == 0


async def test_a_tap_right_after_the_last_digit_presses_nothing_on_the_page_that_comes(
    server: ThreadServer, phone: Any, session: Session
) -> None:
    one = await phone(server, at="/")
    sent: list[str] = []
    one.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    # The first moments of a page last until the test ends them.
    cdp = await one.context.new_cdp_session(one)
    await cdp.send("Animation.enable")
    await cdp.send("Animation.setPlaybackRate", {"playbackRate": 0.0001})
    await expect(one.get_by_role("button", name="席につく")).to_have_count(0)
    await one.locator("input[name=code]").press_sequentially(session.spoken_code)
    await expect(one).to_have_url(re.compile(rf"/j/{session.code}/\?key=\w+$"))
    sent.clear()
    seat = one.locator('button[value="player"]')
    box = await seat.bounding_box()
    assert box
    await one.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await expect(one.get_by_text("入力してください。")).to_have_count(0)
    assert sent == []
    await cdp.send("Animation.setPlaybackRate", {"playbackRate": 1})
    await one.get_by_role("textbox").fill("はる")
    await seat.tap()
    await expect(one).to_have_url(re.compile(rf"/s/{session.pk}/$"))


async def test_a_returning_phone_takes_its_seat_from_the_home_page_with_one_tap(
    server: ThreadServer, phone: Any, session: Session, bo: Somebody
) -> None:
    def end_the_first_night() -> tuple[Session, Character]:
        sheet = create_character(bo.person, SAMPLES[1])
        seat = sit(session, bo.person)
        nights.bring_character(seat=seat, character=sheet)
        nights.set_approved(seat=seat, approved=True)
        nights.close_session(session=session)
        return nights.open_session(campaign=session.own_campaign, title="第二夜"), sheet

    tonight, sheet = await database_sync_to_async(end_the_first_night)()
    one = await phone(server, bo, at="/")
    await expect(one.get_by_role("heading", name="今夜の卓が開いています")).to_be_in_viewport()
    await one.get_by_role("button", name="ボーとして席に着く").tap()
    await expect(one).to_have_url(re.compile(rf"/s/{tonight.pk}/$"))
    await expect(one.get_by_role("heading", name=sheet.name)).to_be_visible()
    await expect(one.get_by_role("heading", name="準備ができました")).to_be_visible()
