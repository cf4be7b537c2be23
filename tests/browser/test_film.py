"""A night on the TV, from the lobby to the end: nothing lies over anything, and all is read from the sofa."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from characters.models import Character
from companion import shared_time
from companion.models import Person
from sessions.chat import messages
from sessions.evening import announcements, nights, stand_ins
from sessions.models import Role, Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.scenarios import shipped, staging
from sessions.table import opening
from tests.browser.test_faces import runs_off
from tests.conftest import Somebody
from tests.evening import call, everybody_is_here, play, sit
from tests.servers import ThreadServer

from .conftest import Devices

pytestmark = pytest.mark.usefixtures("reference_rows")

SIZES = ((1920, 1080), (1280, 720), (1024, 768))
#: The things of the TV that have a place of their own: those which are shown, with their boxes.
BOXES = """() => {
  const parts = {
    title: ".scenery-large figcaption > *", over: ".over > *", now: ".face-now > *", away: ".face-away",
    party: ".face-party > li", foe: ".face-foes > li", speech: ".speaker > figcaption", roll: ".rolled",
    figure: ".speaker-figure", code: ".qr", clocks: ".clocks > li", sound: ".sound-button",
  };
  const found = [];
  for (const [name, selector] of Object.entries(parts))
    for (const one of document.querySelectorAll(selector)) {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const isSeen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (isSeen && right - left > 1 && bottom - top > 1)
        found.push({ name, left, top, right, bottom, text: one.innerText });
    }
  return found;
}"""
#: The texts that are shown, with the size of their letters.
LETTERS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), around = walker.currentNode.parentElement;
    const isSeen = around.checkVisibility({ visibilityProperty: true });
    if (text && isSeen && !around.closest(".visually-hidden, .card, .skip"))
      found.push([parseFloat(getComputedStyle(around).fontSize), text]);
  }
  return found;
}"""


async def looks_well(face: Page) -> None:
    """Check that nothing lies over anything else or runs off the screen, and that no text is small."""
    for size in SIZES:
        await face.set_viewport_size({"width": size[0], "height": size[1]})
        boxes = await face.evaluate(BOXES)
        covered = [
            (size, one["name"], one["text"], other["name"], other["text"])
            for place, one in enumerate(boxes)
            for other in boxes[:place]
            # What is said lies at the feet of those who talk.
            if {one["name"], other["name"]} != {"figure", "speech"}
            and min(one["right"], other["right"]) - max(one["left"], other["left"]) > 1
            and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 1
        ]
        assert covered == []
        assert await runs_off(face) == []
        small = [text for letters, text in await face.evaluate(LETTERS) if letters < max(16, size[1] / 50)]
        assert small == []


HEROES = ("澪", "テツ", "フミ")


@pytest.fixture
def film(session: Session, gm: Somebody) -> Table:
    """A table of the shipped scenario, with three who brought characters, and its first scene yet to come."""
    seats = []
    for name, owner in zip(HEROES, ("あゆ", "ケイ", "ボー"), strict=True):
        person = Person.objects.create(name=owner)
        hero = Character.objects.create(owner=person, name=name, hp_max=4, suits="h", status="done")
        seats.append(sit(session, person))
        nights.bring_character(seat=seats[-1], character=hero)
    scenario = shipped.copy_scenario(gm.person, "yukimachi", "ja")
    staging.choose_scenario(session=session, scenario=scenario)
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    characters = {f"p{n}": {"name": name} for n, name in enumerate(HEROES, 1)}
    at = Arranged(
        {"p1": "h02 h12 s05 d03", "p2": "c03 c04 s07 h06", "p3": "d09 d10 s11 h01"},
        gm="h05 h08 s02 c09",
        field="h07",
        characters=characters,
    )
    Table.objects.filter(pk=table.pk).update(snapshot=at.snapshot)
    return table


@database_sync_to_async
def show(table: Table, scene: str) -> None:
    staging.show_scene(session=table.session, scene_id=scene)


