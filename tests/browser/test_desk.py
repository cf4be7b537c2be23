"""The GM's desk: all that is asked for is in sight, and nothing moves away under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.models import PreparedCheck, Session, Stage, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.modules.uroboros.tests.test_checks import npc
from sessions.scenarios import editing, shipped, staging
from sessions.scenarios.document import things
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.nights import say
from tests.servers import ThreadServer

from .conftest import Devices
from .test_fits import SHEETS, hidden, put

PLACES = ("#board", ".gm-hand")


async def tops(page: Page) -> list[float]:
    """Return how far down the desk its parts begin, once they stand still."""
    boxes = [await page.locator(place).bounding_box() for place in PLACES]
    return [box["y"] for box in boxes if box]


async def test_a_gm_improvises_a_handout_in_three_clicks_and_a_call_moves_nothing(
    server: ThreadServer, laptop: Devices, phone: Devices, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    laptop.expect("422")
    desk, player = await laptop(server, gm, at=table), await phone(server, ayumi, at=table)
    await desk.click("[data-open=write-sheet]")
    await desk.fill("#write-handout-secret", "あなたは蛇の一族だ")
    await desk.reload()
    await desk.click("[data-open=write-sheet]")
    secret, now = desk.locator("#write-handout-secret"), desk.locator("#write-panel-handouts [name=now]")
    await expect(secret).to_have_value("あなたは蛇の一族だ")
    await now.click()
    await expect(desk.locator("#write-panel-handouts [data-error=to]")).to_have_text(
        "渡す相手を選んでください。"
    )
    await expect(secret).to_have_value("あなたは蛇の一族だ")
    await desk.locator("#write_to label", has_text="あゆみ").click()
    await now.click()
    await expect(desk.locator("#write-sheet")).not_to_be_visible()
    await expect(secret).to_have_value("")

    await expect(player.locator(".letter-away")).not_to_be_visible()
    await player.tap("#notice-inside > summary")
    await expect(player.locator("#notice-inside")).to_contain_text("あなたは蛇の一族だ")
    await player.tap(".letter-away")
    await expect(player.locator("[data-notice]")).to_have_count(0)

    before = await tops(desk)
    last = await desk.locator("#hand .hand, .gm-hand .hand").first.bounding_box()
    assert last
    assert last["y"] + last["height"] <= 800, "the GM's hand is in sight"
    await desk.click("#call .step-choice:nth-of-type(3)")
    await desk.click("#call-p1")
    await desk.fill("#call-label", "崖を登る")
    await desk.click("#call-form .btn.primary")
    await expect(desk.locator("#running")).to_contain_text("あゆみ")
    assert await tops(desk) == before
    # Nothing of it can be pressed before the check is over.
    await expect(desk.locator("#call")).to_be_hidden()
    await desk.click("#running form[data-move*=cancel] button")
    await expect(desk.locator("#call")).to_be_visible()


#: Which of these lie over one another, and which reach beyond the window.
OVER = """() => {
  const all = (part) => [...document.querySelectorAll(part)].filter((one) => one.checkVisibility());
  const shown = [".phone-table", "#hand .pick", ".phone-icons .btn", "#log-sheet"].flatMap((part) =>
    all(part).map((one) => [part, one.getBoundingClientRect()]));
  const found = new Set();
  for (const [part, a] of shown) {
    if (a.left < 0 || a.top < 0 || a.right > innerWidth || a.bottom > innerHeight + 1) found.add(part);
    for (const [other, b] of shown) {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      if (part < other && !apart) found.add(`${part} over ${other}`);
    }
  }
  return [...found];
}"""


async def test_a_player_at_a_laptop_has_table_hand_and_log_side_by_side(
    server: ThreadServer, laptop: Devices, table: Table, ayumi: Somebody
) -> None:
    page = await laptop(server, ayumi, at=table)
    for width, height in ((1024, 768), (1280, 800), (1920, 1080)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator("#log-sheet")).to_be_visible()
        await expect(page.locator("#hand .pick").first).to_be_visible()
        assert await page.evaluate(OVER) == []
        box = await page.locator(".phone-table").bounding_box()
        assert box
        assert box["width"] > width / 2, "the table has the room"


#: A whisper to the GM, as the form sends it.
WHISPERS = """async () => {
  const form = document.getElementById("chat-form"), sent = new FormData(form);
  sent.set("tab", "whisper");
  sent.set("text", "扉の裏を見ます");
  sent.set("client_id", "0123456789abcdef0123456789abcdef");
  sent.append("to", document.querySelector("#chat_with [name=to]").value);
  await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "application/json" } });
}"""


@pytest.fixture
def fight(session: Session, ayumi: Somebody, bo: Somebody, kei: Somebody) -> Table:
    """The first player's turn, with two foes on the scene and a check prepared."""
    PreparedCheck.objects.create(campaign=session.campaign, label="崖を登る", difficulty=3)
    seats = [sit(session, player.person) for player in (ayumi, bo, kei)]
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    arranged = Arranged({"p1": "h12", "p2": "c03", "p3": "c04"}, gm="h05 h08 s02 s03", deck="c02")
    arranged.change(npcs=[npc(), npc(id="n2", name="bat")])
    arranged.do("gm", "start_combat")
    table.snapshot = arranged.snapshot
    table.save()
    return table


