"""The table's face: its text is large, can be read over any picture, and runs off no screen."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone
from PIL import Image
from playwright.async_api import Page, expect

from characters.models import Character
from companion.files import pictures
from companion.models import Person
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.evening import nights, preparation
from sessions.models import SceneNote, Session, SharedClock, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.table import opening, table_cache
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.servers import ThreadServer

from .conftest import Devices

SIZES = ((1280, 720), (1280, 800), (1920, 1080))
#: Televisions, and a tablet that stands.
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160), (800, 1280))
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


def opened(session: Session, key: str, count: int) -> Table:
    """Open a table in a session of its own, so that the face shows no other."""
    own = nights.open_session(campaign=session.campaign, title="夜")
    players = [sit(own, Person.objects.create(name=f"人{number}")) for number in range(count)]
    return opening.open_table(session=own, module_key=key, players=players)


async def test_the_join_code_on_the_table_face_is_large_enough_to_scan(
    server: ThreadServer, laptop: Devices, session: Session
) -> None:
    face = await laptop(server)
    for key, module in registry().items():
        count = max(module.seats.start, min(2, module.seats.stop - 1))
        table = await database_sync_to_async(opened)(session, key, count)
        await face.goto(f"/face/{table.session.face_key}/")
        code = face.locator(".join-corner svg")
        await expect(code).to_be_visible()
        for width, height in SIZES:
            await face.set_viewport_size({"width": width, "height": height})
            box = await code.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 160, key
            assert box["x"] >= 0, key
            assert box["x"] + box["width"] <= width, key
            assert box["y"] + box["height"] <= height, key
            assert await face.evaluate(COVERED) == [], key


async def test_no_game_runs_off_the_screen(server: ThreadServer, laptop: Devices, session: Session) -> None:
    face = await laptop(server)
    for key, count in (("goodcop", 4), ("goodcop", 5), ("journey", 1), ("liarmafia", 2), ("twentyfour", 5)):
        game = [played.snapshot for played in random_game(registry()[key], count, "faces")]
        table = await database_sync_to_async(opened)(session, key, count)
        for snapshot, ended_at in ((game[len(game) // 2], None), (game[-1], timezone.now())):
            await Table.objects.filter(pk=table.pk).aupdate(snapshot=snapshot, ended_at=ended_at)
            table_cache.invalidate_table()
            await face.goto(f"/face/{table.session.face_key}/")
            for size in SCREENS:
                await resized(face, size)
                assert await runs_off(face) == [], (key, count)


# --- the card table's face ------------------------------------------------------------------------------

#: What is seen on a screen: its texts with their colours, its faces, cards and code, and the edges of each.
SEEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), found = [];
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
  const edges = (box) => [box.left, box.top, box.right, box.bottom];
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), around = walker.currentNode.parentElement;
    if (!text || !isSeen(around) || around.closest(".visually-hidden, .card, .portrait, .skip")) continue;
    range.selectNodeContents(walker.currentNode);
    const colour = getComputedStyle(around).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    for (const box of range.getClientRects()) if (box.width > 1) found.push([text, colour, edges(box)]);
  }
  for (const one of document.querySelectorAll(".portrait, .card, .qr"))
    if (isSeen(one)) found.push([one.className, null, edges(one.getBoundingClientRect())]);
  return found;
}"""
#: Leaves of all texts what is behind them: the circle round a number is a drawing, as a face is.
BARE = """
  *, ::before, ::after { color: transparent !important; border-color: transparent !important; }
  .icon, .portrait { visibility: hidden; }
"""
STYLED = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""
NPCS = ("海蛇の番人", "影", "影", "霧の騎士", "熟練者A", "古い機械の心臓")


def in_a_check(at: Arranged) -> None:
    for name in NPCS:
        at.add_npc(name=name, rank=3)
    at.call("p2", 3, label="崩れかけた吊り橋を、荷物を背負ったまま渡りきる")


@pytest.fixture
def company(session: Session) -> Table:
    """A card table with five who brought characters."""
    seats = []
    for number in range(5):
        person = Person.objects.create(name=f"人{number}")
        seat = sit(session, person)
        hero = Character.objects.create(
            owner=person, name=f"人物{number}", hp_max=3, suits="h", status="done"
        )
        nights.bring_character(seat=seat, character=hero)
        seats.append(seat)
    return opening.open_table(session=session, module_key="uroboros", players=seats)


def arrange(table: Table, *moves: Any) -> None:
    hands = {f"p{n}": cards for n, cards in enumerate(("h04 s11 h12 d08", "c03 s06", "d02", "d03", "d04"), 1)}
    at = Arranged(hands, field="h09", characters={seat: {"name": f"人物{seat[1]}"} for seat in hands})
    for move in moves:
        move(at)
    Table.objects.filter(pk=table.pk).update(snapshot=at.snapshot)