@database_sync_to_async
def do(table: Table, move: str, seat: str = "gm", **fields: Any) -> None:
    play(table, seat, json.dumps({"type": move, **fields}).encode())


@database_sync_to_async
def version(table: Table) -> int:
    table.refresh_from_db()
    return table.version


@database_sync_to_async
def bring_foes(table: Table) -> None:
    """Bring the scene's NPCs to the table and begin the fight."""
    for npc in ("young", "iwase"):
        staging.bring_npcs(session=table.session, npc_id=npc, table_pk=table.pk)


@database_sync_to_async
def say(session: Session, who: str, text: str) -> None:
    """Let a character or, by the GM, an NPC speak."""
    of_character = session.seats.filter(character__name=who).first()
    seat = of_character or session.seats.get(role=Role.GM)
    draft = messages.MessageDraft(uuid.uuid4(), "main", text, speaker="character" if of_character else who)
    messages.send(seat=seat, draft=draft)


async def test_nothing_on_the_tv_lies_over_anything_from_the_lobby_to_the_end(
    server: ThreadServer, laptop: Devices, session: Session, film: Table
) -> None:
    face = await laptop(server, viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    words, speech = face.locator(".scenery-words"), face.locator(".speaker > figcaption")
    await face.goto(f"/face/{session.face_key}/?join")
    await looks_well(face)

    # A scene comes with its words, which have a third of the screen's width free for the picture.
    await face.goto(f"/face/{session.face_key}/")
    await expect(face.locator("#connection")).to_have_attribute("data-state", "on")
    await show(film, "train")
    await expect(words).to_be_visible()
    await expect(words).to_contain_text("どの席に座っていますか。")
    await looks_well(face)
    await say(session, "澪", "……しずかだね。鐘が鳴らないと、こんなにしずかなんだ。駅長さん、いますか？")
    await expect(speech).to_be_visible()
    await looks_well(face)

    # A check has the picture whole.
    await show(film, "station")
    await expect(words).to_contain_text("雪待駅\u3000午前一時半")
    assert (await words.inner_text()).count("雪待駅\u3000") == 1, "the title stands once"
    await database_sync_to_async(play)(film, "gm", call(label="凍った窓の向こうをのぞく"))
    await expect(face.locator(".face-asked")).to_be_visible()
    await expect(words).to_be_hidden()
    await say(session, "テツ", "待て。なにか聞こえる。")
    await expect(face.locator(".speaker-figure")).to_have_count(2)
    await looks_well(face)
    await do(film, "play", "p1", card="h02")
    await expect(face.locator(".face-last")).to_be_visible()
    await expect(words).to_be_hidden()

    # So has a fight; the foes have faces, and stand on the stage where they speak.
    await show(film, "tower")
    await bring_foes(film)
    await do(film, "start_combat")
    await expect(face.locator(".face-foes .portrait img")).to_have_count(4)
    await expect(face.locator("#table.is-moment")).to_have_count(0)
    await expect(words).to_be_hidden()
    await database_sync_to_async(presences)(session)
    await say(session, "岩瀬", "帰ってくれ。鐘は鳴らさん。")
    await expect(face.locator(".speaker-figure[data-speaks] img")).to_be_visible()
    await expect(face.locator(".speaker-figure")).to_have_count(3)
    await expect(face.locator(".face-away")).to_contain_text("ボーは席を外しています")
    await looks_well(face)
    await say(session, "澪", "2d6+1 崖を登る")
    await expect(face.locator(".rolled")).to_be_visible()
    await looks_well(face)

    # The victory stays until the GM goes on, whoever's turn it would be.
    for npc in ("n1", "n2", "n3", "n4"):
        await do(film, "set_hp", who=npc, hp=0, by=None)
    await expect(face.locator("#table.is-moment")).to_be_attached()
    await expect(face.locator("#table.is-moment")).to_have_count(0)
    await do(film, "declare", "p2", text="雪を払う")
    await expect(face.locator("#table")).to_have_attribute("data-version", str(await version(film)))
    await expect(face.locator(".face-title")).to_have_text("勝利")
    await expect(face.locator(".face-party .awaited")).to_have_count(0)
    await looks_well(face)
    await do(film, "end_combat")
    await expect(face.locator(".face-title", has_text="勝利")).to_have_count(0)

    await do(film, "end")
    await expect(face.locator("#table.is-moment")).to_be_attached()
    await expect(face.locator("#table.is-moment")).to_have_count(0)
    await expect(face.locator(".over-title")).to_have_text("この卓は終わりました。")
    await expect(words).to_be_hidden()
    await looks_well(face)
    await database_sync_to_async(nights.close_session)(session=session)
    await expect(face.locator(".over-people")).to_contain_text("ボー")
    await expect(face.locator(".face-away")).to_be_hidden()
    await looks_well(face)


def presences(session: Session) -> None:
    """Let everybody's page be here, and one of them step out."""
    everybody_is_here(session)
    stand_ins.mark_away(seat=session.seats.get(name="ボー"))


async def test_a_scenes_words_go_when_they_are_read_and_a_tap_brings_them_back(
    server: ThreadServer, laptop: Devices, session: Session, film: Table
) -> None:
    await show(film, "train")
    face = await laptop(server, at=f"/face/{session.face_key}/")
    words, picture = face.locator(".scenery-words"), face.locator(".scenery-large img")
    await expect(words).to_be_visible()
    await face.mouse.click(600, 300)
    await expect(words).to_be_hidden()
    await expect(picture).to_be_visible()
    await face.keyboard.press("Enter")
    await expect(words).to_be_visible()

    # Their time is the server's: it is over for a TV that comes later, until the GM shows them again.
    @database_sync_to_async
    def ends_in(seconds: float) -> None:
        session.refresh_from_db()
        session.staged["until"] = round((shared_time.seconds() + seconds) * 1000)
        session.save(update_fields=["staged"])
        announcements.broadcast(session.pk)

    await ends_in(1.5)
    await expect(words).to_be_hidden()
    await face.reload()
    await expect(face.locator("#connection")).to_have_attribute("data-state", "on")
    await expect(face.locator(".face-party")).to_be_visible()
    await expect(words).to_be_hidden()
    await show(film, "train")
    await expect(words).to_be_visible()


async def test_the_join_code_is_on_the_tv_while_people_are_expected_or_the_gm_shows_it(
    server: ThreadServer, laptop: Devices, session: Session, film: Table, gm: Somebody
) -> None:
    face, desk = await laptop(server, at=f"/face/{session.face_key}/"), await laptop(server, gm, at=film)
    code = face.locator(".join-corner .qr")
    await expect(face.locator("#connection")).to_have_attribute("data-state", "on")
    await expect(code).to_be_hidden()
    await desk.get_by_text("メニュー", exact=True).click()
    await desk.click(".gm-join > summary")
    await desk.get_by_role("button", name="卓面に1分間出す").click()
    await expect(code).to_be_visible()
    box = await code.bounding_box()
    assert box
    assert box["width"] >= 180

    @database_sync_to_async
    def expect_somebody() -> None:
        """Let a regular player of an earlier session be expected."""
        before = nights.open_session(campaign=session.own_campaign, title="前の夜")
        sit(before, Person.objects.create(name="サチ"))

    await expect_somebody()
    await face.reload()
    await expect(code).to_be_visible()
    await database_sync_to_async(play)(film, "gm", call())
    await expect(face.locator(".face-asked")).to_be_visible()
    await expect(code).to_be_hidden()


async def test_the_tv_says_whether_its_sound_is_on(
    server: ThreadServer, laptop: Devices, session: Session, film: Table
) -> None:
    face = await laptop(server, at=f"/face/{session.face_key}/")
    button = face.locator("[data-sounds]")
    await expect(button).to_have_text("音を出す", use_inner_text=True)
    await button.click()
    await expect(button).to_have_text("音が出ています", use_inner_text=True)
    assert float(await button.evaluate("one => getComputedStyle(one).opacity")) == 1
