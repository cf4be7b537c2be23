"""Two phones put their shares into a table's chance, and find them again in the proof."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from companion.fate import combine_secret, commitment
from sessions.evening import nights, shares
from sessions.models import Seat, Session, Table
from sessions.report import audience, proofs
from tests.conftest import Somebody
from tests.servers import PATIENCE, ThreadServer

from .conftest import Devices
from .test_report import verified


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones are waited for on however busy a machine."""
    monkeypatch.setattr(shares, "WAIT", PATIENCE)


@database_sync_to_async
def end(session: Session) -> tuple[Table, dict[str, Any]]:
    """End the night with open secrets; return its table and the facts of its chance."""
    nights.close_session(session=session)
    audience.open_secrets(session=session, is_open=True)
    table = session.tables.get()
    return table, proofs.facts(table, 1)


def other_secret(facts: dict[str, Any]) -> None:
    """The server had second thoughts after it saw the shares, and made all else fit."""
    parts = facts["shares"]
    parts["secret"] = "f" * 64
    facts["commitment"] = commitment(parts["secret"])
    facts["secret"] = combine_secret(parts["secret"], [each["share"] for each in parts["of"]])
    facts["drawn"] = []


def other_share(facts: dict[str, Any]) -> None:
    facts["shares"]["of"][0]["share"] = "f" * 64


def dropped(facts: dict[str, Any]) -> None:
    """The server calls all phones silent."""
    parts = facts["shares"]
    for each in parts["of"]:
        each["share"] = ""
    facts["secret"] = parts["secret"]


async def checked(page: Page, table: Table, facts: dict[str, Any], state: str) -> None:
    await page.route("**/verify/facts/**", lambda route: route.fulfill(json=facts))
    await page.goto(f"/t/{table.pk}/verify/")
    await verified(page, state)
    await page.unroute("**/verify/facts/**")


@pytest.mark.long
async def test_two_phones_find_their_shares_in_the_proof(
    server: ThreadServer,
    laptop: Devices,
    phone: Devices,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    session: Session,
    seats: list[Seat],
) -> None:
    desk, one, two = await laptop(server, gm), await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(f"/s/{session.pk}/")
    await expect(desk.locator(".seat-row").get_by_text("在席")).to_have_count(2)
    await desk.get_by_role("button", name="無限蛇の鎖").click()
    for page in (one, two):
        await expect(page.locator("#hand")).to_be_visible()
    table, facts = await end(session)
    assert {each["seat"] for each in facts["shares"]["of"] if each["share"]} == {"GM", "あゆみ", "ボー"}
    for page in (one, two):
        await page.goto(f"/t/{table.pk}/verify/")
        await verified(page, "all")
        for check in ("own-share", "shares"):
            await expect(page.locator(f'[data-check="{check}"]')).to_have_attribute("data-verdict", "same")
    changes: list[tuple[Callable[[dict[str, Any]], None], str]] = [
        (other_secret, "own-share"),
        (other_share, "shares"),
        (dropped, "own-share"),
    ]
    for harm, check in changes:
        changed = await database_sync_to_async(proofs.facts)(table, 1)
        harm(changed)
        await checked(two, table, changed, "broken")
        await expect(two.locator(f'[data-check="{check}"]')).to_have_attribute("data-verdict", "differs")
    stranger = await phone(server, gm)
    await stranger.goto(f"/t/{table.pk}/verify/")
    await verified(stranger, "all")
    await expect(stranger.locator("[data-unshared]")).to_be_visible()
