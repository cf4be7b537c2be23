"""The question of the card table fits on a phone: sentence, button and foes, beside all other parts."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from channels.db import database_sync_to_async
from PIL import Image
from playwright.async_api import Page, expect

from characters.models import Character
from companion.files import pictures
from sessions.evening import preparation
from sessions.models import SceneNote, Seat, SeatClaim, Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioScene
from sessions.table import opening, table_cache
from tests.browser.conftest import Devices
from tests.conftest import Somebody, _guest
from tests.evening import play, sit
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")

#: Phones, with their browser's bars or without; two of them are small.
SIZES = ((390, 844), (390, 750), (390, 664), (360, 640))
#: Those on which a raised card takes the room of something else.
SMALL_SIZES = SIZES[2:]
LANGUAGES = ("ja", "en", "ko")
#: The style sheets do not count NPCs (phone.css): the words of six are the longest.
NPCS = (0, 6)
LABEL = "崩れかけた吊り橋を、荷物を背負ったまま渡りきる"

SHEETS: dict[str, Any] = {
    "p1": {"name": "あゆみ", "suits": ["h"], "skills": ["剣術", "隠密行動"]},
    "p2": {"name": "ボー", "skills": ["医術"]},
    "p3": {"name": "アレクサンドラ・フォン・リヒテンシュタイン"},
    "p4": {"name": "ケイ"},
}


def fight(at: Arranged) -> None:
    at.do("gm", "start_combat")


def foe(at: Arranged) -> str:
    return "n1" if at.state.npcs else "p3"


def defence(at: Arranged) -> None:
    """A foe attacks the first player."""
    fight(at)
    for _ in range(4):
        at.do("gm", "end_turn")
    at.attack("n1", "p1", 3)


def hurt(at: Arranged, seat: str, hp: int) -> None:
    characters = at.state.characters
    characters[seat].hp = hp
    at.change(characters=characters)


def discard(at: Arranged) -> None:
    hurt(at, "p1", 3)
    at.call("p1", 2)
    at.do("p1", "play", card="h02")


def name_suit(at: Arranged) -> None:
    at.call("p1", 5, label=LABEL)
    at.do("p1", "draw")


def interruption(at: Arranged) -> None:
    fight(at)
    at.do("gm", "end_turn")
    at.attack("p2", foe(at), 3)
    at.interrupt("p1", 3)


def somebody_fell(at: Arranged) -> None:
    hurt(at, "p2", 0)
    fight(at)


#: Whatever the first player can be asked, and the waits in between.
ASKED: dict[str, Callable[[Arranged], object]] = {
    "turn": fight,
    "turn beside the fallen": somebody_fell,
    "check": lambda at: at.call("p1", 4, label=LABEL, skill=True, q=2),
    "chain check": lambda at: at.call("p1", 3, label=LABEL, chain=True, skill=True),
    "secret check": lambda at: at.call("p1", 3, label=LABEL, secret="own"),
    "contest, first": lambda at: at.contest("p1", "p3", 3, skill=True),
    "contest, second": lambda at: (at.contest("p3", "p1", 1), at.do("p3", "play", card="h09")),
    "attack": lambda at: (fight(at), at.attack("p1", foe(at), 3, skill=0)),
    "chain attack": lambda at: (fight(at), at.attack("p1", foe(at), 3, chain=True)),
    "defence": defence,
    "treatment": lambda at: (somebody_fell(at), at.treat("p1", "p2")),
    "discard": discard,
    "suit of a joker": name_suit,
    "interruption": interruption,
    "wait": lambda at: (fight(at), at.do("gm", "end_turn")),
    "no check": lambda at: None,
}
NEEDS_A_FOE = ("defence",)
#: Without NPCs the foe is a player with a long name; the other sentences are the same with and without.
NAMES_A_FOE = ("attack", "chain attack", "interruption")

#: Those of the named things of which a line of words, or a button, is not what a finger meets there.
HIDDEN = """() => {
  const seen = (element, box) => {
    const { top, left, bottom, right } = box;
    if (top < 0 || left < 0 || bottom > innerHeight + 1 || right > innerWidth + 1) return false;
    return [.1, .5, .9].every((part) => {
      const met = document.elementFromPoint(box.left + box.width * part, box.top + box.height / 2);
      return met && (element.contains(met) || met.contains(element));
    });
  };
  const lines = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].filter((box) => box.width > 1);
  };
  const hidden = [];
  for (const name of NAMES)
    for (const element of document.querySelectorAll(name)) {
      if (!element.checkVisibility()) continue;
      const boxes = name.includes("button") ? [element.getBoundingClientRect()] : lines(element);
      const words = element.textContent.trim().replace(/\\s+/g, " ");
      if (!boxes.every((box) => seen(element, box))) hidden.push(`${name}: ${words}`);
    }
  if (document.documentElement.scrollWidth > innerWidth) hidden.push("scrolls sideways");
  return hidden;
}"""
SENTENCE = ("#prompt .say", "#commit .btn.primary, #commit button.main-act, #commit button.btn")
TABLE = (".board-npcs li", ".board-difficulty b", ".prompt-more .btn")


@pytest.fixture
def players(ayumi: Somebody, bo: Somebody, kei: Somebody) -> list[Somebody]:
    return [ayumi, bo, _guest("サキ"), kei]


@pytest.fixture
def seats(session: Session, players: list[Somebody]) -> list[Seat]:
    return [sit(session, player.person) for player in players]


@pytest.fixture
def table(session: Session, seats: list[Seat]) -> Table:
    return opening.open_table(session=session, module_key="uroboros", players=seats)


@pytest.fixture
def note(session: Session) -> SceneNote:
    """A picture to show as the scene's, with a caption."""
    content = BytesIO()
    Image.new("RGB", (1200, 800), "teal").save(content, "png")
    note = SceneNote(campaign=session.campaign, title="港", caption="霧に沈む港町の、いちばん古い桟橋")
    preparation.save_with_picture(note, pictures.rewritten(content.getvalue(), pictures.SCENE))
    return note