async def test_the_gms_hand_is_in_sight_in_a_fight(
    server: ThreadServer, laptop: Devices, fight: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=fight)
    for turn in ("p1", "p2", "p3", "gm"):
        await expect(desk.locator(f"#turn[data-turn={turn}]")).to_be_visible()
        for card in await desk.locator(LAST_CARD).all():
            box = await card.bounding_box()
            assert box
            assert box["width"] >= 56
            assert box["y"] + box["height"] <= 800
        await desk.locator("#turn form[data-move*=end_turn] button").click()


#: Words of a strip, of the calls or of what waits that stand out of their column, and lines of the log.
CLIPPED = """() => [...document.querySelectorAll(".gm-left *, .gm-waits *")].filter((element) => {
  if (!element.checkVisibility() || element.children.length) return false;
  const column = element.closest(".gm-left, .gm-waits").getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return box.width && box.right > column.right + 1;
}).map((element) => element.outerHTML)"""


async def test_requests_to_the_gm_and_the_newest_log_line_stay_in_sight(
    server: ThreadServer, laptop: Devices, phone: Devices, fight: Table, gm: Somebody, bo: Somebody
) -> None:
    desk, two = await laptop(server, gm, at=fight), await phone(server, bo, at=fight)
    await expect(desk.locator(".gm-waits")).to_be_hidden()
    for foe in ("n1", "n2"):
        await desk.locator(f"#party-{foe} .strip-hp form:first-child button").click()
    # Whoever is down is out of the way, and nobody calls a check for them.
    await expect(desk.locator("#party > .strip.npc")).to_have_count(0)
    await expect(desk.locator("#fallen-npcs")).to_contain_text("倒れたNPC 2")
    await expect(desk.locator("#call-n1")).to_have_count(0)

    await two.evaluate(WHISPERS)
    waits = desk.locator(".gm-waits")
    await expect(waits).to_contain_text("立っている敵はもういません。")
    await expect(waits.locator("[data-whispers]")).to_contain_text("扉の裏を見ます")
    for width, height in ((1280, 800), (1024, 768), (820, 1180)):
        await desk.set_viewport_size({"width": width, "height": height})
        assert await desk.evaluate(CLIPPED) == []
        await expect(waits.locator("button").first).to_be_in_viewport(ratio=1)
    await desk.set_viewport_size({"width": 1280, "height": 800})
    for _ in range(5):
        turn = await desk.locator("#turn").get_attribute("data-turn")
        await desk.locator("#turn form[data-move*=end_turn] button").click()
        await expect(desk.locator(f"#turn[data-turn={turn}]")).to_have_count(0)
        await expect(desk.locator("#log > ol > li").last).to_be_in_viewport(ratio=1)
    await waits.locator("[data-whispers] button").click()
    await expect(desk.locator("#chat_whisper")).to_be_visible()
    await expect(waits.locator("[data-whispers]")).to_be_hidden()


async def test_all_tabs_beside_the_table_are_in_sight(
    server: ThreadServer, laptop: Devices, table: Table, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=table)
    last = await desk.locator("#gm-tab-notes").bounding_box()
    undo = await desk.locator("#undo .btn").bounding_box()
    assert last
    assert undo
    assert undo["x"] >= last["x"] + last["width"] or undo["y"] >= last["y"] + last["height"]


# The shipped scenario


class DeskState(NamedTuple):
    """A state of the shipped scenario at the table: the scene on stage, and what is asked for next."""

    scene: str
    #: Brings a table to it; gets the label of a check of the scenario.
    bring: Callable[[Arranged, str], object]
    in_sight: tuple[str, ...]


