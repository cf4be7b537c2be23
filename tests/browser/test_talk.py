"""Chat and care signals as people use them: two phones, the GM's laptop, an IME."""

from __future__ import annotations

import asyncio
import re
import uuid
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, Route, expect

from sessions.chat import messages
from sessions.evening import safety
from sessions.live import heartbeats
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Seat, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document
from tests.conftest import Somebody
from tests.servers import ThreadServer

#: The events of an IME while a person chooses among candidates, Safari's late Enter included.
COMPOSE = """(box) => {
  box.focus();
  box.dispatchEvent(new CompositionEvent("compositionstart", {bubbles: true}));
  const enter = (more) => box.dispatchEvent(
    new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true, ...more}));
  const through = [enter({isComposing: true, keyCode: 13})];
  box.dispatchEvent(new CompositionEvent("compositionend", {bubbles: true, data: "漢字"}));
  return [...through, enter({keyCode: 229})];
}"""


#: Let a list of people note each state in which it shows somebody.
STATES = """(people) => {
  const seen = () => [...people.querySelectorAll("[data-state]")].map((dot) => dot.dataset.state);
  people.states = ["here"];
  const known = (state) => state !== "absent";
  const note = () => { people.states = [...new Set([...people.states, ...seen().filter(known)])]; };
  new MutationObserver(note).observe(people, {subtree: true, childList: true, attributes: true});
}"""


async def open_chat(page: Page) -> None:
    await page.locator('[data-open="chat-sheet"]').tap()
    await expect(page.locator("#chat-text")).to_be_visible()


async def say(page: Page, words: str) -> None:
    await page.locator("#chat-text").fill(words)
    await page.locator(".chat-send").click()