def arranged(asked: str, npcs: int) -> Arranged:
    at = Arranged(
        {"p1": "h02 h12 x01 s05 c10", "p2": "c03 d09 s11", "p3": "s01 s13 d04 c08 h09", "p4": "d02 c12"},
        gm="h05 h08 c05 d12 s02",
        field="h07",
        deck="x02 d11 c02 s08 h03 d05 c09 h11 s06",
        characters=SHEETS,
    )
    for n in range(npcs):
        at.add_npc(name="路地裏のごろつき" if n % 2 else "wolf", rank=1 + n % 3)
    ASKED[asked](at)
    return at


def put(table: Table, at: Arranged) -> None:
    """Bring a table to where a test wants it."""
    table.refresh_from_db()
    table.snapshot, table.version = at.snapshot, table.version + 1
    table.save()
    table_cache.invalidate_table(table.pk)


async def hidden(page: Page, *names: str) -> list[str]:
    found: list[str] = await page.evaluate(HIDDEN.replace("NAMES", repr(list(names))))
    return found


async def raises(page: Page) -> bool:
    """Raise a card of the hand, if there is one."""
    picks = page.locator("[data-hand] input")
    if found := await picks.count():
        await picks.nth(1).check(force=True)
    return bool(found)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_prompt_and_its_buttons_stay_in_sight_on_every_phone(
    server: ThreadServer,
    phone: Devices,
    session: Session,
    table: Table,
    seats: list[Seat],
    note: SceneNote,
    ayumi: Somebody,
    language: str,
) -> None:
    """The scene's picture and the line of a stand-in leave the least room."""
    await database_sync_to_async(preparation.show_picture)(session=session, note=note)
    await Seat.objects.filter(pk=seats[0].pk).aupdate(stand_in=seats[1])
    page = await phone(server, ayumi)
    cookie = {"name": "django_language", "value": language, "url": server.lan_url}
    await page.context.add_cookies([cookie])
    covered: dict[str, list[str]] = {}
    for asked, npcs in product(ASKED, NPCS):
        if not npcs and (asked in NEEDS_A_FOE or (language != "ja" and asked not in NAMES_A_FOE)):
            continue
        await database_sync_to_async(put)(table, arranged(asked, npcs))
        await page.goto(table.get_absolute_url())
        for raised in (False, True):
            if raised and not await raises(page):
                continue
            for width, height in SMALL_SIZES if raised else SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                if found := await hidden(page, *SENTENCE, *(() if raised else TABLE)):
                    covered[f"{asked}, {npcs} NPCs, {width}×{height}{', raised' * raised}"] = found
    assert covered == {}


#: What is wrong with the order of turns: facts of neighbours that touch, or a line below the table's edge.
CROWDED = """() => {
  const table = document.querySelector(".phone-table"), edge = table.getBoundingClientRect().bottom;
  const more = table.scrollHeight - table.clientHeight;
  const wrong = more > 1 ? [`scrolls by ${more} px`] : [];
  let before = null;
  for (const seat of document.querySelectorAll(".order-seat")) {
    const drawn = [...seat.querySelectorAll(".order-hp, .order-hand")];
    const facts = drawn.map((one) => one.getBoundingClientRect());
    const now = { left: facts[0].left, right: facts.at(-1).right, top: facts[0].top };
    if (before && Math.abs(before.top - now.top) < 4 && now.left - before.right < 6)
      wrong.push(`${seat.innerText}: ${now.left - before.right} px`);
    if (seat.getBoundingClientRect().bottom > edge + 1) wrong.push(`${seat.innerText}: below the edge`);
    before = now;
  }
  return wrong;
}"""