def meet_at_tower(at: Arranged) -> None:
    """Iwase and his three young men stand on the scene, with their special abilities."""
    special = "トンネルを守って三十年。攻撃は難易度2まで。HPが1以下になったら、鐘の舌を落とす。" * 2
    for name, rank in (("若い衆A", 1), ("若い衆B", 1), ("若い衆C", 1), ("岩瀬", 3)):
        at.add_npc(name=name, rank=rank, special=special)


def begin_fight(at: Arranged, label: str = "") -> None:
    meet_at_tower(at)
    at.do("gm", "start_combat")


def reach_gms_turn(at: Arranged, label: str = "") -> None:
    begin_fight(at)
    for _ in range(3):
        at.do("gm", "end_turn")


def call_check(at: Arranged, label: str) -> None:
    at.call("p1", 2, label=label, skill=True)


def offer_treatment(at: Arranged, label: str = "") -> None:
    """The second player is down in a fight, and the third has offered a treatment."""
    characters = at.state.characters
    characters["p2"].hp = 0
    at.change(characters=characters)
    begin_fight(at)
    at.do("p3", "declare", text="ボーを手当てする。")


def ask_to_interrupt(at: Arranged, label: str = "") -> None:
    begin_fight(at)
    at.do("gm", "end_turn")
    at.attack("p2", "n1", 3)
    at.do(
        "p1",
        "interrupt",
        npc=None,
        text="砂をつかんで、若い衆の目に投げつける。そのすきにボーを援護したい。" * 3,
    )


#: The cards before it lie beneath one another where there is little room.
LAST_CARD = "#hand .hand > :last-child .card"
CALL = ("#prepared button", "#call .call-end button", LAST_CARD)
STATES = {
    "scene": DeskState("station", lambda at, label: None, (*CALL, "#stage button", "#scene button")),
    "check": DeskState("station", call_check, (".board-task", ".board-difficulty b", "#running button")),
    "verdict": DeskState(
        "station",
        lambda at, label: (call_check(at, label), at.do("p1", "play", card="h12")),
        ("#outcomes span", "#outcomes button"),
    ),
    "contest": DeskState(
        "tower",
        lambda at, label: (meet_at_tower(at), at.contest("p1", "n4", 2)),
        (".board-task", ".board-difficulty b", "#running button"),
    ),
    "GM's turn": DeskState("tower", reach_gms_turn, ("#turn button", LAST_CARD)),
    "GM is asked": DeskState(
        "tower",
        lambda at, label: (reach_gms_turn(at), at.attack("n1", "p1", 2)),
        ("#prompt .say", "#commit button", LAST_CARD),
    ),
    "fallen": DeskState(
        "tower", offer_treatment, ("#rescue .interrupt p", "#rescue .interrupt .btn-row button")
    ),
    "interrupt": DeskState("tower", ask_to_interrupt, ("#interrupts .btn-row button",)),
}
ALWAYS = ("#log > ol > li:last-child li:last-child", "#board .board-caption", "button[data-open=end-sheet]")
SCREENS = ((1280, 800), (1024, 768), (1366, 768))


@pytest.mark.parametrize("language", ["ja", "en", "ko"])
async def test_in_every_state_of_the_shipped_scenario_the_desk_fits_its_screen(
    server: ThreadServer,
    laptop: Devices,
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
    language: str,
) -> None:
    """What is asked for next is in sight, and so is the newest line of log and chat."""

    def begin() -> tuple[Table, str]:
        scenario = shipped.copy_scenario(gm.person, "yukimachi", language)
        staging.choose_scenario(session=session, scenario=scenario)
        seats = [sit(session, player.person) for player in (ayumi, bo, kei)]
        for number in range(12):
            say(seats[0], f"雪を踏む音がする。{number}")
        document = editing.document_of(scenario)
        # All of them have been used: marks for screen readers stand far down in the script.
        Stage.objects.filter(session=session).update(used=[thing.id for thing in things(document)])
        scenes = document.scenes
        label = next(check.label for scene in scenes for check in scene.checks if check.id == "tracks")
        return opening.open_table(session=session, module_key="uroboros", players=seats), label

    def bring(state: DeskState) -> None:
        staging.show_scene(session=session, scene_id=state.scene)
        at = Arranged(
            {"p1": "h02 h12 x01 s05 c10", "p2": "c03 d09 s11", "p3": "s01 s13 d04 c08 h09"},
            gm="h05 h08 c05 d12",
            deck="x02 d11 c02 s08 h03 d05 c09 h11 s06",
            characters={seat: SHEETS[seat] for seat in ("p1", "p2", "p3")},
        )
        state.bring(at, label)
        put(table, at)
        for _ in range(3):
            play(table, "gm", b'{"type":"deal","seat":"p1","count":1}')

    table, label = await database_sync_to_async(begin)()
    desk = await laptop(server, gm)
    cookie = {"name": "django_language", "value": language, "url": server.lan_url}
    await desk.context.add_cookies([cookie])
    wrong: dict[str, object] = {}
    for name, state in STATES.items():
        await database_sync_to_async(bring)(state)
        await desk.goto(table.get_absolute_url())
        for width, height in SCREENS:
            await desk.set_viewport_size({"width": width, "height": height})
            place = f"{name}, {width}×{height}"
            for tab in ("#gm-tab-script", "#gm-tab-log"):
                await desk.click(tab)
                if await desk.evaluate("document.documentElement.scrollHeight > innerHeight"):
                    wrong[f"{place}: the page with {tab}"] = "scrolls"
            for part in state.in_sight:
                if not await desk.locator(part).locator("visible=true").count():
                    wrong[f"{place}: {part}"] = "is not there"
            if covered := await hidden(desk, *state.in_sight, *ALWAYS):
                wrong[place] = covered
            await desk.click("#gm-tab-chat")
            await expect(desk.locator("#chat_main .msg-text").last).to_be_in_viewport(ratio=1)
    assert wrong == {}


