"""Passkeys with a real browser and an authenticator that Chromium plays."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, expect

from tests.conftest import Somebody
from tests.servers import ThreadServer


async def at_this_machine(laptop: Any, server: ThreadServer, who: Somebody) -> Page:
    """A browser on the serving machine itself, where passkeys work without https, with an authenticator."""
    # The fixture counts every other host as leaving home.
    laptop.expect(r"leaves the host: http://localhost:")
    page: Page = await laptop(server, who, base_url=f"http://localhost:{server.port}")
    cookies = [{"name": n, "value": v, "domain": "localhost", "path": "/"} for n, v in who.cookies.items()]
    await page.context.add_cookies(cookies)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


async def test_a_passkey_is_added_named_used_and_removed(
    server: ThreadServer, laptop: Any, ayumi: Somebody
) -> None:
    page = await at_this_machine(laptop, server, ayumi)
    await page.goto("/account/")
    await page.get_by_role("link", name="パスキーを加える").click()
    await page.get_by_label("パスワード").fill("ayumi")
    await page.get_by_role("button", name="進む").click()
    await page.get_by_label("パスキーの呼び名").fill("うちの電話")
    await page.get_by_role("button", name="パスキーを加える").click()
    await expect(page.get_by_text("うちの電話")).to_be_visible()

    await page.get_by_role("button", name="この端末からサインアウトする").click()
    await expect(page).to_have_url(f"http://localhost:{server.port}/")
    await page.goto("/account/sign-in/?next=/characters/")
    await page.get_by_role("button", name="パスキーでサインイン").click()
    await expect(page).to_have_url(f"http://localhost:{server.port}/characters/")
    await page.goto("/account/")
    await expect(page.get_by_text("最後に使った日")).to_be_visible()

    await page.get_by_role("link", name="うちの電話を外す").click()
    await page.get_by_label("パスワード").fill("ayumi")
    await page.get_by_role("button", name="進む").click()
    await page.get_by_role("button", name="外す").click()
    await expect(page.get_by_text("うちの電話")).to_have_count(0)


async def test_a_password_alone_still_opens_an_account_with_passkeys(
    server: ThreadServer, laptop: Any, phone: Any, ayumi: Somebody
) -> None:
    """Passkeys made on the serving machine do not work on the phones around it: the password must."""
    page = await at_this_machine(laptop, server, ayumi)
    await page.goto("/account/passkeys/add/")
    await page.get_by_label("パスワード").fill("ayumi")
    await page.get_by_role("button", name="進む").click()
    await page.get_by_role("button", name="パスキーを加える").click()
    await expect(page).to_have_url(f"http://localhost:{server.port}/account/")
    one = await phone(server, at="/account/sign-in/?next=/account/")
    await expect(one.get_by_role("button", name="パスキーでサインイン")).to_have_count(0)
    await one.get_by_label("アカウント名").fill("Ayumi")
    await one.get_by_label("パスワード").fill("ayumi")
    await one.get_by_role("button", name="サインイン").click()
    await expect(one.get_by_text("パスキー 1")).to_be_visible()


async def test_a_dismissed_passkey_shows_how_else_to_sign_in(
    server: ThreadServer, laptop: Any, kei: Somebody
) -> None:
    page = await at_this_machine(laptop, server, kei)
    await page.goto("/account/sign-in/")
    await page.evaluate("() => { navigator.credentials.get = () => Promise.reject(new Error('dismissed')); }")
    await page.get_by_role("button", name="パスキーでサインイン").click()
    await expect(page.get_by_role("alert").get_by_text("読み取れませんでした")).to_be_visible()
