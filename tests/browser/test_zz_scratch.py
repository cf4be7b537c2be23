from __future__ import annotations
import asyncio
from typing import Any
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect
from sessions.engine.step import encode
from sessions.models import Table
from sessions.table import opening
from tests.evening import play
from sessions.modules.liarmafia.tests.table import Game as LM

OUT="/tmp/bluffshots/"

def put(table, game):
    Table.objects.filter(pk=table.pk).update(snapshot=game.snapshot)

@pytest.mark.parametrize("which", ["lie","true"])
async def test_lm(server, phone, laptop, session, seats, gm, ayumi, bo, which):
    a, b = [p for p in seats]
    table = await database_sync_to_async(opening.open_table)(session=session, module_key="liarmafia", players=[a,b])
    one = await phone(server, ayumi)
    await database_sync_to_async(put)(table, LM("b^ pv","h^ pv"))
    one2 = await phone(server, ayumi, viewport={"width":320,"height":568}, color_scheme="light")
    two = await phone(server, bo); face = await laptop(server)
    await one.goto(table.get_absolute_url()); await two.goto(table.get_absolute_url()); await face.goto(f"/face/{session.face_key}/")
    await one2.goto(table.get_absolute_url())
    await one.wait_for_timeout(300)
    await one.screenshot(path=OUT+"lm-declare-goal.png")
    for _ in range(2):
        await one.locator("[data-understood]:visible").tap()
        await one.wait_for_timeout(200)
    await one.screenshot(path=OUT+"lm-declare.png"); await one2.screenshot(path=OUT+"lm-declare-320.png")
    act = "murder" if which=="lie" else "smuggle"
    await one.locator(f"#commit [data-move*='{act}'] button").first.click()
    await expect(two.locator("#table")).to_have_attribute("data-version","1")
    await two.wait_for_timeout(500)
    await two.screenshot(path=OUT+f"lm-react-{which}.png")
    await two.locator("#commit [data-move*='doubt'] button").tap()
    for n in range(8):
        await asyncio.gather(one.screenshot(path=OUT+f"lm-{which}-one-{n}.png"), two.screenshot(path=OUT+f"lm-{which}-two-{n}.png"), face.screenshot(path=OUT+f"lm-{which}-face-{n}.png"), one2.screenshot(path=OUT+f"lm-{which}-320-{n}.png"))
        await one.wait_for_timeout(60)
    await one.emulate_media(color_scheme="light")
    await two.reload(); await two.screenshot(path=OUT+f"lm-{which}-reloaded.png")
    print(await two.evaluate("document.documentElement.dataset.lively"))
    print(await one2.evaluate("document.documentElement.scrollWidth"))
