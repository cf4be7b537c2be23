"""A cut-in, as a GM, two phones and the table's face see it: at the same instant, and without blocking."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image
from playwright.async_api import Page, WebSocketRoute, expect

from companion.files import pictures
from sessions.models import Scenario, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import CutIn, Document, ScenarioScene
from tests.conftest import Somebody
from tests.servers import ThreadServer

from .conftest import Devices

TONE = Path(__file__).parents[1] / "sessions" / "scenarios" / "files" / "tone.mp3"
#: One frame of a screen, in milliseconds.
FRAME = 1000 / 60
#: So many cut-ins are thrown at least.
THROWN = 3
#: So many seconds later something reaches the slowest phone.
SLOW_LINE = 0.4

#: Marks each time that a cut-in comes and goes, by the clock that all pages of this machine share.
NOTE = """
window.cut_ins = [];
document.addEventListener("beforetoggle", ({ target, newState }) => {
  if (target.id !== "cut-in") return;
  const { startTime } = performance.mark(`cut-in ${newState}`);
  const image = target.querySelector("img");
  window.cut_ins.push({
    is: newState,
    at: performance.timeOrigin + startTime,
    words: target.textContent,
    loaded: image ? image.complete && image.naturalWidth > 0 : null,
    moves: target.getAnimations({ subtree: true })
      .flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys),
    focus: document.activeElement.id,
  });
  document.documentElement.dataset.cutIns = window.cut_ins.length;
}, true);
"""


#: Notes of a sound that is started whether it goes on, whether it is the tone, and whether it waits.
STARTS = """
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (at) {
  const started = [this.loop, this.buffer.duration > .5, at > this.context.currentTime];
  document.documentElement.dataset.started = started.join(" ");
  start.call(this, at);
};
"""


@pytest.fixture
def throw(gm: Somebody, session: Session) -> Callable[[str], Any]:
    """Throws a cut-in of tonight's scenario: ``words``, ``picture``."""
    cut_ins = [CutIn(id="words", words="待て！"), CutIn(id="picture", words="灯が消える")]
    scene = ScenarioScene(id="a", cut_ins=cut_ins)
    scenario = editing.create_scenario(gm.person, Document(title="港", scenes=[scene]))
    drawn = io.BytesIO()
    Image.new("RGB", (320, 180), "teal").save(drawn, "PNG")
    editing.set_picture(scenario, "picture", pictures.rewritten(drawn.getvalue(), pictures.SCENE))
    staging.choose_scenario(session=session, scenario=scenario)

    def thrown(cut_in: str) -> None:
        cache.clear()
        staging.show_cut_in(session=session, cut_in_id=cut_in)

    return database_sync_to_async(thrown)


async def seen(page: Page, number: int) -> list[dict[str, Any]]:
    """Return the cut-ins that came and went on a page, after waiting for a number of them."""
    await expect(page.locator(f'html[data-cut-ins="{number}"]')).to_be_attached()
    notes: list[dict[str, Any]] = await page.evaluate("window.cut_ins")
    return notes


def slow(page: WebSocketRoute) -> None:
    """A line on which a cut-in comes late."""
    server = page.connect_to_server()

    def passed_on(text: str | bytes) -> None:
        late = SLOW_LINE if str(text).startswith('{"thrown"') else 0
        asyncio.get_running_loop().call_later(late, page.send, text)

    server.on_message(passed_on)


async def opened(page: Page, address: str) -> None:
    await page.add_init_script(NOTE)
    await page.goto(address)
    await expect(page.locator("#connection")).to_have_attribute("data-state", "on")


