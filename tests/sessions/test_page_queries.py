"""What a page asks the database for: nothing twice, and nothing a seat or character more."""

from __future__ import annotations

import html
import re
from contextlib import AsyncExitStack
from typing import Any

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext

from sessions.evening import announcements, nights, safety
from sessions.live import heartbeats, page_base
from sessions.live.consumer_base import GONE
from sessions.models import Role, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import in_database, ws_path
from tests.nights import played, say
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of all threads from here on."""
    asked: list[str] = []
    execute = CursorWrapper.execute

    def noted(self: CursorWrapper, sql: Any, params: Any = None) -> Any:
        asked.append(str(sql))
        return execute(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", noted)
    return asked


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked up or announced by the clock."""
    for name in ("COLLECT_FOR", "CHECK_EVERY", "COLLECT_PRESENCE_FOR"):
        monkeypatch.setattr(heartbeats, name, 3600)


async def loaded(server: ThreadServer, who: Somebody, table: Table) -> str:
    """Load the page of a table; return the address of its websocket."""
    host = {"Host": server.url.partition("//")[2]}
    page = await in_database(who.client.get, table.get_absolute_url(), headers=host)
    [socket] = re.findall(r'hx-ws:connect="([^"]+)"', page.content.decode())
    return html.unescape(socket)


def test_a_gms_pages_stay_below_their_number_of_queries(
    session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    table = played(session, ayumi.person, bo.person)
    for page, most in ((table, 33), (session, 30)):
        with CaptureQueriesContext(connection) as asked:
            assert gm.client.get(page.get_absolute_url()).status_code == 200
        sql = [query["sql"] for query in asked.captured_queries]
        assert len(sql) <= most, "\n".join(sql)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("reference_rows")
def test_a_players_pages_stay_below_their_number_of_queries(
    session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    table = played(session, ayumi.person, bo.person)
    ayumi.client.get(table.get_absolute_url())  # The process knows the table from now on.
    for who, on_table, in_lobby in ((ayumi, 20, 22), (bo, 22, 24)):
        for page, most in ((table, on_table), (session, in_lobby)):
            with CaptureQueriesContext(connection) as asked:
                assert who.client.get(page.get_absolute_url()).status_code == 200
            sql = [query["sql"] for query in asked.captured_queries]
            assert len(sql) <= most, "\n".join(sql)


def test_a_lobby_needs_as_many_queries_for_many_characters_as_for_few(
    session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    counts: list[int] = []
    played(session, ayumi.person, bo.person)
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            gm.client.get(session.get_absolute_url())
        counts.append(len(asked))
        seats: Any = session.seats.exclude(character=None)
        seats.filter(pk=seats.last().pk).update(character=None)
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_a_websocket_stays_below_its_number_of_statements(
    server: ThreadServer, table: Table, bo: Somebody, statements: list[str]
) -> None:
    socket = await loaded(server, bo, table)
    statements.clear()
    async with phone(server, bo, socket) as device:
        await device.until_shown('hx-target="#chat_main"')
        assert len(statements) <= 3, "\n".join(statements)
        await device.pong()
        statements.clear()
        await device.pong()
        assert statements == [], "a heartbeat asks nothing"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_a_page_is_sent_the_words_that_came_between_its_loading_and_its_websocket(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody
) -> None:
    socket = await loaded(server, bo, table)
    await in_database(say, seats[0], "その間に")
    async with phone(server, bo, socket) as device:
        await device.until_shown("その間に")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_a_websocket_sends_what_it_would_render_where_it_takes_over_a_requests_regions(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody, statements: list[str]
) -> None:
    await in_database(say, seats[0], "ボーさんだけに", "whisper", seats[1])
    socket = await loaded(server, bo, table)
    sent: list[dict[str, str]] = []
    counts: list[int] = []
    for _ in range(2):
        statements.clear()
        async with phone(server, bo, socket) as device:
            await device.until_shown('hx-target="#chat_main"')
            sent.append(dict(re.findall(r'hx-target="#(\w+)"[^>]*>(.*?)</hx-partial>', device.bytes, re.S)))
        counts.append(len(statements))
        await in_database(announcements.announce_parts, table.session_id, "care")
    assert counts[0] < counts[1], "the second one renders"
    for regions in sent:
        del regions["pulse"]  # has the time
    assert sent[0] == sent[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_a_seat_that_was_taken_between_its_page_and_its_websocket_gets_nothing(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody
) -> None:
    await in_database(say, seats[0], "ボーさんだけに", "whisper", seats[1])
    socket = await loaded(server, bo, table)
    await in_database(lambda: nights.remove_seat(seat=seats[1]))
    async with phone(server, bo, socket) as device:
        assert await device.closing_code() == GONE
        assert "ボーさんだけに" not in device.bytes


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_a_websocket_gets_nothing_that_was_rendered_for_another_persons_page(
    server: ThreadServer, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    gm_seat = await in_database(lambda: table.session.seats.get(role=Role.GM))
    await in_database(say, seats[0], "GMにだけ", "whisper", gm_seat)
    socket = await loaded(server, ayumi, table)
    async with phone(server, bo, socket) as device:
        await device.until_shown('hx-target="#chat_main"')
        assert "GMにだけ" not in device.bytes


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
async def test_phones_that_return_together_share_what_they_read(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    statements: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_base, "COLLECT_FOR", 1.0)

    async def statements_for(*people: Somebody) -> int:
        statements.clear()
        async with AsyncExitStack() as stack:
            devices = [await stack.enter_async_context(phone(server, who, ws_path(table))) for who in people]
            for device in devices:
                await device.until_shown('hx-target="#chat_main"')
            return len(statements)

    alone = await statements_for(bo)
    assert await statements_for(bo, bo, ayumi) <= alone + 20


def test_a_round_of_checks_asks_once_for_all_sessions_and_locks_nothing(
    session: Session, table: Table
) -> None:
    others = [Session.objects.create(campaign=session.campaign, title=f"{n}", code=f"{n:06}") for n in (1, 2)]
    pks = [session.pk, *[other.pk for other in others]]
    with CaptureQueriesContext(connection) as asked:
        heartbeats.presence_by_session(pks)
        safety.announce_due_proposals(pks)
    assert [query["sql"].split()[0] for query in asked.captured_queries] == ["SELECT", "SELECT"]
