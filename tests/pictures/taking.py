"""The pictures: screens of the evening, and three of them side by side while a check is made."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management import call_command
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.pages.home_screen import GROUND as ICON_GROUND
from companion.pages.home_screen import ICONS
from sessions.scenarios import shipped
from tests.conftest import Somebody
from tests.pictures.laid_out import DEED, NAMES, Evening, lay_out
from tests.servers import LAN_NAME, ROOT, ThreadServer, program

DESK, PHONE, FACE = (
    {"width": 1280, "height": 800},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)
QUALITY = 78
#: The animation: the height of its screens, the room between, the colour behind, how long each step is shown.
HEIGHT, GAP, GROUND, SECONDS = 400, 12, "#0b1814", (1.4, 1.4, 1.6, 1.8, 2.4, 2.0)
#: The hand lies open, and a moment of the game stays at the place where its word can be read, until the
#: page is loaded anew.
STAYS = """
  localStorage.cover = "off";
  const later = window.setTimeout;
  window.setTimeout = (f, time, ...more) => (time === 1200 ? 0 : later(f, time, ...more));
  document.addEventListener("takujo:moment", () => {
    document.getElementById("table").offsetWidth;
    for (const one of document.getAnimations()) { one.pause(); one.currentTime = 900; }
  });
"""


def take(folder: Path, animation: Path) -> None:
    """Take all pictures again: those of the help by language, and the animation in the first one."""
    call_command("migrate", verbosity=0)
    call_command("compile_catalogues", verbosity=0)
    evenings = {language: lay_out(language) for language in NAMES}
    server = ThreadServer()
    server.start()
    try:
        with sync_playwright() as playwright:
            arguments = ["--no-sandbox", f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"]
            chromium = program("chromium", "chromium-browser", "google-chrome")
            browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
            draw_icons(browser)
            draw_scenarios(browser)
            for language, evening in evenings.items():
                studio = Studio(browser, server.lan_url, language)
                studio.before(evening)
                studio.check(evening, DEED[language])
                studio.write(folder / language)
                if language == "ja":
                    animate(studio.steps, animation)
            browser.close()
    finally:
        server.stop()


def draw_icons(browser: Browser) -> None:
    """Draw the icons of the home screen; a phone cuts a maskable one to a shape of its own."""
    folder = ROOT / "static" / "img"
    mark = (folder / "favicon.svg").read_text("utf-8")
    for name, size, purpose in ICONS:
        page = browser.new_page(viewport={"width": size, "height": size})
        drawn = mark.replace('rx="14"', 'rx="0"') if purpose == "maskable" else mark
        inner = round(size * 0.8) if purpose == "maskable" else size
        page.set_content(
            f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center }}"
            f"svg {{ width: {inner}px }}</style>{drawn}"
        )
        if purpose == "maskable":
            page.add_style_tag(content=f"body {{ background: {ICON_GROUND} }}")
        page.screenshot(path=folder / f"{name}.png", omit_background=True)
        page.close()


def draw_scenarios(browser: Browser) -> None:
    """Draw the pictures of the scenarios that come with Takujō."""
    for drawing in shipped.FOLDER.glob("*/*.svg"):
        page = browser.new_page(viewport={"width": 1600, "height": 900})
        page.set_content(f"<body style='margin: 0'>{drawing.read_text('utf-8')}")
        _image(page.screenshot()).save(drawing.with_suffix(".webp"), quality=QUALITY, method=6)
        page.close()


@dataclass
class Studio:
    """Devices of one language, and what they showed."""

    browser: Browser
    url: str
    language: str
    pictures: dict[str, bytes] = field(default_factory=dict)
    steps: list[list[bytes]] = field(default_factory=list)

    def device(self, who: Somebody | None, size: dict[str, int], scheme: str = "dark") -> Page:
        small = size["width"] < 600
        context = self.browser.new_context(
            base_url=self.url,
            viewport={"width": size["width"], "height": size["height"]},
            device_scale_factor=1.5 if small else 1,
            has_touch=small,
            is_mobile=small,
            locale={"ja": "ja-JP", "en": "en-GB"}[self.language],
            timezone_id="Asia/Tokyo",
            color_scheme="light" if scheme == "light" else "dark",
        )
        cookies = who.cookies if who else {}
        context.add_cookies(
            [{"name": name, "value": value, "url": self.url} for name, value in cookies.items()]
        )
        page = context.new_page()
        page.add_init_script(STAYS)
        return page

    def before(self, evening: Evening) -> None:
        """The desk at which a GM begins, and the lobby."""
        desk = self.device(evening.beginner, DESK, "light")
        desk.goto("/gm/")
        desk.locator("[name=name]").fill(evening.lobby.campaign.name)  # type: ignore[union-attr]
        self.pictures["desk-open"] = desk.screenshot()
        lobby = self.device(evening.gm, DESK, "light")
        for player in evening.players:
            self.device(player, PHONE).goto(evening.lobby.get_absolute_url())
        lobby.goto(evening.lobby.get_absolute_url())
        expect(lobby.locator(".lobby-gm .presence[data-state=here]").nth(1)).to_be_attached()
        self.pictures["desk-lobby"] = lobby.screenshot()

    def check(self, evening: Evening, deed: str) -> None:
        """A check from its call to its verdict, at the desk, on a phone and on the table's face."""
        address = evening.table.get_absolute_url()
        desk, one, two = (
            self.device(evening.gm, DESK),
            *(self.device(each, PHONE) for each in evening.players),
        )
        face = self.device(None, FACE)
        for page in (desk, one, two):
            page.goto(address)
            expect(page.locator("#connection[data-state=on]")).to_be_attached()
        face.goto(f"/face/{evening.table.session.face_key}/")
        screens = (desk, one, face)

        def step() -> None:
            self.steps.append([page.screenshot() for page in screens])

        expect(one.locator("[data-hand] > li")).to_have_count(4)
        step()
        desk.locator('#call label:has([name=difficulty][value="2"])').click()
        desk.locator("#call label:has([name=seat][value=p1])").click()
        desk.locator("#call [name=label]").fill(deed)
        self.pictures["desk-table"] = desk.screenshot()
        step()
        desk.locator("#call button.primary").click()
        expect(one.locator("#prompt.asked")).to_be_visible()
        step()
        one.locator('[data-card="h12"]').tap()
        expect(one.locator("#commit")).to_be_enabled()
        self.pictures["phone-check"] = one.screenshot()
        step()
        one.locator("#commit").tap()
        for page in screens:
            expect(page.locator(".is-moment .verdict-word").first).to_be_visible()
        self.pictures["phone-verdict"] = one.screenshot()
        step()
        for page in screens:
            page.reload()
            expect(page.locator("#table")).to_be_visible()
        step()

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, shot in self.pictures.items():
            _image(shot).save(folder / f"{name}.webp", quality=QUALITY, method=6)


def animate(steps: list[list[bytes]], file: Path) -> None:
    """Write the steps of a check as an animation of screens side by side."""
    frames = [_side_by_side([_image(shot) for shot in shots]) for shots in steps]
    frames[0].save(
        file,
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000 * seconds) for seconds in SECONDS],
        loop=0,
        quality=QUALITY,
        method=6,
    )


def _side_by_side(screens: list[Image.Image]) -> Image.Image:
    scaled = [
        screen.resize((round(screen.width * HEIGHT / screen.height), HEIGHT), Image.Resampling.LANCZOS)
        for screen in screens
    ]
    width = sum(screen.width for screen in scaled) + GAP * (len(scaled) + 1)
    whole = Image.new("RGB", (width, HEIGHT + 2 * GAP), GROUND)
    left = GAP
    for screen in scaled:
        whole.paste(screen, (left, GAP))
        left += screen.width + GAP
    return whole


def _image(shot: bytes) -> Image.Image:
    return Image.open(io.BytesIO(shot)).convert("RGB")