async def test_all_see_a_cut_in_at_the_same_instant_and_nothing_of_it_before(
    server: ThreadServer,
    phone: Devices,
    laptop: Devices,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    throw: Callable[[str], Any],
) -> None:
    one, two = await phone(server, ayumi), await phone(server, bo)
    await two.route_web_socket(re.compile("/ws/"), slow)
    face = await laptop(server, None, viewport={"width": 1920, "height": 1080})
    asked: list[str] = []
    for page in (one, two, face):
        page.on("request", lambda request: asked.append(request.url))
    await opened(one, table.get_absolute_url())
    await opened(two, session.get_absolute_url())
    await opened(face, f"/face/{session.face_key}/")
    for page in (one, two, face):
        # Whoever has just come knows the clock by an answer from a busy time; the next one is better.
        await page.evaluate(
            "new Promise((go) => document.addEventListener('takujo:clock', go, { once: true }))"
        )
    assert not any("/pictures/" in url for url in asked)

    # A busy machine may keep a page waiting for its processor now and then.
    apart: list[float] = []
    while len(apart) < THROWN or (min(apart) >= FRAME and len(apart) < 5 * THROWN):
        await throw("picture")
        notes = [await seen(page, 2 + 2 * len(apart)) for page in (one, two, face)]
        came = [note[2 * len(apart)]["at"] for note in notes]
        apart.append(max(came) - min(came))
    assert min(apart) < FRAME, apart
    assert median(apart) < SLOW_LINE * 1000, apart
    for note in notes:
        assert [each["is"] for each in note] == ["open", "closed"] * len(apart)
        assert note[0]["words"] == "灯が消える"
        assert note[0]["loaded"], "the picture had time to come"
        stood = [gone["at"] - came["at"] for came, gone in zip(note[::2], note[1::2], strict=True)]
        assert 1400 < median(stood) < 2500, stood
        assert {"transform", "opacity"} <= set(note[1]["moves"])
        assert not {"left", "top", "filter", "clipPath"} & set(note[1]["moves"])
    assert sum("/pictures/" in url for url in asked) >= 3
    await expect(one.locator("#say")).to_have_text("灯が消える")

    # Who comes later has missed it.
    await two.reload()
    await expect(two.locator("#connection")).to_have_attribute("data-state", "on")
    await throw("words")
    assert [each["words"] for each in await seen(two, 2)] == ["待て！", "待て！"]


async def test_a_cut_in_leaves_focus_alone_and_a_tap_only_closes_it(
    server: ThreadServer,
    phone: Devices,
    laptop: Devices,
    session: Session,
    table: Table,
    ayumi: Somebody,
    throw: Callable[[str], Any],
) -> None:
    one, calm = await phone(server, ayumi), await laptop(server, None, reduced_motion="reduce")
    await opened(one, table.get_absolute_url())
    await opened(calm, f"/face/{session.face_key}/")
    box = one.locator("#cut-in")

    # It lies above an open sheet, and whoever writes goes on writing.
    await one.tap("[data-open=chat-sheet]")
    text = one.locator("#chat-sheet textarea").first
    await text.focus()
    focused = await one.evaluate("document.activeElement.id")
    await throw("words")
    await expect(box).to_be_visible()
    note = (await seen(one, 1))[0]
    assert note["focus"] == focused != ""
    await expect(text).to_be_focused()
    calm_notes = await seen(calm, 2)
    assert calm_notes[1]["moves"] == [], "nothing slides where that is not wanted"
    await seen(one, 2)

    # A tap puts it away, and does nothing to what lies under it.
    await one.keyboard.press("Escape")
    await expect(one.locator("#chat-sheet")).to_be_hidden()
    await one.evaluate(
        """document.addEventListener("click", ({ target }) => {
          window.pressed = target.closest("button")?.dataset.open;
        })"""
    )
    button = await one.locator("[data-open=me-sheet]").first.bounding_box()
    assert button
    await throw("words")
    await expect(box).to_be_visible()
    await one.touchscreen.tap(button["x"] + button["width"] / 2, button["y"] + button["height"] / 2)
    await expect(box).to_be_hidden()
    notes = await seen(one, 4)
    assert notes[3]["at"] - notes[2]["at"] < 1500
    assert await one.evaluate("window.pressed") is None
    await expect(one.locator("#me-sheet")).to_be_hidden()


async def test_a_short_sound_plays_once_on_pages_with_sounds_switched_on(
    server: ThreadServer, laptop: Devices, session: Session, throw: Callable[[str], Any]
) -> None:
    scenario = await database_sync_to_async(Scenario.objects.get)()
    upload = SimpleUploadedFile("tone.mp3", TONE.read_bytes())
    sound = await database_sync_to_async(editing.keep_sound)(scenario, upload)
    face, mute = await laptop(server, None), await laptop(server, None)
    for page in (face, mute):
        await page.add_init_script(STARTS)
        await opened(page, f"/face/{session.face_key}/")
    await face.click("[data-sounds]")
    await face.evaluate("import(document.getElementById('sound').dataset.player)")  # once it has come
    await database_sync_to_async(staging.play_once)(session=session, key=sound.key)
    await expect(face.locator("html")).to_have_attribute("data-started", "false true true")
    await expect(mute.locator("html")).not_to_have_attribute("data-started", "false true true")
    await expect(face.locator("#cut-in")).to_be_hidden()