async def test_two_phones_and_the_gm_talk_and_whisper(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    phone.expect("422")
    desk, one, two = await laptop(server, gm), await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(table.get_absolute_url())
    await open_chat(one)
    await say(one, "こんばんは")
    await expect(one.locator("#chat-text")).to_have_value("")
    await expect(two.locator('.phone-icons [data-unread="all"]')).to_have_text("1")
    await expect(desk.locator('#gm-tab-chat [data-unread="all"]')).to_have_text("1")
    await desk.locator("#gm-tab-chat").click()
    await expect(desk.locator("#chat_main")).to_contain_text("こんばんは")
    await open_chat(two)
    await expect(two.locator('.phone-icons [data-unread="all"]')).to_be_hidden()

    await two.locator("#chat-tab-whisper").tap()
    await say(two, "ないしょ")
    await expect(two.locator("[data-chat-refusal]")).to_have_text("秘話の相手を選んでください。")
    await expect(two.locator("#chat-text")).to_have_value("ないしょ")
    await two.locator(f"#chat-to-{seats[0].pk}").tap()
    await two.locator(".chat-send").tap()
    await expect(one.locator("#chat_whisper")).to_contain_text("ないしょ")
    await say(one, "次の話")
    await expect(desk.locator("#chat_main")).to_contain_text("次の話")
    assert "ないしょ" not in await desk.content()
    await expect(two.locator(f"#chat-to-{seats[0].pk} input")).to_be_checked()

    await one.locator("#chat_main .mine [data-message]").first.tap()
    await one.locator("[data-message-edit]").tap()
    await say(one, "おはよう")
    await expect(desk.locator("#chat_main")).to_contain_text("編集済み")
    await expect(desk.locator("#chat_main")).not_to_contain_text("こんばんは")


async def test_enter_sends_on_a_laptop_but_never_while_an_ime_composes(
    server: ThreadServer, laptop: Any, session: Session, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=session)
    box = desk.locator("#chat-text")
    await box.fill("かんじ")
    assert await box.evaluate(COMPOSE) == [True, True], "both Enters belong to the IME"
    await expect(box).to_have_value("かんじ")
    await box.press("Shift+Enter")
    await box.press_sequentially("二行目")
    await expect(box).to_have_value("かんじ\n二行目")
    await box.press("Enter")
    await expect(box).to_have_value("")
    await expect(desk.locator("#chat_main .msg")).to_have_count(1)


async def test_enter_breaks_the_line_on_a_phone(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=session)
    await open_chat(one)
    await one.locator("#chat-text").fill("一行目")
    await one.locator("#chat-text").press("Enter")
    await expect(one.locator("#chat-text")).to_have_value("一行目\n")


async def test_a_chat_message_without_an_answer_outlives_a_reload_and_is_sent_once(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket")
    one = await phone(server, ayumi, at=session)
    await open_chat(one)

    async def arrives_without_an_answer(route: Any) -> None:
        request = route.request
        url = request.url.replace(server.lan_url, server.url)
        await route.fetch(url=url, headers={**await request.all_headers(), "host": server.lan_url[7:]})
        await route.abort()

    await one.route("**/chat/", arrives_without_an_answer)
    await say(one, "だいじな話")
    await expect(one.locator("[data-chat-unsent]")).to_be_visible()
    await expect(one.locator("#chat-text")).to_have_value("だいじな話")
    await one.unroute("**/chat/")
    await one.reload()
    await open_chat(one)
    await expect(one.locator("#chat-text")).to_have_value("")
    await expect(one.locator("#chat_main .msg")).to_have_count(1)


async def test_a_chat_draft_survives_others_messages(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=session)
    await open_chat(one)
    await one.locator("#chat-text").fill("書きかけ")
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab="main", text="割り込み")
    await database_sync_to_async(lambda: messages.send(seat=seats[1], draft=draft))()
    await expect(one.locator("#chat_main")).to_contain_text("割り込み")
    await expect(one.locator("#chat-text")).to_have_value("書きかけ")


async def test_tabs_go_by_arrow_keys_and_the_device_remembers(
    server: ThreadServer, laptop: Any, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=table)
    await desk.locator("#gm-tab-log").focus()
    await desk.keyboard.press("ArrowRight")
    await expect(desk.locator("#gm-tab-chat")).to_be_focused()
    await expect(desk.locator("#gm-panel-chat")).to_be_visible()
    await expect(desk.locator("#gm-panel-log")).to_be_hidden()
    await desk.reload()
    await expect(desk.locator("#gm-panel-chat")).to_be_visible()
    await expect(desk.locator("#gm-tab-chat")).to_have_attribute("aria-selected", "true")


async def test_a_care_signal_from_a_phone_to_the_desk(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(safety, "SIGNAL_SOONEST", 0.05)
    monkeypatch.setattr(safety, "SIGNAL_LATEST", 0.1)
    desk, one = await laptop(server, gm), await phone(server, ayumi)
    for where, sheet in ((table, "menu-sheet"), (session, "care-sheet")):
        for page in (desk, one):
            await page.goto(where.get_absolute_url())
        await one.locator(f'[data-open="{sheet}"]').tap()
        await one.locator(f'#{sheet} [data-care="x"]:not([data-care-named])').tap()
        await expect(one.locator(f"#{sheet}")).to_be_hidden()
        await expect(one.locator("#toast")).to_have_text("お伝えします。")
        await expect(desk.locator('[data-care-kind="x"]')).to_contain_text("場面を変えましょう")
        assert "あゆみ" not in await desk.locator("#care").inner_text()
        await desk.locator('[data-heard="x"]').click()
        await expect(desk.locator('[data-care-kind="x"]')).to_have_count(0)
        await expect(one.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("at_a_table", [True, False], ids=["table", "evening"])
async def test_a_player_proposes_a_limit_without_seeming_to_leave_the_page(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    table: Table,
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
    at_a_table: bool,
) -> None:
    phone.expect("422")

    def warns() -> None:
        scenario = editing.create_scenario(gm.person, Document(warns="蜘蛛\n溺れる"))
        staging.choose_scenario(session=session, scenario=scenario)

    await database_sync_to_async(warns)()
    monkeypatch.setattr(safety, "PROPOSAL_SOONEST", 5.0)
    monkeypatch.setattr(safety, "PROPOSAL_LATEST", 5.0)
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.5)
    desk, one = await laptop(server, gm), await phone(server, ayumi)
    where = table.get_absolute_url() if at_a_table else session.get_absolute_url()
    for page in (desk, one):
        await page.goto(where)
    people = desk.locator("#presence" if at_a_table else "#night_gm")
    await expect(people.locator('[data-state="here"]')).to_have_count(2 if at_a_table else 1)
    await people.evaluate(STATES)
    await one.locator(f'[data-open="{"menu-sheet" if at_a_table else "care-sheet"}"]').tap()
    await one.locator('[data-open="limits-sheet"]:visible').tap()
    sheet = one.get_by_role("dialog", name="リミット")
    await expect(sheet.locator("#limits")).to_contain_text("まだありません")
    line = sheet.get_by_role("button", name="ライン：出さない")
    await line.tap()
    await expect(sheet.locator('[data-error="limit-words"]')).to_be_visible()
    words = sheet.get_by_label("リミットを提案する")
    await expect(words).to_be_focused()
    await sheet.get_by_role("button", name="蜘蛛").tap()
    await expect(words).to_have_value("蜘蛛")
    assert await one.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('write.'))") == []
    await line.tap()
    await expect(sheet).to_be_hidden()
    await expect(one.locator("#toast")).to_have_text("名前を付けずにGMへ届けます。")
    await expect(desk.locator("#limits_call")).to_contain_text("提案1件")
    await desk.locator('#limits_call [data-open="limits-sheet"]').click()
    await desk.get_by_role("button", name="ベールにする").click()
    await expect(one.locator("#limits .tag")).to_have_text("ベール")
    await expect(desk.locator("#limits_call .badge")).to_have_count(0)
    assert await people.evaluate("(people) => people.states") == ["here"], "nobody was away for a moment"


async def test_a_tap_on_the_palette_writes_its_line_and_an_hp_line_counts(
    server: ThreadServer, phone: Any, session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    def bring() -> None:
        seats[0].character = create_character(ayumi.person, SAMPLES[0])
        seats[0].save()

    await database_sync_to_async(bring)()
    one = await phone(server, ayumi, at=session)
    await open_chat(one)
    await one.locator("#chat-palette summary").tap()
    await one.locator("[data-palette]", has_text=":HP-1").tap()
    box = one.locator("#chat-text")
    await expect(box).to_have_value(re.compile("^:HP-1"))
    await expect(box).to_be_focused()
    await expect(one.locator("#chat-palette [data-palette]").first).to_be_hidden()
    await one.locator(".chat-send").tap()
    await expect(one.locator("#chat_main .msg-change")).to_be_visible()
    await expect(box).to_have_value("")


async def test_a_tab_and_its_duplicate_send_all_their_messages(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    await say(one, "ひとつ")
    await expect(one.locator("#chat-text")).to_have_value("")
    async with one.expect_popup() as opened:  # such a window begins with a copy of the session's storage
        await one.evaluate("open(location.href)")
    twin = await opened.value
    assert await twin.evaluate("Object.keys(sessionStorage).some((name) => name.startsWith('chat.draft'))")
    await open_chat(twin)
    for page, words in ((twin, "ふたつ"), (one, "みっつ"), (twin, "みっつ")):
        await say(page, words)
        await expect(page.locator("#chat-text")).to_have_value("")
    two = await phone(server, bo, at=table)
    await open_chat(two)
    await expect(two.locator("#chat_main .msg-text")).to_have_text(["ひとつ", "ふたつ", "みっつ", "みっつ"])


class LostPosts:
    """The first posts to the chat go wrong, each in its way (None: no answer); later ones arrive."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers = list(answers)
        self.sent: list[dict[str, list[str]]] = []
        self.at: list[float] = []

    async def __call__(self, route: Route) -> None:
        self.sent.append(parse_qs(route.request.post_data or ""))
        self.at.append(monotonic())
        if not self.answers:
            await route.continue_()
        elif (answer := self.answers.pop(0)) is None:
            await route.abort()
        else:
            await route.fulfill(**answer)


async def test_a_lost_chat_message_is_sent_again_once_to_its_recipient(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    phone.expect("status of|ERR_FAILED")
    one, two = await phone(server, ayumi, at=table), await phone(server, bo, at=table)
    await open_chat(one)
    posts = LostPosts({"status": 503})
    await one.context.route("**/chat/", posts)
    sockets: list[Any] = []
    one.on("websocket", lambda socket: sockets.append(socket))
    await one.locator("#chat-tab-whisper").tap()
    await one.locator(f"#chat-to-{seats[1].pk}").tap()
    await say(one, "ないしょ")
    promise = one.locator("[data-chat-unsent]")
    await expect(promise).to_be_visible()
    await one.locator("#chat-tab-main").tap()
    await expect(promise).to_be_visible()
    async with one.expect_popup() as opened:  # such a window begins with a copy of the session's storage
        await one.evaluate("open(location.href)")
    twin = await opened.value
    for page in (one, twin):
        await expect(page.locator("#chat-text")).to_have_value("", timeout=20_000)
        await expect(page.locator("[data-chat-unsent]")).to_be_hidden()
    await open_chat(two)
    await expect(two.locator("#chat_whisper .msg-text")).to_have_text(["ないしょ"])
    await expect(two.locator("#chat_main .msg-text")).to_have_count(0)
    for each in posts.sent:
        assert {**each, "csrfmiddlewaretoken": []} == {**posts.sent[0], "csrfmiddlewaretoken": []}
    assert sockets == [], "only the posts were lost"


async def test_the_pauses_between_two_tries_grow(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("status of|ERR_FAILED")
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    posts = LostPosts({"status": 503}, None)
    await one.route("**/chat/", posts)
    await say(one, "まだかな")
    await expect(one.locator("#chat-text")).to_have_value("", timeout=20_000)
    first, second, third = posts.at
    assert second - first >= 2
    assert third - second >= 4


async def test_a_lost_message_that_its_writer_changes_waits_for_its_writer(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("status of|ERR_FAILED")
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    posts = LostPosts(None)
    await one.route("**/chat/", posts)
    await say(one, "いち")
    await expect(one.locator("[data-chat-unsent]")).to_be_visible()
    await one.locator("#chat-text").fill("いちに")
    await expect(one.locator("[data-chat-unsent]")).to_be_hidden()
    await one.evaluate("dispatchEvent(new Event('online'))")
    await say(one, "いちにさん")
    await expect(one.locator("#chat_main .msg-text")).to_have_text(["いちにさん"])
    assert [each["text"] for each in posts.sent] == [["いち"], ["いちにさん"]]
    assert posts.sent[0]["client_id"] != posts.sent[1]["client_id"]


async def test_a_lost_change_of_a_message_is_sent_again_as_that_change_after_a_reload(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("status of|ERR_FAILED")
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    await say(one, "こんばんは")
    await one.locator("#chat_main .mine [data-message]").tap()
    await one.locator("[data-message-edit]").tap()
    posts = LostPosts({"status": 502})
    await one.route("**/chat/*/", posts)
    await say(one, "おはよう")
    await expect(one.locator("[data-chat-unsent]")).to_be_visible()
    await one.reload()
    await open_chat(one)
    await expect(one.locator("#chat_main .msg-text")).to_have_text(["おはよう"])
    await expect(one.locator("#chat-text")).to_have_value("")


async def test_a_deletion_that_was_lost_says_so_and_sends_no_draft(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("ERR_FAILED")
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    await say(one, "こんばんは")
    await one.locator("#chat_main .mine [data-message]").tap()
    await one.locator("#chat-text").evaluate(
        "(box) => { box.value = '書きかけ'; box.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    await one.route("**/chat/**", LostPosts(None))
    await one.locator("[data-message-delete]").evaluate("(button) => button.click()")
    await one.locator("[data-message-delete]").evaluate("(button) => button.click()")
    await expect(one.locator("[data-chat-refusal]")).to_contain_text("応答がありません")
    await one.evaluate("dispatchEvent(new Event('online'))")
    await expect(one.locator("[data-chat-unsent]")).to_be_hidden()
    await expect(one.locator("#chat-text")).to_have_value("書きかけ")


async def test_a_refused_message_stays_in_its_box_with_the_true_reason(
    server: ThreadServer, phone: Any, table: Table, seats: list[Seat], ayumi: Somebody
) -> None:
    phone.expect("status of")
    one = await phone(server, ayumi, at=table)
    await open_chat(one)
    refusals = {
        500: "サーバーで問題が起きました",
        404: "404",
        403: "もう一度押してください",
        429: "10秒待って",
    }
    posts = LostPosts(*({"status": status} for status in [*refusals, 403, 429]))
    await one.route("**/chat/", posts)
    reason = one.locator("[data-chat-refusal]")
    for words in refusals.values():
        await say(one, "消えない言葉")
        await expect(reason).to_contain_text(words)
        await expect(one.locator("#alert")).to_contain_text(words)
        await expect(one.locator("#chat-text")).to_have_value("消えない言葉")
        await one.evaluate("dispatchEvent(new Event('online'))")

    # The reason of a 403 needs a page with a new token, which comes after the next answer.
    token = one.locator("#chat-form [name=csrfmiddlewaretoken]")
    held, old = asyncio.Event(), await token.input_value()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await one.route(one.url, hold)
    async with one.expect_request(one.url):
        await one.locator(".chat-send").click()
    await one.locator(".chat-send").click()
    await expect(reason).to_contain_text("10秒待って")
    held.set()
    await expect(token).not_to_have_value(old)
    await expect(reason).to_contain_text("10秒待って")
    await expect(one.locator("#alert")).to_contain_text("10秒待って")
    await one.locator(".chat-send").click()
    await expect(one.locator("#chat_main .msg-text")).to_have_text(["消えない言葉"])
    assert len(posts.sent) == len(refusals) + 3, "a refused message waits for its writer"
