"""Copying a piece as it works on every phone: on plain http by hand, in a secure context by the clipboard."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import expect

from characters.exchange.plain import PlainItem, PlainSheet
from characters.models import Character
from characters.services.exchange import import_character

COPIED = "クリップボードにコピーしました。ココフォリアにペーストすることでデータを取り込めます"
COPY = "ココフォリア用コマデータ（クリップボードへコピー）"
SHEET = PlainSheet(
    "朔 & <b>\"'", hp=3, hp_max=4, suits="h", skills=("剣術",), items=(PlainItem("weapon", "脇差", 3),)
)


@pytest.fixture
def saku(transactional_db: None, ayumi: Any) -> Character:
    return import_character(owner=ayumi.person, sheet=SHEET)


async def selected(page: Any) -> str:
    """The selection in the field that has the focus."""
    return await page.evaluate(
        "() => (at => at.value?.slice(at.selectionStart, at.selectionEnd) ?? '')(document.activeElement)"
    )


async def secure(kind: Any, server: Any, who: Any) -> tuple[Any, str]:
    """Return a page on localhost, which is a secure context, and its origin."""
    kind.expect("leaves the host")
    page = await kind(server, who)
    home = f"http://localhost:{server.port}"
    cookies = [{"name": name, "value": value, "url": home} for name, value in who.cookies.items()]
    await page.context.add_cookies(cookies)
    return page, home


async def test_on_plain_http_a_characters_data_is_copied_and_shown_selected(
    server: Any, phone: Any, ayumi: Any, saku: Character
) -> None:
    page = await phone(server, ayumi, at=saku)
    assert await page.evaluate("isSecureContext") is False
    await page.get_by_role("button", name=COPY).tap()
    await expect(page.get_by_label("長押ししてコピー")).to_be_visible()
    await expect(page.get_by_text(COPIED)).to_be_visible()
    assert json.loads(await selected(page))["data"]["name"] == SHEET.name
    assert await page.get_by_role("button", name="共有").is_hidden(), "there is no sharing on plain http"
    # The paste must equal the copy.
    await page.goto("/characters/bring/")
    await page.get_by_label("コマのデータか、シートのURLを貼り付け").focus()
    await page.keyboard.press("Control+V")
    assert (
        json.loads(await page.get_by_label("コマのデータか、シートのURLを貼り付け").input_value())["kind"]
        == "character"
    )
    await page.get_by_role("button", name="内容を確認する").tap()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(SHEET.name)
    await page.get_by_role("button", name="このキャラクターを取り込む").tap()
    await expect(page.get_by_role("heading", level=1)).to_have_text(SHEET.name)


async def test_without_a_clipboard_the_text_is_shown_for_a_long_press(
    server: Any, phone: Any, ayumi: Any, saku: Character
) -> None:
    page = await phone(server, ayumi)
    await page.add_init_script("document.execCommand = () => false")
    await page.goto(saku.get_absolute_url())
    await page.get_by_role("button", name=COPY).tap()
    await expect(page.locator("#exports [role=status]")).to_have_text("長押ししてコピー")
    await expect(page.get_by_text(COPIED)).to_be_hidden()
    assert json.loads(await selected(page))["kind"] == "character"


async def test_on_https_a_characters_data_is_copied_to_the_clipboard(
    server: Any, laptop: Any, ayumi: Any, saku: Character
) -> None:
    page, home = await secure(laptop, server, ayumi)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=home)
    await page.add_init_script("document.execCommand = () => { throw new Error('not needed'); }")
    # This device keeps no copies, which are fetched whenever there is time.
    await page.add_init_script("localStorage.setItem('keep', 'off')")
    await page.goto(home + saku.get_absolute_url())
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if r.resource_type in ("fetch", "xhr") else None)
    await page.get_by_role("button", name=COPY).click()
    await expect(page.get_by_text(COPIED)).to_be_visible()
    assert json.loads(await page.evaluate("navigator.clipboard.readText()"))["data"]["name"] == SHEET.name
    await expect(page.get_by_label("長押ししてコピー")).to_be_hidden()
    assert [url for url in asked if not url.endswith("/kept/")] == [], "a fetch would lose the tap on iOS"


async def test_the_clipboard_is_written_while_the_tap_lasts(
    server: Any, laptop: Any, ayumi: Any, saku: Character
) -> None:
    page, home = await secure(laptop, server, ayumi)
    await page.goto(home + saku.get_absolute_url())
    written = await page.evaluate(
        """() => {
          let item = null;
          navigator.clipboard.write = (items) => { item = items[0]; return new Promise(() => {}); };
          document.querySelector("[data-copy]").click();
          return item && item.types;
        }"""
    )
    assert written == ["text/plain"]


async def test_a_refused_clipboard_shows_the_text_for_a_long_press(
    server: Any, laptop: Any, ayumi: Any, saku: Character
) -> None:
    page, home = await secure(laptop, server, ayumi)
    await page.add_init_script(
        "navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError'));"
        "document.execCommand = () => false"
    )
    await page.goto(home + saku.get_absolute_url())
    await page.get_by_role("button", name=COPY).click()
    await expect(page.get_by_label("長押ししてコピー")).to_be_visible()
    assert json.loads(await selected(page))["kind"] == "character"


async def test_a_phone_that_can_share_is_offered_to_share_a_character(
    server: Any, phone: Any, ayumi: Any, saku: Character
) -> None:
    page, home = await secure(phone, server, ayumi)
    await page.add_init_script(
        "navigator.share = (what) => { window.shared = what.text; return Promise.resolve(); }"
    )
    await page.goto(home + saku.get_absolute_url())
    await page.get_by_text("コマデータをテキストで表示").tap()
    await page.get_by_role("button", name="共有").tap()
    assert json.loads(await page.evaluate("shared"))["kind"] == "character"


async def test_a_paste_anywhere_on_the_page_lands_in_its_field(server: Any, laptop: Any, bo: Any) -> None:
    page = await laptop(server, bo, at="/characters/bring/")
    await page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "{}");
          const paste = { clipboardData: data, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new ClipboardEvent("paste", paste));
        }"""
    )
    assert await page.get_by_label("コマのデータか、シートのURLを貼り付け").input_value() == "{}"
