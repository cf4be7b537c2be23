"""After the night, in a browser on plain http: leafing through a replay, and checking every shuffle."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from itertools import islice
from random import Random
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.engine.registry import registry
from sessions.engine.undo import SPAN
from sessions.evening import nights
from sessions.models import Move, Table
from sessions.report import audience, proofs
from sessions.table import replay, table_cache
from tests.bench import scripts
from tests.bench.lay_out import advance
from tests.conftest import Somebody
from tests.evening import call, hand, play
from tests.servers import ThreadServer
from tests.sessions.test_replay_page import play_on

from .conftest import Devices

STEPS = 12


@pytest.fixture
def ended(table: Table) -> Table:
    """A table that was played for a while, on a night that is over."""
    play_on(table, STEPS)
    nights.close_session(session=table.session)
    table.refresh_from_db()
    return table


@pytest.fixture
def opened(ended: Table) -> Table:
    """The same, and the GM has opened the secrets."""
    audience.open_secrets(session=ended.session, is_open=True)
    return ended


#: The address of the facts that a page compares, of whatever part of the log.
FACTS = re.compile(r"/verify/facts/\?part=\d+$")


@database_sync_to_async
def check_and_end(table: Table) -> None:
    """Play a check, and end the night."""
    play(table, "gm", call("p1"))
    card = next(card for card in hand(table, "p1") if not card.startswith("x"))
    play(table, "p1", json.dumps({"type": "play", "card": card}).encode())
    nights.close_session(session=table.session)
    audience.open_secrets(session=table.session, is_open=True)


async def verified(page: Page, state: str) -> None:
    await page.get_by_role("button", name="今夜のシャッフルを確かめる").click()
    await expect(page.locator("#verify-result")).to_have_attribute("data-state", state)


async def test_sha256_and_hmac_are_those_of_hashlib(
    server: ThreadServer, phone: Devices, ayumi: Somebody, ended: Table
) -> None:
    page = await phone(server, ayumi, at=f"/t/{ended.pk}/verify/")
    assert await page.evaluate("!globalThis.isSecureContext && !crypto.subtle"), "as at home: no Web Crypto"
    rng = Random(256)
    lengths = [*range(200), 1000, 4096, 100_000, *(rng.randrange(3000) for _ in range(100))]
    messages = [rng.randbytes(length) for length in lengths]
    keys = [rng.randbytes(rng.choice([0, 1, 32, 63, 64, 65, 66, 130])) for _ in messages]
    found = await page.evaluate(
        """(pairs) => pairs.map(([key, message]) => {
          const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
          const digest = Sha256.digest(bytes(message)), mac = Sha256.hmac(bytes(key), bytes(message));
          return [Sha256.hex(digest), Sha256.hex(mac)];
        })""",
        [[key.hex(), message.hex()] for key, message in zip(keys, messages, strict=True)],
    )
    assert len(found) == len(messages) > 300
    for key, message, (digest, mac) in zip(keys, messages, found, strict=True):
        assert digest == hashlib.sha256(message).hexdigest()
        assert mac == hmac.digest(key, message, "sha256").hex()


async def test_a_phone_verifies_the_shuffles_of_its_session(
    server: ThreadServer, phone: Devices, ayumi: Somebody, table: Table
) -> None:
    page = await phone(server, ayumi, at=table)
    await expect(page.locator("#hand")).to_be_visible()
    await check_and_end(table)
    await page.goto(f"/s/{table.session_id}/")
    await page.get_by_role("link", name="卓報告").click()
    await page.get_by_role("link", name="今夜のシャッフルを確かめる").click()
    await verified(page, "all")
    await expect(page.locator("#verify-result")).to_contain_text("すべて一致しました")
    seen = page.locator('[data-check="seen"]')
    await expect(seen).to_be_visible()
    await expect(seen).to_have_attribute("data-verdict", "same")
    shuffles = page.locator('[data-check="drawn"]')
    assert await shuffles.count() >= 2
    for line in await shuffles.all():
        await expect(line).to_contain_text("一致")
    await expect(shuffles.nth(1)).to_contain_text("開始時: 山札のシャッフル")


def swap(facts: dict[str, Any]) -> None:
    result = facts["drawn"][1]["result"]
    result[0], result[1] = result[1], result[0]


def other_secret(facts: dict[str, Any]) -> None:
    facts["secret"] = "0" * 64


def other_secret_with_its_fingerprint(facts: dict[str, Any]) -> None:
    other_secret(facts)
    facts["commitment"] = hashlib.sha256(facts["secret"].encode()).hexdigest()


def left_out(facts: dict[str, Any]) -> None:
    facts["drawn"].pop()


def other_move(facts: dict[str, Any]) -> None:
    facts["drawn"][1] = {**facts["drawn"][1], "move": 4}


def misfit(facts: dict[str, Any]) -> None:
    facts["fits"] = False


async def test_tampered_facts_fail_the_verification(
    server: ThreadServer, phone: Devices, ayumi: Somebody, opened: Table
) -> None:
    page, facts = await phone(server, ayumi), dict[str, Any]()
    await page.route(FACTS, lambda route: route.fulfill(json=facts))
    for harm in (swap, other_secret, other_secret_with_its_fingerprint, left_out, other_move, misfit):
        facts.update(await database_sync_to_async(proofs.facts)(opened, 1))
        harm(facts)
        await page.goto(f"/t/{opened.pk}/verify/")
        await verified(page, "broken")
        result = expect(page.locator("#verify-result"), harm.__name__)
        await result.to_contain_text("一致しないところがあります")
        if harm is not left_out:
            await expect(page.locator('[data-verdict="differs"]').first).to_contain_text("不一致")


async def test_a_secret_with_another_fingerprint_than_seen_fails_the_verification(
    server: ThreadServer, phone: Devices, ayumi: Somebody, table: Table
) -> None:
    page = await phone(server, ayumi, at=table)
    await check_and_end(table)
    # A server that had second thoughts: another secret with its own fingerprint.
    secret = "f" * 64
    others = Table.objects.filter(pk=table.pk)
    await sync_to_async(others.update)(secret=secret, commitment=hashlib.sha256(secret.encode()).hexdigest())
    await page.goto(f"/t/{table.pk}/verify/")
    await verified(page, "broken")
    await expect(page.locator('[data-check="commitment"]')).to_have_attribute("data-verdict", "same")
    await expect(page.locator('[data-check="seen"]')).to_have_attribute("data-verdict", "differs")


@database_sync_to_async
def long_night(table: Table, *, is_open: bool) -> None:
    """Let a night have a log of three parts, with chance in each, and end it."""
    again = [("gm", {"type": "add_npc", "name": "竜", "rank": 1}), ("gm", {"type": "rewind", "to": 0})]
    advance(table, registry()[table.module], islice(scripts.usual(2), 2 * SPAN))
    table_cache.invalidate_table()
    for seat, move in again * 2:
        play(table, seat, json.dumps(move).encode())
    nights.close_session(session=table.session)
    audience.open_secrets(session=table.session, is_open=is_open)


async def test_a_long_log_is_checked_part_by_part(
    server: ThreadServer, phone: Devices, ayumi: Somebody, table: Table
) -> None:
    await long_night(table, is_open=True)
    page = await phone(server, ayumi)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if FACTS.search(request.url) else None)
    await page.goto(f"/t/{table.pk}/verify/")
    await expect(page.locator('[data-check="part"]')).to_contain_text("一致")
    whole = page.locator('[data-check="fits"]')
    assert await whole.get_attribute("data-verdict") is None
    await verified(page, "all")
    assert [address[-6:] for address in asked] == ["part=1", "part=2", "part=3"]
    await expect(whole).to_have_attribute("data-verdict", "same")
    drawn = (await database_sync_to_async(replay.check_log)(table)).drawn
    shuffles = page.locator('[data-check="drawn"][data-verdict="same"]')
    await expect(shuffles).to_have_count(len(drawn))
    await expect(page.get_by_role("progressbar")).to_be_hidden()
    moved = Move.objects.filter(table=table, number=SPAN + 2)
    await sync_to_async(moved.update)(seat="p9")
    await verified(page, "broken")
    await expect(whole).to_have_attribute("data-verdict", "differs")


async def test_the_server_plays_a_long_log_again_while_the_secrets_are_closed(
    server: ThreadServer, phone: Devices, ayumi: Somebody, table: Table
) -> None:
    await long_night(table, is_open=False)
    page = await phone(server, ayumi, at=f"/t/{table.pk}/verify/")
    await page.get_by_role("button", name="サーバーで最初からやり直して確かめる").click()
    await expect(page.locator('[data-check="fits"]')).to_have_attribute("data-verdict", "same")


async def test_a_verification_without_the_servers_facts_gives_no_verdict(
    server: ThreadServer, phone: Devices, ayumi: Somebody, opened: Table
) -> None:
    phone.expect("ERR_FAILED|503")
    page = await phone(server, ayumi)
    await page.route(FACTS, lambda route: route.fulfill(status=503))
    await page.goto(f"/t/{opened.pk}/verify/")
    await verified(page, "failed")
    await page.unroute(FACTS)
    await verified(page, "all")


def at(version: int) -> re.Pattern[str]:
    return re.compile(rf"[?&]version={version}(&|$)")


async def test_a_replay_is_stepped_by_keys_links_and_slider(
    server: ThreadServer, laptop: Devices, gm: Somebody, ended: Table
) -> None:
    page = await laptop(server, gm)
    loads: list[str] = []
    page.on("domcontentloaded", lambda loaded: loads.append(loaded.url))
    await page.goto(f"/t/{ended.pk}/replay/?view=open")
    count = page.locator(".replay-count")
    await expect(count).to_have_text(f"0 / {STEPS}")
    await page.keyboard.press("ArrowRight")
    await expect(count).to_have_text(f"1 / {STEPS}")
    await expect(page).to_have_url(at(1))
    await page.get_by_role("link", name="ひとつ進む").click()
    await expect(count).to_have_text(f"2 / {STEPS}")
    await expect(page.get_by_role("link", name="ひとつ進む")).to_be_focused()
    await page.keyboard.press("End")
    await expect(count).to_have_text(f"{STEPS} / {STEPS}")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowLeft")
    await expect(count).to_have_text(f"{STEPS - 1} / {STEPS}")
    await page.locator("#replay-version").fill("5")
    await expect(page).to_have_url(at(5))
    await expect(page.locator("#replay")).to_have_attribute("data-version", "5")
    assert len(loads) == 1, "steps are put in place, no page is loaded for them"
    await page.reload()
    await expect(count).to_have_text(f"5 / {STEPS}")
    await page.get_by_role("link", name="見学者の視点").click()
    await expect(page).to_have_url(at(5))
    await expect(page.locator(".replay-hand")).to_have_count(0)


async def test_a_replay_plays_by_itself_until_it_is_stopped(
    server: ThreadServer, phone: Devices, bo: Somebody, ended: Table
) -> None:
    page = await phone(server, bo)
    await page.clock.install()
    await page.goto(f"/t/{ended.pk}/replay/")
    play_button = page.get_by_role("button", name="自動で進める")
    await play_button.click()
    await expect(play_button).to_have_attribute("aria-pressed", "true")
    for version in (1, 2):
        await page.clock.run_for(1700)
        await expect(page.locator("#replay")).to_have_attribute("data-version", str(version))
    await play_button.click()
    await expect(play_button).to_have_attribute("aria-pressed", "false")
    await page.clock.run_for(10_000)
    await expect(page.locator("#replay")).to_have_attribute("data-version", "2")


async def test_a_replay_works_without_javascript(
    server: ThreadServer, phone: Devices, bo: Somebody, ended: Table
) -> None:
    page = await phone(server, bo, java_script_enabled=False, at=f"/t/{ended.pk}/replay/")
    await page.get_by_role("link", name="ひとつ進む").click()
    await expect(page.locator(".replay-count")).to_have_text(f"1 / {STEPS}")
    await page.locator("#replay-version").focus()
    await page.keyboard.press("End")
    await page.get_by_role("button", name="表示").click()
    await expect(page.locator(".replay-count")).to_have_text(f"{STEPS} / {STEPS}")
    await page.goto(f"/t/{ended.pk}/verify/")
    await expect(page.locator('[data-check="fits"]')).to_contain_text("一致")
    await expect(page.get_by_role("button", name="今夜のシャッフルを確かめる")).to_be_hidden()


async def test_nothing_scrolls_sideways(
    server: ThreadServer, laptop: Devices, gm: Somebody, ended: Table
) -> None:
    page = await laptop(server, gm)
    night, table = f"/s/{ended.session_id}", f"/t/{ended.pk}"
    for path in (
        f"{night}/report/",
        f"{night}/log/?view=open",
        f"{night}/verify/",
        f"{table}/replay/?view=open",
    ):
        await page.goto(path)
        for width in (320, 360, 430, 1024, 1280):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)


async def test_the_gm_opens_the_secrets_after_being_asked(
    server: ThreadServer, laptop: Devices, phone: Devices, gm: Somebody, bo: Somebody, ended: Table
) -> None:
    desk, other = await laptop(server, gm, at=f"/s/{ended.session_id}/report/"), await phone(server, bo)
    await desk.get_by_role("button", name="秘密を公開する").click()
    sheet = desk.get_by_role("dialog")
    await expect(sheet).to_contain_text("読まれたものは元に戻りません")
    await sheet.get_by_role("button", name="秘密を公開する").click()
    await expect(desk.get_by_role("button", name="秘密を再び伏せる")).to_be_visible()
    await other.goto(f"/s/{ended.session_id}/log/")
    await other.get_by_role("link", name="全公開").click()
    await expect(other.get_by_text("あゆみだけに").or_(other.get_by_text("GMだけに")).first).to_be_visible()