def show(session: Session, colour: str, size: tuple[int, int] = (1600, 900)) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", size, colour).save(drawn, "PNG")
    note = SceneNote.objects.create(campaign=session.own_campaign, title="港", caption="霧の港")
    preparation.save_with_picture(note, pictures.rewritten(drawn.getvalue(), pictures.SCENE))
    preparation.show_picture(session=session, note=note)


async def resized(page: Page, size: tuple[int, int]) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await page.set_viewport_size({"width": size[0], "height": size[1]})


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""

    def light(colour: Sequence[float]) -> float:
        parts = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (p / 255 for p in colour)
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


async def unreadable(page: Page) -> list[str]:
    """Return the texts that have too little contrast to some point of what is behind them."""
    seen = await page.evaluate(SEEN)
    await page.evaluate(STYLED, BARE)
    behind = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
    await page.evaluate(STYLED, "")
    found = []
    for text, colour, (left, top, right, bottom) in seen:
        margin = 0.15 * (bottom - top)  # above and below the letters
        edges = tuple(round(edge) for edge in (left, top + margin, right, bottom - margin))
        # At least as bright, and as dark, as any point there.
        bands = behind.crop(edges).getextrema()
        if colour and min(contrast(colour, [band[end] for band in bands]) for end in (0, 1)) < 4.5:
            found.append(text)
    return found


async def runs_off(page: Page) -> list[str]:
    """Return what reaches over an edge of the screen, and whether the page could be scrolled."""
    width, height = await page.evaluate("[innerWidth, innerHeight]")
    found = [
        what
        for what, _, (left, top, right, bottom) in await page.evaluate(SEEN)
        if left < -1 or top < -1 or right > width + 1 or bottom > height + 1
    ]
    root = "document.documentElement"
    scrolls = await page.evaluate(f"{root}.scrollHeight > innerHeight || {root}.scrollWidth > innerWidth")
    return found + ["the page"] * scrolls


