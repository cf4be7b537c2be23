"""The picture of a result: drawn in both shapes, with the names of people only where they are asked for."""

from __future__ import annotations

import re
from typing import Any

from channels.db import database_sync_to_async
from django.utils import timezone
from playwright.async_api import Page, expect

from sessions.models import Seat, Table
from tests.conftest import Somebody
from tests.servers import ThreadServer
from tests.sessions.test_result_card import ended

#: The colours of a picture, seen coarsely.
COLOURS = """canvas => {
    const { width, height } = canvas, seen = new Set();
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    for (let at = 0; at < data.length; at += 388) seen.add(data.slice(at, at + 3).map(c => c >> 4).join());
    return seen.size;
}"""


async def drawn(page: Page, names: str) -> list[str]:
    """Return both pictures, once they are drawn with names or without."""
    await expect(page.locator(f"#result[data-drawn='{names}']")).to_be_visible()
    canvases = page.locator("#result canvas")
    return [await canvas.evaluate("canvas => canvas.toDataURL()") for canvas in await canvases.all()]


async def test_a_result_is_drawn_in_both_shapes_and_names_only_if_ticked(
    server: ThreadServer, phone: Any, seats: list[Seat], ayumi: Somebody
) -> None:
    table: Table = await database_sync_to_async(ended)(seats, "goodcop")
    one = await phone(server, ayumi, at=table)
    await one.get_by_role("link", name="結果を送る").tap()

    nameless = await drawn(one, "without")
    shapes = [await canvas.evaluate(COLOURS) for canvas in await one.locator("#result canvas").all()]
    assert min(shapes) > 60, "there is art on it"
    picture = one.get_by_role("img").first
    await expect(picture).to_have_accessible_description(re.compile("プレイヤー1"))
    await expect(picture).not_to_have_accessible_description(re.compile("あゆみ"))

    await one.get_by_label("名前を入れる").check()
    assert all(with_ != without for with_, without in zip(await drawn(one, "with"), nameless, strict=True))
    await expect(picture).to_have_accessible_description(re.compile("あゆみ"))

    await one.get_by_label("正方形").check()
    async with one.expect_download() as saving:
        await one.get_by_role("button", name="画像を保存").tap()
    saved = await saving.value
    assert saved.suggested_filename == f"takujo-goodcop-{timezone.localdate(table.opened_at)}.png"

    await one.get_by_label("名前を入れる").uncheck()
    assert await drawn(one, "without") == nameless
