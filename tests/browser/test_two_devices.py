"""A guest takes a new phone in hand: the old one says yes and lets go, or it is dead and the GM says who."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from companion.identity.person_links import normalize_key
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Seat, Session, Table
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def test_a_guest_goes_to_a_new_phone_by_a_typed_key(
    server: ThreadServer, phone: Any, session: Session, table: Table, bo: Somebody
) -> None:
    phone.expect("404")  # what the old phone sees of its table afterwards
    old, new = await phone(server, bo), await phone(server)
    hand = await phone(server, bo, at=table)
    await old.goto(session.get_absolute_url())
    await old.get_by_role("link", name="別の端末へ移る").tap()
    await old.get_by_role("button", name="引き継ぎコードを出す").tap()
    key = await old.locator(".key-spoken strong").inner_text()

    await new.goto("/")
    await new.get_by_role("link", name="前の端末から引き継ぐ").tap()
    await new.get_by_label("引き継ぎコード").fill(key)
    await new.get_by_role("button", name="進む").tap()
    await expect(new).to_have_url(f"{server.lan_url}/device/{normalize_key(key)}/")
    await new.get_by_role("button", name="この端末に引き継ぐ").tap()
    await expect(new.get_by_role("heading", level=1)).to_have_text("前の端末で「はい」を押してください")

    await expect(old.get_by_role("heading", level=1)).to_have_text("あなたの新しい端末ですか？")
    assert await old.locator(".code").inner_text() == await new.locator(".code").inner_text()
    await old.get_by_role("button", name="はい、すべて渡す").tap()
    await expect(old.get_by_role("heading", level=1)).to_have_text("新しい端末に移りました")
    await expect(new.get_by_role("heading", level=1)).to_have_text("引き継ぎました")
    await expect(hand.locator("#table")).to_have_count(0)
    await new.goto(table.get_absolute_url())
    await expect(new.locator("#hand .card").first).to_be_visible()


@pytest.fixture
def second_night(session: Session, seats: list[Seat], bo: Somebody) -> Session:
    nights.bring_character(seat=seats[1], character=create_character(bo.person, SAMPLES[1]))
    nights.close_session(session=session)
    return nights.open_session(campaign=session.own_campaign, title="二晩目")


async def test_the_gm_gives_a_player_with_a_new_phone_their_characters_back(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    gm: Somebody,
    second_night: Session,
) -> None:
    desk, new = await laptop(server, gm), await phone(server, at=f"/j/{second_night.code}/")
    await new.get_by_label("お名前は？").fill("ボー")
    await new.get_by_role("button", name="席につく").tap()
    await expect(new.get_by_role("heading", name="キャラクターを作りましょう")).to_be_visible()

    await desk.goto(second_night.get_absolute_url())
    await desk.locator("#night_gm .seat-row summary").click()
    await desk.get_by_role("link", name="この端末は前からいる人").click()
    await desk.get_by_role("radio", name="鍵師のロク").check()
    await desk.get_by_role("button", name="はい、この人の新しい端末です").click()

    await expect(new.get_by_role("heading", name="今夜は誰で遊びますか")).to_be_visible()
    await new.get_by_role("button", name="連れていく").tap()
    await expect(new.locator(".brought")).to_contain_text("鍵師のロク")
    await desk.get_by_role("button", name="取り消す").click()
    await expect(new.get_by_role("heading", name="キャラクターを作りましょう")).to_be_visible()