async def test_a_scenes_picture_fills_the_table_face_and_text_on_it_is_readable(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(arrange)(company, in_a_check)
    face = await laptop(server)
    for colour in ("white", "black"):
        await database_sync_to_async(show)(session, colour)
        await face.goto(f"/face/{session.face_key}/")
        for size in SCREENS:
            await resized(face, size)
            box = await face.locator(".scenery-large img").bounding_box()
            assert box == {"x": 0, "y": 0, "width": size[0], "height": size[1]}
            for part in (".face-title", ".face-asked", ".face-head", ".face-party li >> nth=0", "figcaption"):
                await expect(face.locator(part)).to_be_visible()
            assert await unreadable(face) == []
            assert await runs_off(face) == []


async def test_a_tall_picture_is_seen_whole(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(show)(session, "teal", (600, 900))
    face = await laptop(server, at=f"/face/{session.face_key}/")
    await expect(face.locator(".scenery-large img")).to_have_css("object-fit", "contain")


async def test_faces_are_a_sixth_of_the_screen_and_nothing_runs_off(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(arrange)(company, in_a_check)
    face = await laptop(server, at=f"/face/{session.face_key}/")
    for size in SCREENS:
        await resized(face, size)
        assert await runs_off(face) == []
        box = await face.locator(".face-party .portrait").first.bounding_box()
        assert box
        if size[0] > size[1]:
            assert box["height"] >= size[1] / 6


#: Notes how high a verdict stands that is shown, in parts of the screen.
HEIGHT = """document.addEventListener("takujo:moment", () => {
  const parts = [...document.querySelectorAll("#verdict > *")];
  const top = Math.min(...parts.map((part) => part.offsetTop));
  const bottom = Math.max(...parts.map((part) => part.offsetTop + part.offsetHeight));
  document.documentElement.dataset.height = (bottom - top) / innerHeight;
});"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
async def test_a_verdict_is_half_the_screens_height(
    server: ThreadServer, laptop: Devices, session: Session, company: Table, size: tuple[int, int]
) -> None:
    await database_sync_to_async(arrange)(company)
    face = await laptop(server)
    await face.add_init_script(HEIGHT)
    await resized(face, size)
    await face.goto(f"/face/{session.face_key}/")
    await expect(face.locator("#connection")).to_have_attribute("data-state", "on")
    await database_sync_to_async(play)(company, "gm", call())
    await expect(face.locator(".face-asked")).to_be_visible()
    await database_sync_to_async(play)(company, "p1", b'{"type": "play", "card": "h04"}')
    await expect(face.locator("html[data-height]")).to_be_attached()
    assert 0.5 <= float(await face.evaluate("document.documentElement.dataset.height")) <= 1


async def test_the_table_face_thanks_and_names_the_people_at_the_sessions_end(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(arrange)(company, in_a_check)
    await database_sync_to_async(show)(session, "white")
    face = await laptop(server, at=f"/face/{session.face_key}/")
    await expect(face.locator(".scenery-large img")).to_be_visible()
    await database_sync_to_async(nights.close_session)(session=session)
    await expect(face.locator(".over-title")).to_have_text("今夜はここまで。おつかれさまでした。")
    await expect(face.locator(".over-people")).to_contain_text("人4")
    for size in SCREENS:
        await resized(face, size)
        assert await runs_off(face) == []


# --- the way in -----------------------------------------------------------------------------------------


async def test_the_join_code_is_large_while_people_are_still_expected(
    server: ThreadServer, laptop: Devices, session: Session
) -> None:
    people = [Person(name=f"人{number}") for number in range(4)]
    first = await laptop(server)
    face = await laptop(server)

    def before() -> Session:
        """An earlier session, with four people who are expected again."""
        Person.objects.bulk_create(people)
        for person in people:
            sit(session, person)
        return nights.open_session(campaign=session.own_campaign, title="第二夜")

    again = await database_sync_to_async(before)()
    await first.goto(f"/face/{session.face_key}/")
    await face.goto(f"/face/{again.face_key}/")
    for page in (first, face):
        await resized(page, (1920, 1080))

    async def width(page: Page) -> float:
        box = await page.locator(".qr svg").bounding_box()
        assert box
        return box["width"]

    # Nobody is missing on the first evening, and more than two have come.
    assert 160 <= await width(first) < 300
    assert await width(face) > 600
    for person in people[:3]:
        await database_sync_to_async(sit)(again, person)
    await database_sync_to_async(opening.open_table)(
        session=again,
        module_key="uroboros",
        players=list(await database_sync_to_async(list)(again.seats.filter(role="player"))),
    )
    await expect(face.locator("#table")).to_be_attached()
    assert await width(face) >= 300
    await database_sync_to_async(sit)(again, people[3])
    await expect(face.locator("[data-gathering]")).to_have_count(0)
    await expect(face.locator(".qr")).to_be_hidden()


# --- shared clocks ------------------------------------------------------------------------------------------


async def test_a_clock_shows_on_every_screen_and_moves_by_a_tap(
    server: ThreadServer,
    laptop: Devices,
    phone: Devices,
    session: Session,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    desk, face, one = await laptop(server, gm), await laptop(server), await phone(server, ayumi)
    for page in (desk, one):
        await page.goto(table.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    await desk.click("[data-open=write-sheet]")
    await desk.click("#write-tab-clocks")
    await desk.fill("#write-clock-name", "警備が気づくまで")
    await desk.click("#write-panel-clocks .primary")
    for page in (desk, face, one):
        await expect(page.locator(".shared-clock")).to_contain_text("警備が気づくまで")
        await expect(page.locator(".shared-clock b")).to_have_text("0/6")
    await desk.click(".shared-clock [value=more]")
    for page in (desk, face, one):
        await expect(page.locator(".shared-clock b")).to_have_text("1/6")
        await expect(page.locator(".segments .on")).to_have_count(1)
    await expect(one.locator(".shared-clock button")).to_have_count(0)
    await desk.click(".shared-clock [value=away]")
    for page in (desk, face, one):
        await expect(page.locator(".shared-clock")).to_have_count(0)


async def test_a_page_opened_late_counts_a_clock_down_correctly(
    server: ThreadServer, laptop: Devices, session: Session, table: Table
) -> None:
    ends = timezone.now() + timedelta(seconds=64)
    clock = await SharedClock.objects.acreate(session=session, name="夜明けまで", ends_at=ends)
    face = await laptop(server, at=f"/face/{session.face_key}/")
    await expect(face.locator(".countdown")).to_have_text(re.compile(r"^0[01]:\d\d$"))
    left = (ends - timezone.now()).total_seconds()
    minutes, seconds = (await face.locator(".countdown").inner_text()).split(":")
    assert abs(60 * int(minutes) + int(seconds) - left) < 2
    await SharedClock.objects.filter(pk=clock.pk).aupdate(ends_at=timezone.now() + timedelta(seconds=1))
    await face.reload()
    await expect(face.locator(".countdown")).to_have_text("時間です")
    await expect(face.locator("#say")).to_have_text("夜明けまで: 時間です")


async def test_six_clocks_fit_beside_everything_else(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(arrange)(company, in_a_check)
    for number in range(6):
        await SharedClock.objects.acreate(session=session, name=f"警備が気づくまで{number}", segments=12)
    face = await laptop(server, at=f"/face/{session.face_key}/")
    for size in SCREENS:
        await resized(face, size)
        assert await runs_off(face) == []


# --- rolls ------------------------------------------------------------------------------------------------


async def test_a_roll_lands_in_the_chat_and_large_on_the_face_and_can_be_checked(
    server: ThreadServer,
    laptop: Devices,
    phone: Devices,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    face, one, two = await laptop(server), await phone(server, ayumi), await phone(server, bo)
    await face.goto(f"/face/{session.face_key}/")
    for page in (one, two):
        await page.goto(table.get_absolute_url())
        await page.tap("[data-open=chat-sheet]")
    await one.fill("[data-chat] textarea", "２ｄ６＋１　崖を登る")
    await one.tap("[data-chat] .chat-send")
    await expect(face.locator(".rolled")).to_be_visible()
    words = await face.locator(".rolled-how").inner_text()
    box = await face.locator(".rolled-sum").bounding_box()
    assert box
    assert box["height"] > 800 / 5
    for page in (one, two):
        await expect(page.locator("#chat_main .msg-text")).to_have_text(words)
    await expect(face.locator(".rolled")).to_be_hidden()
    await face.reload()
    await expect(face.locator("#rolled .rolled-how")).to_be_attached()
    await expect(face.locator(".rolled")).to_be_hidden()

    await database_sync_to_async(nights.close_session)(session=session)
    await two.goto(f"/s/{session.pk}/verify/")
    await two.tap("[data-verify]")
    await expect(two.locator("#verify-result")).to_have_attribute("data-state", "all")
    await expect(two.locator("[data-rolls] [data-check=seen]")).to_have_attribute("data-verdict", "same")
    told = await session.messages.aget()
    await session.messages.aupdate(rolled={**told.rolled, "dice": [7 - die for die in told.rolled["dice"]]})
    await two.reload()
    await two.tap("[data-verify]")
    await expect(two.locator("#verify-result")).to_have_attribute("data-state", "broken")


# --- for a stream -----------------------------------------------------------------------------------------


async def test_the_gm_chooses_the_parts_that_a_stream_overlay_shows(
    server: ThreadServer, laptop: Devices, session: Session, company: Table, gm: Somebody
) -> None:
    await database_sync_to_async(show)(session, "white")
    desk = await laptop(server, gm, at=session)
    await desk.click("[data-open=stream-sheet]")
    await desk.uncheck("#stream-sheet [value=chain]")
    async with desk.expect_popup() as opened:
        await desk.click("#stream-sheet .primary")
    stream = await opened.value
    await expect(stream.locator(".face-party")).to_be_visible()
    for part in (".face-field", ".scenery-large", ".join-corner .qr"):
        await expect(stream.locator(part)).to_be_hidden()
    await expect(stream.locator("body")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    shot = Image.open(io.BytesIO(await stream.screenshot(omit_background=True))).convert("RGBA")
    assert shot.getpixel((5, 5))[3] == 0


async def test_a_delayed_stream_shows_a_move_seconds_later(
    server: ThreadServer, laptop: Devices, session: Session, company: Table
) -> None:
    await database_sync_to_async(arrange)(company)
    face = await laptop(server, at=f"/face/{session.face_key}/")
    stream = await laptop(server, at=f"/face/{session.face_key}/?delay=4")
    await expect(stream.locator(".face-party")).to_be_hidden()
    await expect(stream.locator(".face-party")).to_be_visible()
    for page in (face, stream):
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    await database_sync_to_async(play)(company, "gm", call())
    await expect(face.locator(".face-asked")).to_be_visible()
    assert await stream.locator(".face-asked").count() == 0
    await expect(stream.locator(".face-asked")).to_be_visible()


async def test_a_stream_follows_the_session_to_its_next_table(
    server: ThreadServer, laptop: Devices, session: Session, ayumi: Somebody
) -> None:
    stream = await laptop(server, at=f"/face/{session.face_key}/?ground=none")
    await expect(stream.locator("#connection")).to_have_attribute("data-state", "on")
    seat = await database_sync_to_async(sit)(session, ayumi.person)
    await database_sync_to_async(opening.open_table)(session=session, module_key="uroboros", players=[seat])
    await expect(stream.locator("#table")).to_be_attached()
    await expect(stream.locator('html[data-ground="none"]')).to_be_attached()
