"""What board games show in little room fits there: on narrow phones, with many seats, in large text."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from companion.models import Person
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.models import Session, Table
from sessions.table import table_cache
from tests.browser.test_goodcop import open_for
from tests.conftest import Somebody
from tests.evening import sit
from tests.games import played
from tests.servers import ThreadServer

#: Width, height, and the size of the text in pixels.
ROOMS = [(320, 640, 16), (360, 640, 16), (360, 640, 22), (390, 844, 16)]

#: What is cut at its side, or stands in another row than its neighbours.
CUT = """() => {
  const cut = [...document.querySelectorAll(".gc-seen")].filter((one) => one.scrollWidth > one.clientWidth);
  const icons = [...document.querySelectorAll(".phone-icons > *")].map((one) => one.getBoundingClientRect());
  const rows = new Set(icons.filter((box) => box.height).map((box) => box.top));
  return [...cut.map((one) => one.innerText.trim()), ...(rows.size > 1 ? ["the icons take two rows"] : [])];
}"""


def crowded(session: Session, who: Somebody) -> Table:
    """Eight seats, of which everybody has seen a card of everybody, and one or two another."""
    table = open_for(session, [who.person], number=8)
    module = registry()["goodcop"]
    state: Any = module.load(bytes(table.snapshot))
    for n, player in enumerate(state.players.values()):
        for position, lookers in enumerate((state.seats, state.seats[n : n + 2], state.seats[:1])):
            player.cards[position].seen = list(lookers)
    table.snapshot, table.version = encode(state), 1
    table.save()
    table_cache.invalidate_table(table.pk)
    return table


async def test_marks_and_icons_fit_at_eight_seats(
    server: ThreadServer, phone: Any, laptop: Any, session: Session, ayumi: Somebody
) -> None:
    table = await database_sync_to_async(crowded)(session, ayumi)
    page = await phone(server, ayumi)
    found: dict[Any, list[str]] = {}
    for language in ("ja", "en", "ko"):
        cookie = {"name": "django_language", "value": language, "url": server.lan_url}
        await page.context.add_cookies([cookie])
        await page.goto(table.get_absolute_url())
        await expect(page.locator("#ring > li")).to_have_count(8)
        for width, height, text in ROOMS:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("size => { document.documentElement.style.fontSize = `${size}px`; }", text)
            if cut := await page.evaluate(CUT):
                found[language, width, text] = cut
    face = await laptop(server, at=f"/face/{session.face_key}/")
    await expect(face.locator("#face-ring > li")).to_have_count(8)
    if cut := await face.evaluate(CUT):
        found["face"] = cut
    assert found == {}


@pytest.mark.long
@pytest.mark.parametrize(("key", "seats"), [("goodcop", 8), ("journey", 1), ("twentyfour", 5)])
async def test_the_end_of_a_game_fits_the_narrowest_phone(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody, key: str, seats: int
) -> None:
    """The end of Liar Mafia is looked at in test_accessibility.py."""

    def ended() -> Table:
        others = [Person.objects.create(name=f"客{number}") for number in range(2, seats + 1)]
        return played(session, key, [sit(session, person) for person in (ayumi.person, *others)])

    table = await database_sync_to_async(ended)()
    page = await phone(server, ayumi, viewport={"width": 320, "height": 640}, at=table)
    await expect(page.locator("#evening .over-result")).to_be_visible()
    await page.evaluate(
        "for (const more of document.querySelectorAll('#board details, #prompt details')) more.open = true"
    )
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