def crowd(number: int, npcs: int, ask: Callable[[Arranged], object]) -> Arranged:
    """Return a table of this number of players, with four or five cards each."""
    seats = [f"p{n}" for n in range(1, number + 1)]
    cards = {
        seat: " ".join(f"{suit}{n:02}" for suit in "hdsc"[n % 2 :]) for n, seat in enumerate(seats, start=1)
    }
    named = [
        "あゆみ",
        "ボー",
        "アレクサンドラ・フォン・リヒテンシュタイン",
        "ケイ",
        "ハンナ",
        "源次郎",
        "千早",
        "ユリ",
    ]
    sheets = {seat: {"name": name} for seat, name in zip(seats, named, strict=False)}
    at = Arranged(cards, gm="h12 d12", field="c12", deck="x02 d11 c11 s11 h11", characters=sheets)
    for n in range(npcs):
        at.add_npc(name="路地裏のごろつき" if n % 2 else "wolf", rank=1 + n % 3)
    ask(at)
    return at


#: The fullest of each order of turns, with the GM: one line, and lines of three, four and five (table.css).
PLAYERS = (4, 5, 7, 8)
#: Large phones too: where the screen has room, nothing is cut for want of it.
MANY_SIZES = ((390, 844), (412, 915), (430, 932), (360, 640), (320, 568))


@pytest.mark.parametrize("with_faces", [False, True])
async def test_facts_of_many_seats_in_the_turn_order_do_not_overlap(
    server: ThreadServer,
    phone: Devices,
    session: Session,
    players: list[Somebody],
    ayumi: Somebody,
    with_faces: bool,
) -> None:
    def open_for_all() -> Table:
        everybody = [*players, *(_guest(f"客{n}") for n in range(8 - len(players)))]
        seats = [sit(session, one.person) for one in everybody]
        for seat in seats if with_faces else ():
            seat.character = Character.objects.create(
                owner=seat.person, name=seat.name, hp_max=3, status="done"
            )
            seat.save()
        return opening.open_table(session=session, module_key="uroboros", players=seats)

    table = await database_sync_to_async(open_for_all)()
    page = await phone(server, ayumi)
    # The most that stands beside the order of turns, and the least, where the rows are highest.
    asks: dict[str, tuple[int, Callable[[Arranged], object]]] = {
        "turn": (3, fight),
        "contest": (3, lambda at: at.contest("p1", "p2", 3, skill=True)),
        "no check": (0, lambda at: None),
    }
    found: dict[str, list[str]] = {}
    for number, (asked, (npcs, ask)) in product(PLAYERS, asks.items()):
        await database_sync_to_async(put)(table, crowd(number, npcs, ask))
        await page.goto(table.get_absolute_url())
        for width, height in MANY_SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            if wrong := await page.evaluate(CROWDED):
                found[f"{number} people, {asked}, {width}×{height}"] = wrong
    assert found == {}


#: What cannot be pressed of what waits for the GM: cut by its box, or under something else.
OUT_OF_REACH = """() => {
  const box = document.querySelector(".gm-waits"), edge = box.getBoundingClientRect(), wrong = [];
  for (const menu of box.querySelectorAll("details")) menu.open = true;
  const more = box.scrollWidth - box.clientWidth;
  if (more > 0) wrong.push(`scrolls sideways by ${more} px`);
  for (const one of box.querySelectorAll("button, select, input:not([type=hidden]), summary")) {
    if (!one.checkVisibility()) continue;
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    const beside = left < edge.left || right > edge.left + box.clientWidth;
    const cut = beside || top < 0 || bottom > innerHeight + 1;
    if (cut || !one.contains(met)) wrong.push(one.innerText.trim() || one.name);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
  return wrong;
}"""
DESKS = ((1024, 720), (1024, 768), (1152, 720), (1280, 800), (1366, 650), (1440, 900), (1920, 1080))
LONG_NAMES = (
    "ヴィルヘルミーネ公爵夫人",
    "Wilhelmmmmmm",
    "アレクサンドラ・フォンＷ",
    "マクシミリアン・ＷＷＷＷ",
)


def interrupts(at: Arranged) -> None:
    """Three ask at once to step in, in as many words as there may be."""
    fight(at)
    at.do("gm", "end_turn")
    at.attack("p2", foe(at), 3)
    for seat, words in (("p1", "砂" * 200), ("p3", "I throw sand! " * 14), ("p4", "w" * 200)):
        at.do(seat, "interrupt", npc=None, text=words)


