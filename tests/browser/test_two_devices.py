"""A guest takes a new phone in hand: the old one shows a key, is asked, says yes, and lets go."""

from __future__ import annotations

from typing import Any

from playwright.async_api import expect

from companion.identity.person_links import typed
from sessions.models import Seat, Session, Table
from tests.conftest import Somebody
from tests.servers import ThreadServer


async def test_a_guest_goes_to_a_new_phone_by_a_typed_key(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], table: Table, bo: Somebody
) -> None:
    phone.expect("404")  # what the old phone sees of its table afterwards
    old, new = await phone(server, bo), await phone(server)
    hand = await phone(server, bo)
    await hand.goto(table.get_absolute_url())
    await old.goto(session.get_absolute_url())
    await old.get_by_role("link", name="別の端末へ移る").tap()
    await old.get_by_role("button", name="引き継ぎコードを出す").tap()
    key = await old.locator(".key-spoken strong").inner_text()

    await new.goto("/")
    await new.get_by_role("link", name="前の端末から引き継ぐ").tap()
    await new.get_by_label("引き継ぎコード").fill(key)
    await new.get_by_role("button", name="進む").tap()
    await expect(new).to_have_url(f"{server.lan_url}/device/{typed(key)}/")
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
