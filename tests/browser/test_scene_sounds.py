"""The sounds of a scene: nothing is heard before a tap, and then one goes over into the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.async_api import Page, expect

from sessions.models import Scenario, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioScene
from tests.conftest import Somebody
from tests.servers import ThreadServer

from .conftest import Devices

TONE = Path(__file__).parents[1] / "sessions" / "scenarios" / "files" / "tone.mp3"

#: Notes every way that loudness takes, what is looped and stopped, and the files that are played. The bell of
#: the table's face, which rings as its sounds are turned on, is loud at once.
LISTEN = """
window.fades = [];
window.nodes = [];
window.files = [];
const way = AudioParam.prototype.linearRampToValueAtTime;
AudioParam.prototype.linearRampToValueAtTime = function (to, at) {
  const within = at - window.context.currentTime;
  if (within < 0.1) return way.call(this, to, at);
  window.fades.push({ to, within, from: this.value });
  document.documentElement.dataset.fades = window.fades.length;
  return way.call(this, to, at);
};
const Real = AudioContext;
window.AudioContext = class extends Real {
  constructor() { super(); window.context = this; }
  createBufferSource() {
    const node = super.createBufferSource(), stop = node.stop;
    node.stop = (at) => { node.isStopped = true; stop.call(node, at); };
    window.nodes.push(node);
    return node;
  }
  createMediaElementSource(audio) {
    window.files.push(audio);
    for (const what of ["playing", "pause"])
      audio.addEventListener(what, () => { document.documentElement.dataset.file = what; });
    return super.createMediaElementSource(audio);
  }
};
"""
#: Notes where in a file a page begins, how long the file has been on by then, and how long it is, in seconds.
GOES = """
Object.defineProperty(HTMLMediaElement.prototype, "currentTime", { set(at) {
  window.goes = [at, (Date.now() - document.getElementById("sound").dataset.since) / 1000, this.duration];
  document.documentElement.dataset.goes = "";
} });
"""
STATE = "() => window.context?.state ?? 'none'"


@pytest.fixture
def harbour(gm: Somebody, session: Session) -> Scenario:
    """A scenario of three scenes on tonight's stage: rain, wind with a sound of its own, silence."""
    scenes = [
        ScenarioScene(id="a", ambience="rain"),
        ScenarioScene(id="b", ambience="wind"),
        ScenarioScene(id="c"),
    ]
    scenario = editing.create_scenario(gm.person, Document(title="港", scenes=scenes))
    sound = editing.keep_sound(scenario, SimpleUploadedFile("tone.mp3", TONE.read_bytes()))
    editing.set_media(scenario.pk, "b", "sound", sound.key)
    staging.choose_scenario(session=session, scenario=scenario)
    return scenario


@pytest.fixture
def put_on(session: Session, harbour: Scenario) -> Callable[[str], Any]:
    return lambda scene: database_sync_to_async(staging.show_scene)(session=session, scene_id=scene)


async def fades(page: Page, number: int) -> list[tuple[int, float]]:
    """Return the targets and seconds of volume changes, after waiting for a number of them."""
    await expect(page.locator(f'html[data-fades="{number}"]')).to_be_attached()
    seen = await page.evaluate("window.fades")
    return [(one["to"], round(one["within"], 2)) for one in seen]


async def test_the_table_face_plays_scene_sounds_after_a_tap_and_cross_fades_them(
    server: ThreadServer, laptop: Devices, session: Session, table: Table, put_on: Callable[[str], Any]
) -> None:
    face = await laptop(server, None, viewport={"width": 1920, "height": 1080})
    await face.add_init_script(LISTEN)
    await face.goto(f"/face/{session.face_key}/")
    button = face.locator("[data-sounds]")
    await put_on("a")
    await expect(face.locator("#sound[data-ambience=rain]")).to_be_attached()
    assert await face.evaluate(STATE) == "none"
    await expect(button).to_have_text("音を出す", use_inner_text=True)
    await expect(button).to_have_attribute("aria-pressed", "false")

    await button.click()
    await expect(button).to_have_attribute("aria-pressed", "true")
    assert await face.evaluate(STATE) == "running"
    assert await fades(face, 1) == [(1, 1.5)]
    assert await face.evaluate("window.nodes.map(({ loop, isStopped }) => [loop, !!isStopped])") == [
        [True, False]
    ]

    # The next scene: rain goes, wind and a file come, at the same time.
    await put_on("b")
    assert await fades(face, 4) == [(1, 1.5), (0, 1.5), (1, 1.5), (1, 1.5)]
    assert await face.evaluate("window.nodes.map((node) => !!node.isStopped)") == [True, False]
    await expect(face.locator("html[data-file=playing]")).to_be_attached()
    assert await face.evaluate("window.files[0].loop")

    # It is taken off: nothing is heard any more.
    await put_on("c")
    assert (await fades(face, 6))[4:] == [(0, 1.5), (0, 1.5)]
    await expect(face.locator("html[data-file=pause]")).to_be_attached()
    assert await face.evaluate("window.nodes.every((node) => node.isStopped)")


async def test_a_phone_plays_scene_sounds_only_if_switched_on_and_in_step(
    server: ThreadServer,
    phone: Devices,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    put_on: Callable[[str], Any],
) -> None:
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (one, two):
        await page.add_init_script(LISTEN)
        await page.goto(table.get_absolute_url())
        await page.tap("[data-open=me-sheet]")
        await page.keyboard.press("Escape")
    await one.evaluate("document.getElementById('settings-sheet').showModal()")
    await one.locator("input[data-pref=ambience]").check()
    await one.locator("select[data-pref=volume]").select_option("low")
    await put_on("b")
    await fades(one, 2)
    await expect(two.locator("#sound[data-ambience=wind]")).to_be_attached()
    assert await two.evaluate(STATE) == "none"

    # A page that comes later plays the file from where it has got to by then.
    staged = (await database_sync_to_async(Session.objects.get)(pk=session.pk)).staged
    await database_sync_to_async(Session.objects.filter(pk=session.pk).update)(
        staged=staged | {"since": staged["since"] - 3_600_250}
    )
    await one.add_init_script(GOES)
    await one.reload()
    await expect(one.locator("html[data-goes]")).to_be_attached()
    goes, heard, lasts = await one.evaluate("window.goes")
    behind = (heard - goes) % lasts
    assert min(behind, lasts - behind) < 0.1, (goes, heard, lasts)


async def test_generated_ambience_sounds_differ_and_are_quiet(
    server: ThreadServer, laptop: Devices, session: Session
) -> None:
    page = await laptop(server, None, at=f"/face/{session.face_key}/")
    await page.evaluate("import(document.getElementById('sound').dataset.player)")
    heard = await page.evaluate(
        """() => Object.fromEntries(Ambiences.names.map((name) => {
          const [left] = Ambiences.make(name);
          let peak = 0, power = 0, step = 0;
          left.forEach((sample, at) => {
            peak = Math.max(peak, Math.abs(sample));
            power += sample ** 2;
            if (at) step = Math.max(step, Math.abs(sample - left[at - 1]));
          });
          const seam = Math.abs(left[0] - left.at(-1));
          return [name, { peak, loud: Math.sqrt(power / left.length), step, seam }];
        }))"""
    )
    assert set(heard) == {"rain", "fire", "wind", "train", "crowd", "heartbeat"}
    for name, sound in heard.items():
        assert 0.02 < sound["loud"] < 0.07, name
        assert sound["peak"] <= 0.5, name
        assert sound["seam"] <= sound["step"], f"{name}: its end is heard"
