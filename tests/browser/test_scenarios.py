"""A scenario is written on its page, and put on from the desk by one tap."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from sessions.models import Scenario, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioCheck, ScenarioScene
from tests.conftest import Somebody
from tests.evening import play
from tests.servers import ThreadServer
from tests.sessions.test_trials import state_of

from .conftest import Devices


@pytest.fixture
def harbour(gm: Somebody, transactional_db: None) -> Scenario:
    pier = ScenarioScene(
        id="pier",
        title="桟橋",
        read="霧が深い。",
        notes="灯台守は嘘をついている。",
        mood="harbour",
        checks=[
            ScenarioCheck(id="trace", label="足跡をさがす", difficulty=3),
            ScenarioCheck(id="cliff", label="岩場を登る", kind="chain", difficulty=1),
            ScenarioCheck(id="sound", label="物音に気づく", kind="secret"),
            ScenarioCheck(id="talk", label="話を聞かせる", kind="contest", passive="灯台守"),
        ],
    )
    return editing.create_scenario(
        gm.person, Document(title="灯の消えた港", scenes=[pier, ScenarioScene(id="store", title="倉庫")])
    )


@pytest.fixture
def staged(session: Session, table: Table, harbour: Scenario) -> Table:
    staging.choose_scenario(session=session, scenario=harbour)
    return table


@database_sync_to_async
def kept(scenario: Scenario, scene: int = 0) -> ScenarioScene:
    scenario.refresh_from_db()
    return editing.document_of(scenario).scenes[scene]


async def test_text_typed_into_a_scenario_is_saved_despite_conflicts_and_outages(
    server: ThreadServer, laptop: Devices, gm: Somebody, harbour: Scenario
) -> None:
    laptop.expect("409|ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    address = f"/gm/scenarios/{harbour.pk}/"
    one, two = await laptop(server, gm), await laptop(server, gm)
    for page in (one, two):
        await page.goto(address)
        await page.click("#thing-pier > summary")
    # While it is typed.
    await one.press("#f-pier-title", "End")
    await one.keyboard.type("の先")
    await expect(one.locator("#kept[data-now=kept]")).to_have_text("すべて保存しました。")
    assert (await kept(harbour)).title == "桟橋の先"
    await expect(one.locator("#thing-pier > summary b")).to_have_text("桟橋の先")
    # In two windows: nothing is lost, and the later one chooses.
    await one.fill("#f-pier-notes", "灯台守は本当のことを言う。")
    await expect(one.locator("#kept[data-now=kept]")).to_be_visible()
    await two.fill("#f-pier-notes", "灯台守は黙っている。")
    wrong = two.locator(".written:has(#f-pier-notes) [data-wrong]")
    await expect(wrong).to_contain_text("灯台守は本当のことを言う。")
    await expect(two.locator("#f-pier-notes")).to_have_value("灯台守は黙っている。")
    await wrong.get_by_text("自分のほうを残す").click()
    await expect(two.locator("#kept[data-now=kept]")).to_be_visible()
    assert (await kept(harbour)).notes == "灯台守は黙っている。"
    # Without a line.
    await two.context.set_offline(True)
    await two.fill("#f-pier-read", "雨が降り出す。")
    await expect(two.locator("#kept[data-now=lost]")).to_be_visible()
    await two.context.set_offline(False)
    await expect(two.locator("#kept[data-now=kept]")).to_be_visible()
    assert (await kept(harbour)).read == "雨が降り出す。"
    # Together with a press that changes the page.
    await two.fill("#f-pier-caption", "夜の桟橋")
    await two.click("form[action$='/pier/add/cut_ins/'] button")
    await expect(two.locator("#thing-pier .thing-list .thing")).to_have_count(5)
    scene = await kept(harbour)
    assert scene.caption == "夜の桟橋"
    await expect(two.locator(f"#f-{scene.cut_ins[0].id}-words")).to_be_visible()


async def test_one_tap_puts_a_scene_on_and_one_more_calls_its_check(
    server: ThreadServer, laptop: Devices, phone: Devices, staged: Table, gm: Somebody, ayumi: Somebody
) -> None:
    desk, player = await laptop(server, gm, at=staged), await phone(server, ayumi, at=staged)
    await expect(player.locator("#scenery > *")).to_have_count(0)
    await desk.click("#stage .btn")
    await expect(player.locator(".scenery-open")).to_have_text("霧が深い。")
    await player.tap(".scenery > summary")
    await expect(player.locator(".scenery-title")).to_have_text("桟橋")
    assert "灯台守" not in await player.content()
    await desk.click("#gm-tab-script")
    await expect(desk.locator(".script-notes")).to_have_text("灯台守は嘘をついている。")
    await desk.click("#call-p1")
    await desk.locator("#prepared .btn").first.click()
    await expect(player.locator("#prompt")).to_contain_text("足跡をさがす")
    await expect(desk.locator("#prepared [data-used]")).to_have_count(1)
    await desk.click("#stage .btn")
    await expect(desk.locator("#stage-title")).to_have_text("倉庫")
    await expect(player.locator("#scenery > *")).to_have_count(0)


async def test_a_prepared_chain_or_secret_check_is_called_as_what_it_is(
    server: ThreadServer, laptop: Devices, phone: Devices, staged: Table, gm: Somebody, ayumi: Somebody
) -> None:
    desk, player = await laptop(server, gm, at=staged), await phone(server, ayumi, at=staged)
    await desk.click("#stage .btn")
    prompts = {"岩場を登る": "「岩場を登る」の連続判定です", "物音に気づく": "秘密判定「物音に気づく」です"}
    for label, said in prompts.items():
        await desk.click("#call-p1")
        await desk.locator("#prepared .btn", has_text=label).click()
        await expect(player.locator("#prompt")).to_contain_text(said)
        await desk.locator("#running").get_by_text("取りやめる").click()
        await expect(player.locator("#prompt")).not_to_contain_text(said)


async def test_a_prepared_contest_opens_filled_and_is_called_as_the_gm_corrects_it(
    server: ThreadServer, laptop: Devices, phone: Devices, staged: Table, gm: Somebody, ayumi: Somebody
) -> None:
    for name in ("番人", "灯台守"):
        move = json.dumps({"type": "add_npc", "name": name, "rank": 2}).encode()
        await database_sync_to_async(play)(staged, "gm", move)
    desk, player = await laptop(server, gm, at=staged), await phone(server, ayumi, at=staged)
    await desk.click("#stage .btn")
    await desk.click("#call-p1")
    await desk.locator("#prepared .btn", has_text="話を聞かせる").click()
    await expect(desk.locator("#contest-label")).to_have_value("話を聞かせる")
    await expect(desk.locator("#contest [name=difficulty]:checked")).to_have_value("2")
    await expect(desk.locator("#active-p1 input")).to_be_checked()
    await expect(desk.locator("#passive-n2 input")).to_be_checked()
    await expect(desk.locator("#prepared [data-used]")).to_have_count(0)  # nothing is asked yet
    await desk.locator("#contest [name='passive.skill']").check()
    await desk.locator("#contest button.primary").click()
    await expect(player.locator("#prompt")).to_contain_text("灯台守との対抗判定")
    state: Any = await database_sync_to_async(state_of)(staged)
    assert (state.task.kind, state.task.label, state.task.target) == ("contest", "話を聞かせる", "n2")
    assert state.task.sides[1].skill, "the GM ticked it in the sheet"
