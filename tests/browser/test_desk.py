"""The GM's desk: writing beside the table, and nothing that moves away under the cursor."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from sessions.models import PreparedCheck, Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.modules.uroboros.tests.test_checks import npc
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import sit
from tests.servers import ThreadServer

from .conftest import Devices

PLACES = ("#board", "#call", ".gm-hand")


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
        for card in await desk.locator(".gm-hand .hand .card").all():
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