async def test_a_verdict_opens_its_prepared_words_and_a_press_reads_them_on_the_tv(
    server: ThreadServer,
    laptop: Devices,
    session: Session,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
) -> None:
    def begin() -> Table:
        scenario = shipped.copy_scenario(gm.person, "yukimachi", "ja")
        staging.choose_scenario(session=session, scenario=scenario)
        staging.show_scene(session=session, scene_id="station")
        seats = [sit(session, player.person) for player in (ayumi, bo, kei)]
        table = opening.open_table(session=session, module_key="uroboros", players=seats)
        named = {"p1": {"name": "あゆみ"}}
        hands = {"p1": "h12", "p2": "c03", "p3": "c04"}
        put(table, Arranged(hands, gm="h05 h08 s02 s03", deck="c02", characters=named))
        return table

    table = await database_sync_to_async(begin)()
    desk = await laptop(server, gm, at=table)
    tv = await laptop(server, at=f"/face/{session.face_key}/")
    await desk.click("#call-p1")
    await desk.locator("#prepared button", has_text="雪の上の足跡を読む").click()
    await expect(desk.locator("#running")).to_contain_text("あゆみを待っています")
    await expect(desk.locator("#outcomes")).to_be_hidden()
    await database_sync_to_async(play)(table, "p1", b'{"type":"play","card":"h12"}')

    words = desk.locator("#outcomes p:visible")
    await expect(words).to_have_count(1)
    await expect(words).to_contain_text("重いものを運ぶ四人が、峠の道へ。")
    await words.locator("button").click()
    await expect(tv.locator(".scenery-read")).to_contain_text("重いものを運ぶ四人が、峠の道へ。")
    await expect(words.locator("button")).to_have_attribute("aria-pressed", "true")
    await expect(tv.locator(".scenery-read")).not_to_contain_text("成功")
    await words.locator("button").click()
    await expect(tv.locator(".scenery-read")).not_to_contain_text("重いものを運ぶ")


async def test_an_offered_treatment_waits_for_the_gm_who_calls_it_by_one_press(
    server: ThreadServer, laptop: Devices, phone: Devices, fight: Table, gm: Somebody, kei: Somebody
) -> None:
    def fall() -> None:
        arranged = Arranged({"p1": "h12", "p2": "c03", "p3": "c04"}, gm="h05 h08 s02 s03", deck="c02")
        characters = arranged.state.characters
        characters["p2"].name, characters["p2"].hp, characters["p3"].name = "ボー", 0, "ケイ"
        arranged.change(characters=characters, npcs=[npc()])
        arranged.do("gm", "start_combat")
        put(fight, arranged)

    await database_sync_to_async(fall)()
    desk, healer = await laptop(server, gm, at=fight), await phone(server, kei, at=fight)
    await expect(desk.locator("#rescue form.interrupt")).to_have_count(0)
    await healer.tap("#fallen-p2 button")
    offer = desk.locator(".gm-waits #offer-p3-p2")
    await expect(offer).to_contain_text("ケイ")
    await expect(offer).to_contain_text("ボー")
    await expect(desk.locator("#party-p3 .strip-said")).to_be_visible()
    await offer.locator("button").click()
    await expect(healer.locator("#prompt .say")).to_contain_text("ボーの手当てです")
    await expect(desk.locator("#rescue form.interrupt")).to_have_count(0)
