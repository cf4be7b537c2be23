"""A verdict, a fall, a rescue, the last foe, the end: as GM, phones and the table face see and hear them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from characters.models import Character
from sessions.models import Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.table import opening
from tests.browser.test_fight import opens, plays, press, says
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")

#: Notes every moment that a page brings to the foreground, as it is shown.
NOTE = """
window.moments = [];
document.addEventListener("takujo:moment", ({ detail }) => {
  const place = document.getElementById("verdict"), table = document.getElementById("table");
  const began = performance.now(), past = parseFloat(place.style.getPropertyValue("--past"));
  const watch = new MutationObserver(() => {
    if (table.classList.contains("is-moment")) return;
    watch.disconnect();
    now.stood = performance.now() - began - past;
    document.documentElement.dataset.over = window.moments.indexOf(now) + 1;
  });
  watch.observe(table, { attributeFilter: ["class"] });
  const now = {
    version: table.dataset.version,
    shown: getComputedStyle(place).visibility,
    presses: getComputedStyle(place).pointerEvents,
    word: place.querySelector(".verdict-word").textContent.trim(),
    deed: place.querySelector(".verdict-deed")?.textContent ?? "",
    moves: place.getAnimations({ subtree: true }).flatMap((one) => one.effect.getKeyframes())
      .flatMap(Object.keys),
    kind: place.dataset.kind,
    lasts: detail.shownFor,
    told: place.dataset.told,
    text: place.textContent.replace(/\\s+/g, " "),
    help: place.querySelector(".verdict-help")?.textContent.trim() ?? "",
    asks: document.querySelector("#prompt .say, .face-title")?.textContent.trim() ?? "",
  };
  window.moments.push(now);
  document.documentElement.dataset.moments = window.moments.length;
});
"""


@pytest.fixture
def table(session: Session, ayumi: Somebody, bo: Somebody) -> Table:
    seats = [sit(session, player.person) for player in (ayumi, bo)]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    table.snapshot = Arranged(
        {"p1": "h02 h12 s05", "p2": "c03"},
        gm="h05 h08 s02",
        field="h07",
        deck="d11 c02 s08 h03 d05 c09 h11 s06",
        characters={"p1": {"name": "あゆみ"}, "p2": {"name": "ボー"}},
    ).snapshot
    table.save()
    return table


async def moment(pages: dict[str, Page], number: int) -> list[dict[str, Any]]:
    """What each page brought to the foreground as its ``number``-th moment, once all have."""
    for page in pages.values():
        await expect(page.locator(f'html[data-moments="{number}"]')).to_be_attached()
    return [await page.evaluate("number => window.moments[number - 1]", number) for page in pages.values()]


async def test_all_pages_play_the_same_animations_after_a_move(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    gm: Somebody,
) -> None:
    desk = await laptop(server, gm)
    face = await laptop(server, None, viewport={"width": 1920, "height": 1080})
    one, two = await phone(server, ayumi), await phone(server, bo)
    pages = {"gm": desk, "face": face, "p1": one, "p2": two}
    for page in pages.values():
        await page.add_init_script(NOTE)
    for page in (desk, one, two):
        await page.goto(table.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")

    # A check that everybody hears of; its title calls whoever is asked.
    await desk.locator("#call label:has([name=seat][value=p1])").click()
    await desk.locator('#call label:has([name=difficulty][value="2"])').click()
    await desk.locator("#call [name=label]").fill("壁を登る")
    await desk.locator("#call button.primary").click()
    await expect(two.locator("#say")).to_contain_text("あゆみの判定。 「壁を登る」 難易度2。")
    await expect(one).to_have_title(re.compile("^● "))
    await plays(one, "h02")
    seen = await moment(pages, 1)
    assert len({one["version"] for one in seen}) == 1
    for each in seen:
        assert (each["word"], each["deed"], each["presses"]) == ("成功", "「壁を登る」", "none")
        assert each["shown"] == "visible"
        assert not {"clipPath", "backgroundColor", "filter"} & set(each["moves"]), (
            "painted sixty times a second"
        )
        assert {"transform", "opacity"} <= set(each["moves"])
    for page in (one, two):
        told = "成功。 「壁を登る」 あゆみ：ハートの2、同じスート。"
        await expect(page.locator("#say")).to_contain_text(told)
        await expect(page.locator("#say")).to_contain_text("どうするか話してみましょう。")
    await expect(one).not_to_have_title(re.compile("^● "))
    await expect(face.locator(".face-last")).to_contain_text("「壁を登る」")
    await expect(face.locator(".chain > li")).to_have_count(2)
    await expect(one.locator(".board .chain > li")).to_have_count(2)

    # Who comes back sees the table as it is, and no old moment.
    await two.reload()
    await expect(two.locator("#table")).to_have_attribute("data-version", seen[0]["version"])
    await expect(two.locator("#prompt .say")).to_be_visible()

    # A fall: what it means, for who is down and for who can help.
    await desk.locator("#party-p2 .strip-hp form:first-child button").click()
    others = {seat: page for seat, page in pages.items() if page is not two}
    fell = await moment(others, 2) + await moment({"p2": two}, 1)
    assert [each["kind"] for each in fell] == ["fall"] * 4
    await expect(two.locator("#alert")).to_contain_text("ボーが倒れました。")
    await two.locator('[data-card="c03"]').tap()
    await press(two.locator("#act-discard button"))
    await expect(two.locator("#prompt")).to_contain_text("立っている仲間の手当てで立ち上がれます。")
    await one.locator("#fallen-p2 button").click()
    await expect(one.locator("#fallen-p2")).to_contain_text("手当てを申し出ました。")

    # A rescue, by the offer that waits for the GM.
    await desk.locator("#offer-p1-p2 .btn-row button").click()
    await says(one, "ボーの手当てです。札を出してください。")
    await plays(one, "s05")
    (saved,) = await moment({"gm": desk}, 3)
    assert (saved["word"], saved["kind"], saved["lasts"]) == ("立ち上がった", "rescue", 2000)
    await expect(two.locator("#fallen-p1, .fallen")).to_have_count(0)

    # The last foe falls, and the GM is offered the end of the fight.
    await (await opens(desk, "npc")).locator('[data-spawn-form] button[name=rank][value="1"]').click()
    await desk.locator("#scene form[data-move*=start_combat] button").click()
    await expect(desk.locator("#party-n1")).to_be_visible()
    await expect(one.locator("#commit [data-open=attack-sheet]")).to_be_visible()
    await desk.locator("#party-n1 .strip-hp form:first-child button").click()
    begun, won = await moment({"gm": desk}, 4) + await moment({"gm": desk}, 5)
    assert (begun["word"], begun["kind"]) == ("ラウンド1", "round")
    assert (won["word"], won["kind"], won["lasts"]) == ("勝利", "last_foe", 4000)
    await desk.locator("#rescue form[data-move*=end_combat] button").click()
    await expect(desk.locator("#scene form[data-move*=start_combat]")).to_be_visible()


#: Notes each mark of HP that begins to fall or to fill, and whether it waits for a verdict to go.
MARKS = """
window.marks = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const way = animate.call(this, frames, timing);
  if (this.matches(".marks i")) {
    const all = [...this.parentElement.querySelectorAll("i")];
    window.marks.push({ place: all.indexOf(this), ends: timing.delay + timing.duration, way });
  }
  return way;
};
"""


async def test_a_verdict_stands_above_an_open_sheet_and_marks_of_hp_fall_one_by_one(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
) -> None:
    one, two = await phone(server, ayumi), await phone(server, bo)
    calm = await laptop(server, None, reduced_motion="reduce")
    face = await laptop(server)
    for page in (one, two, calm, face):
        await page.add_init_script(NOTE + MARKS)
    for page in (one, two):
        await page.goto(table.get_absolute_url())
    for page in (calm, face):
        await page.goto(f"/face/{session.face_key}/")
    await two.tap("[data-open=me-sheet]")
    sheet = two.locator("#me-sheet")
    await expect(sheet).to_be_visible()
    await two.evaluate(
        """() => document.addEventListener("takujo:moment", () => {
          const box = document.getElementById("verdict").getBoundingClientRect();
          window.above = document.getElementById("verdict").matches(":popover-open");
          window.box = [box.left, box.top, box.width];
        })"""
    )
    await database_sync_to_async(play)(table, "gm", call("p1", 2))
    await plays(one, "h02")
    for page in (one, two, calm, face):
        await expect(page.locator('html[data-moments="1"]')).to_be_attached()
    assert await two.evaluate("window.above")
    assert await two.evaluate("window.box") == [0, 0, 390]
    assert not await one.evaluate("document.getElementById('verdict').matches(':popover-open')")
    await expect(two.locator("#table:not(.is-moment)")).to_be_attached()
    await expect(sheet).to_be_visible()
    assert not await two.evaluate("document.getElementById('verdict').matches(':popover-open')")

    hit = json.dumps({"type": "set_hp", "who": "p1", "hp": 1}).encode()
    played = await database_sync_to_async(play)(table, "gm", hit)
    for page in (calm, face):
        await expect(page.locator("#table")).to_have_attribute("data-version", str(played.version))
        assert await page.locator("#face-p1 .marks").get_attribute("aria-label") == "HP 1 / 3"
    fell = await face.evaluate("window.marks.map(({ place, ends }) => [place, ends])")
    assert [place for place, _ends in fell] == [2, 1]
    assert fell[0][1] < fell[1][1] <= 400
    assert await calm.evaluate("window.marks") == []


#: Notes in every frame what is on the field, and whether the veil of a moment lies over it.
FRAMES = """
window.frames_seen = [];
const look = () => {
  const field = document.querySelector(".board-field, .face-head")?.id;
  const { visibility, opacity } = getComputedStyle(document.getElementById("verdict"));
  if (field) window.frames_seen.push([field, visibility === "visible" && Number(opacity) > .99]);
  requestAnimationFrame(look);
};
addEventListener("load", look);
"""


async def test_no_page_shows_a_result_before_its_animation(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    gm: Somebody,
) -> None:
    await database_sync_to_async(play)(table, "gm", call("p1", 2))
    desk, face = await laptop(server, gm), await laptop(server, None)
    one, two = await phone(server, ayumi), await phone(server, bo)
    pages = [desk, face, one, two]
    for page in pages:
        await page.add_init_script(FRAMES)
    for page in pages[2:] + pages[:1]:
        await page.goto(table.get_absolute_url())
    await face.goto(f"/face/{session.face_key}/")
    for page in pages:
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    await plays(one, "h02")
    for page in pages:
        await page.wait_for_function("() => frames_seen[0]?.[0] !== frames_seen.at(-1)?.[0]")
        frames = await page.evaluate("window.frames_seen")
        before, now = frames[0][0], frames[-1][0]
        assert before != now
        first = next(veiled for field, veiled in frames if field == now)
        assert first, "the card came before its moment"


async def does(table: Table, by: str, /, **move: Any) -> None:
    """Play a move as if from another page."""
    await database_sync_to_async(play)(table, by, json.dumps(move).encode())


@pytest.fixture
def struck(table: Table, kei: Somebody) -> Table:
    """A foe has hit Bo, who holds two cards and is asked to defend: a hit will fell them."""
    arranged = Arranged(
        {"p1": "h02 h12 s05", "p2": "c03 c04"},
        gm="s02 h08 h10",
        field="s07",
        characters={"p1": {"name": "あゆみ"}, "p2": {"name": "ボー"}},
    )
    foe = arranged.add_npc(name="狼", hp_max=9)
    arranged.do("gm", "start_combat")
    arranged.do("gm", "end_turn")
    arranged.do("gm", "end_turn")
    arranged.attack(foe, "p2", 2)
    arranged.do("gm", "play", card="s02")
    table.snapshot = arranged.snapshot
    table.save()
    return table


#: The time of a moment is never over.
STANDS = """() => {
  const later = window.setTimeout;
  window.setTimeout = (f, ...more) => (f.name === "put" ? 0 : later(f, ...more));
}"""


async def test_a_fall_names_the_helpers_before_the_hand_is_discarded(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    struck: Table,
    ayumi: Somebody,
    bo: Somebody,
    gm: Somebody,
) -> None:
    desk, face = await laptop(server, gm), await laptop(server)
    calm = await laptop(server, None, reduced_motion="reduce")
    one, two = await phone(server, ayumi), await phone(server, bo)
    pages = {"gm": desk, "face": face, "calm": calm, "p1": one, "p2": two}
    for name, page in pages.items():
        await page.add_init_script(NOTE)
        at_face = name in ("face", "calm")
        await page.goto(f"/face/{session.face_key}/" if at_face else struck.get_absolute_url())
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    await face.locator("[data-sounds]").click()
    await plays(two, "c03")
    fell = dict(zip(pages, await moment(pages, 1), strict=True))
    for each in fell.values():
        assert (each["kind"], each["lasts"]) == ("fall", 3000)
        assert each["help"] == "あゆみの手当てで、ボーは立ち上がれます。"
        assert each["help"] in each["told"]
    assert fell["p2"]["asks"].startswith("倒れました。手札1枚を"), "the hand is not laid down yet"
    assert fell["face"]["asks"] == "ボーが倒れ、手札を場に置いています"
    assert not fell["calm"]["moves"]
    assert fell["face"]["moves"]
    for page in pages.values():
        await expect(page.locator('html[data-over="1"]')).to_be_attached()
        # The page notes the beginning a little after it has set the end.
        assert await page.evaluate("window.moments[0].stood") >= 2900

    # What stands gives way to what comes next, though its time is not over.
    await one.evaluate(STANDS)
    await does(struck, "p2", type="discard", cards=["c04"])
    await does(struck, "gm", type="set_hp", who="p2", hp=1)
    await moment({"p1": one}, 2)
    await does(struck, "gm", **json.loads(call("p1", 2)))
    await expect(one.locator('html[data-over="2"]')).to_be_attached()


#: Counts the strokes of the bell.
STROKES = """
window.strokes = 0;
const starts = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.strokes += 1; return starts.call(this, at); };
"""


async def test_the_table_face_rings_its_bell_only_once_switched_on(
    server: ThreadServer, laptop: Any, session: Session, table: Table
) -> None:
    face = await laptop(server)
    await face.add_init_script(NOTE + STROKES)
    await face.goto(f"/face/{session.face_key}/")
    await expect(face.locator("#connection")).to_have_attribute("data-state", "on")
    bell = face.locator("[data-sounds]")
    await database_sync_to_async(play)(table, "gm", call("p1", 2))
    await does(table, "p1", type="play", card="h02")
    await moment({"face": face}, 1)
    assert await face.evaluate("window.strokes") == 0
    await bell.click()
    await expect(bell).to_have_attribute("aria-pressed", "true")
    tried = await face.evaluate("window.strokes")
    assert tried > 0, "whoever switches it on hears it"
    await does(table, "gm", type="set_hp", who="p2", hp=0)
    await moment({"face": face}, 2)
    rung = await face.evaluate("window.strokes")
    assert rung > tried
    await bell.click()
    await does(table, "p2", type="discard", cards=["c03"])
    await does(table, "gm", type="set_hp", who="p2", hp=1)
    await moment({"face": face}, 3)
    assert await face.evaluate("window.strokes") == rung


async def test_all_screens_end_a_session_with_names_thanks_and_the_next_step(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    gm: Somebody,
) -> None:
    def bring() -> None:
        for seat, name in zip(session.seats.filter(role="player"), ("あゆみ", "ボー"), strict=True):
            seat.character = Character.objects.create(owner=seat.person, name=name, hp_max=3, status="done")
            seat.save()

    await database_sync_to_async(bring)()
    desk, face = await laptop(server, gm), await laptop(server)
    one, two = await phone(server, ayumi), await phone(server, bo)
    pages = {"gm": desk, "face": face, "p1": one, "p2": two}
    for name, page in pages.items():
        await page.add_init_script(NOTE)
        await page.goto(f"/face/{session.face_key}/" if name == "face" else table.get_absolute_url())
        await expect(page.locator("#connection")).to_have_attribute("data-state", "on")
    for card in ("h02", "h12", "d11"):
        await database_sync_to_async(play)(table, "gm", call("p1", 0))
        await does(table, "p1", type="play", card=card)
    await does(table, "gm", type="end")
    for page in pages.values():
        await page.wait_for_function("() => moments.at(-1)?.kind === 'end'")
        seen = await page.evaluate("window.moments.at(-1)")
        assert (seen["shown"], seen["lasts"]) == ("visible", 8000)
        for words in ("あゆみ", "ボー", "GM", "鎖：3枚", "みなさん、おつかれさまでした。"):
            assert words in seen["text"]
    await expect(one.locator("#experience_call")).to_contain_text("次は経験点です。")

    # The GM goes on while it still stands, and the players' phones lead to what they tick.
    await desk.get_by_role("button", name="今夜の経験点へ進む").click()
    await expect(desk.locator("#experience_gm").get_by_role("checkbox").first).to_be_visible()
    await one.locator("#experience_call a").tap()
    await expect(one.locator("#experience").get_by_role("checkbox")).to_have_count(9)
