"""The table's face of every game: the way in can be scanned from where people sit, and covers nothing."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from companion.models import Person
from sessions.engine.shelf import shelf
from sessions.models import Session
from sessions.table import opening
from tests.evening import sit
from tests.servers import ThreadServer

from .conftest import Devices

SIZES = ((1280, 720), (1280, 800), (1920, 1080))
#: The words of the game that lie where the code is.
COVERED = """() => {
  const corner = document.querySelector(".join-corner .qr").getBoundingClientRect();
  const walker = document.createTreeWalker(document.getElementById("face"), NodeFilter.SHOW_TEXT);
  const range = document.createRange(), found = [];
  while (walker.nextNode()) {
    range.selectNodeContents(walker.currentNode);
    const lies = (box) => box.width > 1 && box.left < corner.right && box.right > corner.left
      && box.top < corner.bottom && box.bottom > corner.top;
    if ([...range.getClientRects()].some(lies)) found.push(walker.currentNode.data.trim());
  }
  return found.filter(Boolean);
}"""


@pytest.fixture(params=["goodcop", "journey", "liarmafia", "twentyfour", "uroboros"])
def game(request: pytest.FixtureRequest, session: Session) -> Session:
    key: str = request.param
    count = max(shelf()[key].seats.start, min(2, shelf()[key].seats.stop - 1))
    players = [sit(session, Person.objects.create(name=f"人{number}")) for number in range(count)]
    opening.open_table(session=session, module_key=key, players=players)
    return session


async def test_the_way_in_is_large_enough_to_be_scanned(
    server: ThreadServer, laptop: Devices, game: Session
) -> None:
    face = await laptop(server)
    await face.goto(f"/face/{game.face_key}/")
    code = face.locator(".join-corner svg")
    await expect(code).to_be_visible()
    for width, height in SIZES:
        await face.set_viewport_size({"width": width, "height": height})
        box = await code.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 160
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert await face.evaluate(COVERED) == []
