"""The ladder of a campaign under the GM's hands."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from sessions.models import Session
from tests.conftest import Somebody
from tests.servers import ThreadServer

pytestmark = pytest.mark.usefixtures("reference_rows")


async def test_a_row_of_the_ladder_describes_itself_before_and_after_saving(
    server: ThreadServer, laptop: Any, session: Session, gm: Somebody
) -> None:
    desk = await laptop(server, gm, at=f"/gm/campaigns/{session.campaign_id}/house-rules/")
    row = desk.locator("[data-rung]").nth(3)
    words = row.locator("[data-rung-words]")
    await expect(words).to_have_text("先に山札をめくる。 同じスートで、数字の差が5以内")
    await row.locator("select").select_option("suit")
    await row.locator('[data-step="1"]').click()
    await row.locator("[type=checkbox]").uncheck()
    await expect(words).to_have_text("同じスート、または数字の差が6以内")
    await desk.locator("[data-ladder] button:not([type])").first.click()
    await expect(desk.get_by_text("保存しました。")).to_be_visible()
    await expect(words).to_have_text("同じスート、または数字の差が6以内")
