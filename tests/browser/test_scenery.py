"""A picture goes out with a letter and as the scene, from the GM's desk."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, expect

from sessions.models import Session, Table
from tests.conftest import Somebody
from tests.servers import ThreadServer

from .conftest import Devices

SIDE = 300


async def shows(picture: Locator) -> None:
    """Wait until a picture has come and is seen."""
    await expect(picture).to_be_visible()
    await expect(picture).to_have_js_property("naturalWidth", SIDE)


async def test_a_picture_is_shown_with_a_handout_and_as_the_scene(
    server: ThreadServer,
    laptop: Devices,
    phone: Devices,
    session: Session,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    tmp_path: Path,
) -> None:
    picture = tmp_path / "map.png"
    Image.new("RGB", (SIDE, SIDE), "teal").save(picture)
    desk, face = await laptop(server, gm), await laptop(server)
    one, two = await phone(server, ayumi), await phone(server, bo)
    for page in (desk, one, two):
        await page.goto(table.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")

    await desk.click("[data-open=write-sheet]")
    await desk.fill("#write-handout-title", "古い地図")
    await desk.fill("#write-handout-text", "港の東に、使われない桟橋がある。")
    await desk.fill("#write-handout-secret", "桟橋の下に隠し扉がある。")
    await desk.set_input_files("#write-handout-picture", picture)
    await desk.locator("#write_to label", has_text="あゆみ").click()
    await desk.click("#write-panel-handouts [name=now]")
    for page in (one, two):
        await page.tap("#notice-inside > summary")
    await shows(one.locator("#notice-inside img"))
    await expect(two.locator("#notice-inside")).to_contain_text("今回、あなたへの情報はありません")
    await expect(two.locator(".handout-picture")).to_have_count(0)
    # What everybody may read is in everybody's letter, and all letters are of one size.
    for page in (one, two):
        await expect(page.locator("#notice-inside")).to_contain_text("港の東に、使われない桟橋がある。")
    assert "隠し扉" in await one.content()
    assert "隠し扉" not in await two.content()
    heights = [
        await page.locator(".letter-paper").evaluate("letter => letter.offsetHeight") for page in (one, two)
    ]
    assert heights[0] == heights[1]
    for page in (one, two):
        await page.tap(".letter-away")

    await desk.click("[data-open=write-sheet]")
    await desk.click("#write-tab-notes")
    await desk.set_input_files("#write-note-picture", picture)
    await desk.fill("#write-note-caption", "霧の港")
    await desk.click("#write-panel-notes [name=show]")
    await shows(face.locator(".scenery-large img"))
    await expect(face.locator("figcaption")).to_be_visible()
    await two.tap(".scenery > summary")
    await shows(two.locator(".scenery-large img"))
    await desk.click(".scenery-away")
    for page in (face, one, two):
        await expect(page.locator("#scenery > *")).to_have_count(0)
