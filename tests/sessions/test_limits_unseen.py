"""Twins: all others are sent the same bytes for any proposer of a line or veil at the table."""

from __future__ import annotations

import json
import re
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from sessions.live import heartbeats
from sessions.models import Limit, Role, Session, Table
from tests.conftest import Somebody
from tests.evening import everybody_is_here, everybody_leaves, sit
from tests.phones import Phone, phone, timeless
from tests.servers import ThreadServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

WORDS = "蜘蛛の話"
#: Tokens, which are others every time, and the random id of the one proposal.
CHANGING = (
    r'csrfmiddlewaretoken" value="\w+'
    r"|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
)


@pytest.fixture(autouse=True)
def _soon(calm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages hear of nothing by the clock but of proposals, and of those soon."""
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.1)


async def propose(who: Somebody, session: Session) -> tuple[int, str]:
    post = database_sync_to_async(who.client.post)
    fields = {"limit-words": WORDS, "limit-kind": "line"}
    told = await post(f"/s/{session.pk}/limits/", fields, headers={"Accept": "application/json"})
    return told.status_code, told.content.decode()


async def pages_of(who: Somebody, session: Session, table: Table) -> list[str]:
    """A person's pages and files of this session, without the times of requests."""
    there = [f"/s/{session.pk}/", f"/s/{session.pk}/limits/", f"/s/{session.pk}/log/", f"/t/{table.pk}/"]
    get = database_sync_to_async(who.client.get)
    told = [(await get(address)).content.decode() for address in there]
    return [re.sub(CHANGING, "", timeless(html)) for html in told]


async def settle(pages: list[Phone]) -> None:
    """Wait until all pages have been sent what there is to send."""
    for page in pages:
        await page.pong()


async def evening(
    server: ThreadServer, session: Session, table: Table, crowd: list[Somebody], writer: Somebody
) -> tuple[list[str], list[list[str]]]:
    """Let ``writer`` propose at an open table; return what each page was sent, and what each person read."""
    await database_sync_to_async(Limit.objects.all().delete)()
    await database_sync_to_async(everybody_is_here)(session)
    path, read = f"/ws/tables/{table.pk}/", []
    async with AsyncExitStack() as stack:
        doors: list[tuple[Somebody | None, str]] = [(who, path) for who in crowd]
        doors.append((None, f"/ws/faces/{session.face_key}/"))
        pages = [await stack.enter_async_context(phone(server, who, at)) for who, at in doors]
        for page in pages[:-1]:
            await page.until_shown('hx-target="#limits"')
        await pages[-1].until_shown('hx-target="#entrance"')
        await settle(pages)
        for page in pages:
            page.bytes = ""
        assert (await propose(writer, session))[0] == 200
        waits = await Limit.objects.aget()
        await settle(pages)
        for who in crowd:
            read.append(await pages_of(who, session, table))
        assert all(WORDS not in html for told in read for html in told)
        assert all(set(json.loads(page.bytes)) == {"pong"} for page in pages), "nobody hears of the request"
        await Limit.objects.filter(pk=waits.pk).aupdate(shown_from=timezone.now() - timedelta(seconds=1))
        await pages[0].until_shown(WORDS)
        await settle(pages)
        for who in crowd:
            read.append(await pages_of(who, session, table))
        assert WORDS in read[len(crowd)][1], "told in the end"
        sent = [re.sub(CHANGING, "", timeless(page.bytes)) for page in pages]
    await everybody_leaves([seat async for seat in session.seats.all()])
    return sent, read


async def test_no_page_or_frame_tells_who_proposed_a_limit(
    server: ThreadServer,
    session: Session,
    table: Table,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
) -> None:
    await database_sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    crowd = [gm, ayumi, bo, kei]
    worlds = [await evening(server, session, table, crowd, writer) for writer in (ayumi, bo, ayumi)]
    (first, read_first), (second, read_second), _ = worlds
    assert first == second
    assert read_first == read_second
    assert not any(WORDS in sent for sent in first[1:])
