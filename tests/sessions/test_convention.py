"""The phones of a convention come from one address: they join, sit down, and play, inside every limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from dataclasses import field as kept
from typing import Any

import pytest
from django.templatetags.static import static

from companion.identity import people
from companion.models import Person
from sessions.evening import nights
from sessions.models import Role, Session, Table
from sessions.table.opening import open_table
from tests.phones import Phone, Visitor, phone
from tests.servers import PATIENCE, ThreadServer

#: The phones that load a page, or begin their websocket, at a time.
AT_ONCE = 8
#: The address of the convention, as a proxy tells it.
HALL = "203.0.113.7"
DECLARED = {"type": "declare", "text": "x"}


@dataclass
class Hall:
    """The phones of a convention and the tables that they sit at, in turn."""

    server: ThreadServer
    phones: list[Visitor]
    sessions: list[Session]
    tables: list[Table] = kept(default_factory=list)

    def all_do(self, act: Callable[[Visitor, int, int], object]) -> None:
        """Let each phone act, given its number and that of its session."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [
                pool.submit(act, one, number, number % len(self.sessions))
                for number, one in enumerate(self.phones)
            ]:
                done.result(10 * PATIENCE)

    def join(self, one: Visitor, number: int, at: int) -> None:
        """Scan the code of a session, say a name, and see the session's page."""
        code = nights.join_url(self.sessions[at], "")
        one.get(self.server, code)
        assert one.post(self.server, code, name=f"n{number}", role="player") == f"/s/{self.sessions[at].pk}/"

    def begin_character(self, one: Visitor, number: int, at: int) -> None:
        one.post(self.server, "/characters/new/", method="standard")

    def look(self, one: Visitor, number: int, at: int) -> None:
        """Open the table's page with what it loads."""
        page = one.get(self.server, f"/t/{self.tables[at].pk}/")
        assert f"/ws/tables/{self.tables[at].pk}/" in page
        assert one.get(self.server, static("css/tokens.css"))

    async def play(self) -> None:
        """Open the websockets of all phones, which stay open, let each ping and move, and do it again."""
        gate, lines = asyncio.Semaphore(AT_ONCE), AsyncExitStack()

        async def open_line(number: int, one: Visitor) -> Phone:
            path = f"/ws/tables/{self.tables[number % len(self.tables)].pk}/"
            async with gate:
                line = await lines.enter_async_context(phone(self.server, one, path))
                await line.until_version(0)
                return line

        for _ in range(2):
            async with lines:
                for line in await asyncio.gather(*(open_line(*one) for one in enumerate(self.phones))):
                    await line.pong()
                    assert "accepted" in await line.play(DECLARED)


@pytest.mark.parametrize(
    ("phones", "sessions", "proxies"),
    [(16, 2, 0), (16, 2, 1), pytest.param(300, 40, 1, marks=pytest.mark.long)],
    ids=["few at home", "few behind a proxy", "300"],
)
@pytest.mark.django_db(transaction=True)
def test_phones_of_a_convention_join_and_play_from_one_address(
    server: ThreadServer,
    session: Session,
    settings: Any,
    phones: int,
    sessions: int,
    proxies: int,
) -> None:
    """All of it happens in one minute for the counters of tries, whose clock stands in tests."""
    settings.TRUSTED_PROXIES = proxies
    more = [nights.open_session(campaign=session.campaign, title=f"{n}") for n in range(1, sessions)]
    hall = Hall(server, [Visitor(HALL) for _ in range(phones)], [session, *more])
    hall.all_do(hall.join)
    assert len({one.cookies[people.COOKIE] for one in hall.phones}) == phones
    hall.all_do(hall.begin_character)
    for one in hall.sessions:
        players = list(one.seats.filter(role=Role.PLAYER))
        hall.tables.append(open_table(session=one, module_key="uroboros", players=players))
    hall.all_do(hall.look)
    asyncio.run(hall.play())
    assert Person.objects.filter(user=None).count() == phones
    for table in hall.tables:
        table.refresh_from_db()
    assert sum(table.version for table in hall.tables) == 2 * phones
