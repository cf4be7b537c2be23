"""Phones and laptops: contexts of one Chromium, on plain http under a name that is not localhost, as at home.

A test here is an ``async def`` that asks for ``phone`` or ``laptop``; markers and loop come by themselves::

    async def test_two_phones(server, phone, ayumi, bo):
        one, two = await phone(server, ayumi), await phone(server, bo, at="/")

Whatever a page complains of (console errors, uncaught exceptions, failed requests, requests to other hosts)
fails its test at the end; a test that means to provoke complaints names them: ``ports.expect("503")``.
Database calls belong in fixtures, or in ``database_sync_to_async``.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from django.shortcuts import resolve_url
from playwright.async_api import Browser, Page, Playwright, async_playwright, expect

from tests.conftest import Somebody
from tests.servers import LAN_NAME, Addresses, program

#: Chromium heeds the last such list alone, so this one begins with what Playwright itself turns off. The
#: last three are pages behind the address bar: every window prepares two, and they cost as much as itself.
TURNED_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,"
    "PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={TURNED_OFF}",
    f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1",
]

#: The shell draws as the whole browser does, for less of the processor; it has no notifications.
SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome")

#: Tests tap cards: their devices never cover the hand, unless they are asked to, ``phone(…, covers=True)``.
NEVER_COVERS = "try { localStorage.cover ??= 'off' } catch { /* no page yet */ }"

#: A page takes no second press right after one (hand.js, base.js): people are slower, tests are not.
TOO_SOON = ("#table.just-sent", ":root.just-tapped")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright lives in one event loop, and the server's thread needs committed rows."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))
            if item.get_closest_marker("asyncio"):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def playwright() -> AsyncIterator[Playwright]:
    # Patience costs nothing where all is well; a busy machine needs more than the usual five seconds.
    expect.set_options(timeout=40_000)
    async with async_playwright() as playwright:
        yield playwright


async def launched(playwright: Playwright, *programs: str) -> Browser:
    return await playwright.chromium.launch(executable_path=program(*programs), args=ARGUMENTS)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(playwright: Playwright) -> AsyncIterator[Browser]:
    """One Chromium for the whole run."""
    async with await launched(playwright, SHELL, *WHOLE) as browser:
        yield browser


class Devices:
    """Makes devices of one kind: ``page = await phone(server, who)``."""

    def __init__(self, browser: Browser, **kind: Any) -> None:
        self._browser, self._kind = browser, kind
        self._pages: list[Page] = []
        self._expected: list[str] = []
        self.complaints: list[str] = []

    def expect(self, pattern: str) -> None:
        """Let complaints that match this pattern pass."""
        self._expected.append(pattern)

    async def __call__(
        self,
        server: Addresses,
        who: Somebody | None = None,
        *,
        at: Any = None,
        patient: bool = True,
        covers: bool = False,
        **kind: Any,
    ) -> Page:
        """Return a page of a new device, of ``who`` or of a stranger. Addresses in ``goto`` may be paths.

        :param at: what the page has opened: a path, or the table, session or sheet that has one.
        """
        context = await self._browser.new_context(**{"base_url": server.lan_url, **self._kind, **kind})
        context.set_default_timeout(40_000)
        if not covers:
            await context.add_init_script(NEVER_COVERS)
        if who:
            await context.add_cookies(
                [{"name": name, "value": value, "url": server.lan_url} for name, value in who.cookies.items()]
            )
        page = await context.new_page()
        if patient:
            for moment in TOO_SOON:
                await page.add_locator_handler(page.locator(moment), lambda _: None)
        self._listen(page, server)
        self._pages.append(page)
        if at is not None:
            await page.goto(resolve_url(at))
        return page

    def _listen(self, page: Page, server: Addresses) -> None:
        def complain(text: str) -> None:
            if not any(re.search(pattern, text) for pattern in self._expected):
                self.complaints.append(text)

        def request(url: str) -> None:
            if (
                url.startswith(("http:", "https:", "ws:", "wss:"))
                and f"//{LAN_NAME}:{server.port}/" not in url
            ):
                complain(f"leaves the host: {url}")

        page.on(
            "console",
            lambda m: complain(f"console: {m.text} ({m.location.get('url')})") if m.type == "error" else None,
        )
        page.on("pageerror", lambda error: complain(f"script: {error}"))
        page.on("request", lambda r: request(r.url))
        page.on("websocket", lambda ws: request(ws.url))
        # Leaving a page aborts what it was loading.
        page.on(
            "requestfailed",
            lambda r: (
                None if "ERR_ABORTED" in (r.failure or "") else complain(f"failed: {r.url} {r.failure}")
            ),
        )

    async def put_away(self) -> None:
        """Close all devices and fail on their complaints."""
        for page in self._pages:
            await page.context.close()
        assert self.complaints == []


#: In Good Cop a page passes at once where its player does not want to be asked.
ASKED_EACH_TIME = "localStorage.setItem('wants', 'each')"

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "ja-JP",
    "timezone_id": "Asia/Tokyo",
}


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser) -> AsyncIterator[Devices]:
    """Phones, 390 by 844, Japanese: ``page = await phone(server, ayumi)``."""
    devices = Devices(browser, **PHONE)
    yield devices
    await devices.put_away()


@pytest_asyncio.fixture(loop_scope="session")
async def notified_phone(playwright: Playwright) -> AsyncIterator[Devices]:
    """The same in a browser that has notifications."""
    async with await launched(playwright, *WHOLE) as browser:
        devices = Devices(browser, **PHONE)
        yield devices
        await devices.put_away()


@pytest_asyncio.fixture(loop_scope="session")
async def laptop(browser: Browser) -> AsyncIterator[Devices]:
    """Laptops, 1280 by 800, Japanese: ``page = await laptop(server, gm)``."""
    devices = Devices(
        browser, viewport={"width": 1280, "height": 800}, locale="ja-JP", timezone_id="Asia/Tokyo"
    )
    yield devices
    await devices.put_away()