def offers(at: Arranged) -> None:
    """Three offer to treat one who is down, in as many words as there may be, and with long names."""
    somebody_fell(at)
    for seat, words in (("p1", "砂" * 197), ("p3", "I treat them. " * 13), ("p4", "w" * 190)):
        at.do(seat, "declare", text=f"{words} ボー")


async def test_every_request_to_the_gm_can_be_pressed_on_every_screen_size(
    server: ThreadServer, laptop: Devices, session: Session, table: Table, seats: list[Seat], gm: Somebody
) -> None:
    def waits() -> None:
        for seat, name in zip(seats, LONG_NAMES, strict=True):
            Seat.objects.filter(pk=seat.pk).update(name=name)
        # Whoever is asked has stepped out, one claims a seat at the door, and one comes late.
        Seat.objects.filter(pk__in=[seats[0].pk, seats[1].pk]).update(stepped_out=True)
        SeatClaim.objects.create(seat=seats[2], person=_guest("客").person)
        sit(session, _guest("ヴィルヘルミーナ公爵夫人").person)

    def ask_for(ask: Callable[[Arranged], None]) -> None:
        at = arranged("no check", 3)
        ask(at)
        put(table, at)

    await database_sync_to_async(waits)()
    desk = await laptop(server, gm)
    found: dict[str, list[str]] = {}
    for ask, language in product((interrupts, somebody_fell, offers), LANGUAGES):
        await database_sync_to_async(ask_for)(ask)
        cookie = {"name": "django_language", "value": language, "url": server.lan_url}
        await desk.context.add_cookies([cookie])
        await desk.goto(table.get_absolute_url())
        at = f"{ask.__name__}, {language}"
        for width, height in DESKS:
            await desk.set_viewport_size({"width": width, "height": height})
            if unscrolled := await hidden(desk, ".interrupt:first-of-type .btn-row button"):
                found[f"{at}, {width}×{height}, unscrolled"] = unscrolled
        for width, height in DESKS:
            await desk.set_viewport_size({"width": width, "height": height})
            assert await desk.locator(".gm-waits button:visible").count() >= 5
            if wrong := await desk.evaluate(OUT_OF_REACH):
                found[f"{at}, {width}×{height}"] = wrong
    assert found == {}


#: The words that are drawn where those of a part of the screen stand, without being of it.
SHINES_THROUGH = """(name) => {
  const part = document.querySelector(name), range = document.createRange(), found = [];
  const boxes = [...part.children].map((one) => one.getBoundingClientRect());
  const at = (side, pick) => pick(...boxes.map((box) => box[side]));
  const [left, right, top, bottom] = [
    at("left", Math.min), at("right", Math.max), at("top", Math.min), at("bottom", Math.max),
  ];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { parentElement, data } = words.currentNode;
    if (part.contains(parentElement) || parentElement.closest(".visually-hidden")) continue;
    if (!parentElement.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNode(words.currentNode);
    const meets = (box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    if (data.trim() && [...range.getClientRects()].some(meets)) found.push(data.trim());
  }
  return found;
}"""


async def test_a_tables_end_is_readable_over_the_scene_on_the_table_face(
    server: ThreadServer, laptop: Devices, session: Session, table: Table, gm: Somebody
) -> None:
    def show() -> None:
        read = "「すみません。雪待駅の鐘が鳴らんのです。あれが一つ鳴らんことには、" * 8
        scene = ScenarioScene(
            id="a", title="止まった夜汽車", caption="下りの夜汽車　午前一時", mood="snow", read=read
        )
        staging.choose_scenario(
            session=session, scenario=editing.create_scenario(gm.person, Document(title="鐘", scenes=[scene]))
        )
        staging.show_scene(session=session, scene_id="a")

    await database_sync_to_async(show)()
    tv = await laptop(server, at=f"/face/{session.face_key}/")
    await tv.set_viewport_size({"width": 1920, "height": 1080})
    await expect(tv.locator(".scenery-large .scenery-read")).to_be_visible()
    await expect(tv.locator("#connection")).to_have_attribute("data-state", "on")
    await database_sync_to_async(play)(table, "gm", b'{"type": "end"}')
    await expect(tv.locator("#table.is-moment .over")).to_be_attached()
    assert await tv.evaluate(SHINES_THROUGH, ".verdict") == []
    await tv.keyboard.press("Shift")
    await expect(tv.locator("#table:not(.is-moment)")).to_be_attached()
    await expect(tv.locator(".scenery-large .mood")).to_be_visible()
    assert await hidden(tv, ".over-title", ".face-party b") == []
    assert await tv.evaluate(SHINES_THROUGH, ".over") == []
