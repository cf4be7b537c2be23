"""What a phone that was never here fetches for a table: how many files, and how many bytes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connection
from playwright.async_api import Page, expect

from sessions.engine.registry import registry
from sessions.evening import nights
from sessions.models import Campaign, Session, Table
from sessions.table import opening
from sessions.table.opening import Sitter
from tests.browser.test_home_screen import here
from tests.conftest import Somebody, _guest
from tests.evening import sit
from tests.servers import ProcessServer

MOST_REQUESTS, MOST_BYTES = 25, 78_000
#: The rings, targets and equipment of goodcop are the most of any game; the deal decides whose turn is drawn.
#: A dealt hand of uroboros with a court card loads their drawings (2,200 bytes), one without does not.
MORE_BYTES = {"goodcop": 82_900, "journey": 79_300, "uroboros": 80_700}


@pytest.fixture
def as_served(transactional_db: None, tmp_path: Path) -> Iterator[ProcessServer]:
    """A server with the product's own settings: files collected, compressed and named by what is in them."""
    server = ProcessServer(
        {
            "DJANGO_SETTINGS_MODULE": "companion.settings",
            "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
            "SECRET_KEY": settings.SECRET_KEY,
            "TAKUJO_VAR": str(tmp_path),
        }
    )
    server.manage("collectstatic", "--no-input", "--verbosity", "0")
    server.start()
    yield server
    server.kill()


def a_table(session: Session, key: str, players: list[Somebody]) -> Table:
    """A table with people, and with bots where a game wants more."""
    game = registry()[key]
    seats: list[Any] = [sit(session, player.person) for player in players]
    seats = seats[: max(game.seats)]
    missing = max(0, min(game.seats) - len(seats))
    return opening.open_table(
        session=session, module_key=key, players=[*seats, *[Sitter(None, "steady")] * missing]
    )


async def test_a_phone_that_was_never_here_gets_its_table_in_few_small_files(
    as_served: ProcessServer, phone: Any, gm: Somebody
) -> None:
    def a_first_session(key: str) -> tuple[Somebody, Table]:
        """Open a table of new people: a page grows with each session that they have played."""
        players = [_guest("あゆみ"), _guest("ボー")]
        campaign = Campaign.objects.create(gm=gm.person, name="無限の蛇")
        return players[0], a_table(nights.open_session(campaign=campaign, title="第一夜"), key, players)

    for key in sorted(registry()):
        player, table = await database_sync_to_async(a_first_session)(key)
        # As over https: the browser takes brotli, and keeps a copy of the page.
        one = await here(phone, as_served, player)
        fetched = await files_of(one, table)
        assert any(path.endswith(".css") for _, path in fetched), key
        assert len(fetched) <= MOST_REQUESTS, (key, sorted(fetched, reverse=True))
        assert sum(size for size, _ in fetched) <= MORE_BYTES.get(key, MOST_BYTES), (
            key,
            sorted(fetched, reverse=True),
        )


async def files_of(page: Page, table: Table) -> list[tuple[int, str]]:
    """Open a table and return the bytes and the path of each file that this took."""
    network = await page.context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    fetched: list[tuple[int, str]] = []
    network.on("Network.requestWillBeSent", lambda e: addresses.update({e["requestId"]: e["request"]["url"]}))
    network.on(
        "Network.loadingFinished",
        lambda e: fetched.append((int(e["encodedDataLength"]), urlsplit(addresses[e["requestId"]]).path)),
    )
    await network.send("Network.enable")
    await page.goto(table.get_absolute_url(), wait_until="networkidle")
    await expect(page.locator("#connection[data-state=on]")).to_be_attached()
    await expect(page.locator("html[data-kept]")).to_be_attached()
    return fetched
