"""Answers that are none: the form, its words and its button stay, and the page says what happened."""

from __future__ import annotations

import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.urls import resolve, reverse
from playwright.async_api import Page, Route, expect

from characters.services import drafts, experience
from sessions.table import log
from tests.browser.test_pasted_scenario import PAGE
from tests.characters.conftest import TWELVE
from tests.conftest import Somebody
from tests.guards.world import World, lay_out
from tests.servers import ROOT, ThreadServer

LOST, AGAIN = "応答がありません", "もう一度押してください"
Answer = tuple[int | None, dict[str, Any], str]
#: What answers and the words that must be in the sentence; without a status, nothing comes.
ANSWERS: list[Answer] = [
    (403, {"body": "<h1>Forbidden</h1>"}, AGAIN),
    (429, {"body": "…", "headers": {"Retry-After": "40"}}, "40秒"),
    (500, {"body": "<button>500</button>"}, "サーバーで問題が起きました"),
    (503, {"body": "503"}, "サーバーで問題が起きました"),
    (None, {}, LOST),
    (404, {"body": '<section id="read"></section>'}, "404"),
    (413, {"body": ""}, "413"),
    (422, {"json": {"reason": "入りきりません。"}}, "入りきりません。"),
    (429, {"body": "<p data-problem>十秒後にどうぞ。</p>", "content_type": "text/html"}, "十秒後にどうぞ。"),
    (502, {"body": ""}, "サーバーで問題が起きました"),
]
ASKS = "[hx-post], [hx-get]"
ADDRESSES = 'all => all.map(one => one.getAttribute("hx-post") ?? one.getAttribute("hx-get"))'
PRESS = "(one) => (one.matches('form') ? one.querySelector('button:enabled') : one).click()"
#: The form or the button, what its answer would take the place of, and everything that was typed.
SEEN = """(one) => {
  const target = one.getAttribute("hx-target") ?? "";
  const stays = target[0] === "#" ? document.querySelector(target) : one, copy = stays.cloneNode(true);
  for (const each of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["class", "style", "data-htmx-powered"]) each.removeAttribute(name);
    if (each.name === "csrfmiddlewaretoken") each.remove();
  }
  const typed = [...document.querySelectorAll("textarea")].map((field) => field.value);
  return [one.isConnected, copy.outerHTML, typed, stays.querySelectorAll(":disabled").length];
}"""


def asked_for() -> set[str]:
    """Return the names of the addresses that templates ask by htmx; "" is an older or newer page of a log."""
    found = set()
    for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("characters/templates/**/*.html")]:
        text = path.read_text("utf-8")
        for there in re.findall(r'hx-(?:post|get)="([^"{]*{% url "[^"]+"|[^"]+)', text):
            if "there" in there:
                found |= set(re.findall(r"""{% url ["']([\w:-]+)["'] [^}]* as there %}""", text))
            else:
                found.add("".join(re.findall(r'{% url "([\w:-]+)', there)))
    return found


def pages_that_ask(world: World) -> list[tuple[str, str]]:
    """Return pages on which each of them is asked for, and who has them."""
    draft = drafts.start_draft(owner=world.people["player"], method="twelve", name="朔")
    draft.creation.draws.create(number=0, cards=TWELVE)
    drafts.keep(character=draft)
    experience.tick_experience(checklist=world.checklist, key="took-part")
    return [
        ("player", reverse("characters:sheet", args=[world.character.pk])),
        ("player", reverse("characters:create-spend", args=[draft.pk])),
        ("player", world.ended.get_absolute_url()),
        ("gm", world.ended.get_absolute_url()),
        ("gm", reverse("play:log", args=[world.table.pk])),
        ("gm", PAGE),
    ]


async def test_a_form_stays_on_the_page_whatever_the_server_answers(
    server: ThreadServer, laptop: Any, reference_rows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "PAGE", 1)
    laptop.expect("status of|ERR_FAILED|htmx:")
    world = await database_sync_to_async(lay_out)()
    pages = await database_sync_to_async(pages_that_ask)(world)
    devices = {
        role: await laptop(server, Somebody(world.people[role], world.clients[role])) for role, _ in pages
    }
    seen = set()
    for role, path in pages:
        page = devices[role]
        await page.goto(path)
        if path == PAGE:
            await page.locator("#paste textarea").fill("■第1章\n長い文章")
        for at, address in enumerate(await page.locator(ASKS).evaluate_all(ADDRESSES)):
            name = "" if address.startswith("?") else resolve(address).view_name
            if name not in seen:
                await stays_whatever_comes(page, at, ANSWERS if path == PAGE else ANSWERS[:5])
            seen.add(name)
    assert seen == asked_for()


async def stays_whatever_comes(page: Page, at: int, answers: list[Answer]) -> None:
    asks, problem = page.locator(ASKS).nth(at), page.locator("#problem")
    before = await asks.evaluate(SEEN)
    for status, answer, words in answers:

        async def come(route: Route, *, status: int | None = status, answer: Any = answer) -> None:
            if route.request.headers.get("hx-request") is None:
                await route.fallback()
            elif status is None:
                await route.abort()
            else:
                await route.fulfill(status=status, **answer)

        await page.route("**/*", come)
        await asks.evaluate(PRESS)
        await expect(problem, f"{page.url} {status}").to_contain_text(words)
        await expect(problem).to_be_visible()
        assert await asks.evaluate(SEEN) == before, (page.url, status)
        await page.unroute("**/*", come)
        await problem.get_by_role("button").click()
        await expect(problem).to_be_hidden()


@pytest.fixture
def text() -> str:
    return "■第1章\n◆第1話\n長い文章"


async def test_a_form_with_an_old_csrf_token_is_accepted_at_the_second_press(
    server: ThreadServer, phone: Any, gm: Somebody, text: str
) -> None:
    phone.expect("403")
    page = await phone(server, gm, at=PAGE)
    box, look = page.locator("#paste textarea"), page.get_by_role("button", name="内容を確認する")
    await box.fill(text)
    await page.context.clear_cookies(name="csrftoken")
    await look.click()
    await expect(page.locator("#problem")).to_contain_text("サインインが変わったか")
    await expect(box).to_have_value(text)
    await look.click()
    await expect(page.locator("#read li").first).to_be_visible()
    await expect(page.locator("#problem")).to_be_hidden()
    await expect(box).to_have_value(text)


async def test_typed_text_stays_on_the_page_after_a_sign_out(
    server: ThreadServer, phone: Any, gm: Somebody, text: str
) -> None:
    page = await phone(server, gm, at=PAGE)
    box, look = page.locator("#paste textarea"), page.get_by_role("button", name="内容を確認する")
    await box.fill(text)
    await page.context.clear_cookies(name="sessionid")
    await look.click()
    await expect(page.locator("#problem")).to_contain_text("このページからはもう送信できません")
    await expect(box).to_have_value(text)
    await expect(look).to_be_visible()
