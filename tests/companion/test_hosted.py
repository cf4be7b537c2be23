"""An evening on a hosted table: two ASGI processes that share PostgreSQL and Redis, and nothing else."""

from __future__ import annotations

import asyncio
import html
import re
import uuid
from collections.abc import Iterator

import pytest

from tests.hosted import Evening, let_in, opened, two_processes
from tests.phones import Phone, Visitor, phone
from tests.servers import PostgresServer, ProcessServer

EACH = 20


@pytest.fixture(scope="module")
def processes(postgres: PostgresServer, redis_url: str) -> Iterator[list[ProcessServer]]:
    with two_processes(postgres.migrated("evening"), redis_url) as servers:
        yield servers


@pytest.fixture(scope="module")
def gm(processes: list[ProcessServer]) -> Visitor:
    """The GM, let in by a link from the terminal."""
    return let_in(*processes)


@pytest.fixture
def evening(processes: list[ProcessServer], gm: Visitor) -> Evening:
    return opened(*processes, gm)


async def test_a_move_played_on_one_process_arrives_on_the_other(evening: Evening) -> None:
    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
    ):
        await one.open_log()
        await two.open_log()
        assert (await one.play({"type": "declare", "text": "登る"}))["accepted"] == 1
        await two.until_version(1)
        assert (await two.play({"type": "declare", "text": "待つ"}))["accepted"] == 2
        await one.until_version(2)
        assert "登る" in two.bytes
        assert "待つ" in one.bytes


async def test_moves_on_two_processes_at_once_are_not_lost_or_doubled(evening: Evening) -> None:
    async def talk(device: Phone, name: str) -> dict[str, int]:
        """Send everything at once; return the version that each id was accepted as."""
        ids = [await device.send({"type": "declare", "text": f"{name} {number}"}) for number in range(EACH)]
        answers = [await device.answer() for _ in ids]
        assert all("accepted" in answer for answer in answers), answers
        return {answer["id"]: answer["accepted"] for answer in answers}

    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
    ):
        await one.until_version(0)
        await two.until_version(0)
        by_one, by_two = await asyncio.gather(talk(one, "one"), talk(two, "two"))
        assert len(by_one) == len(by_two) == EACH
        assert sorted([*by_one.values(), *by_two.values()]) == list(range(1, 2 * EACH + 1))
        await one.until_version(2 * EACH)
        await two.until_version(2 * EACH)
    said = sorted(re.findall(r"(?:one|two) \d+", evening.log()))
    assert said == sorted(f"{name} {number}" for name in ("one", "two") for number in range(EACH))


async def test_a_move_resent_to_another_process_gets_the_same_answer(evening: Evening) -> None:
    """The phone reconnects, the proxy leads it elsewhere, and it asks again what became of its move."""
    client_id, move = str(uuid.uuid4()), {"type": "declare", "text": "一度だけ"}
    async with phone(evening.a, evening.one, evening.table_socket) as one:
        await one.until_version(0)
        first = await one.play(move, id=client_id)
        asked = one.asked
    async with phone(evening.b, evening.one, evening.table_socket) as one:
        await one.until_version(1)
        assert await one.play(move, id=client_id, version=0, asked=asked) == first
        assert (await one.play({"type": "declare", "text": "次"}))["accepted"] == 2
    assert evening.log().count("一度だけ") == 1


async def test_words_sent_to_another_process_between_a_page_and_its_websocket_are_shown(
    evening: Evening,
) -> None:
    page = evening.one.get(evening.a, evening.table)
    [socket] = re.findall(r'hx-ws:connect="([^"]+)"', page)
    said = {"tab": "main", "text": "その間に", "id": str(uuid.uuid4())}
    evening.two.post(evening.b, f"{evening.session}chat/", **said)
    async with phone(evening.a, evening.one, html.unescape(socket)) as one:
        await one.until_shown("その間に")


async def test_presence_on_one_process_is_seen_on_the_other(evening: Evening) -> None:
    async with phone(evening.b, evening.gm, evening.lobby_socket) as desk:
        await desk.until_shown("ボー")
        assert 'data-state="here"' not in desk.bytes
        async with phone(evening.a, evening.two, evening.table_socket):
            await desk.until_shown('data-state="here"')
        await desk.until_shown('data-state="away"')


async def test_a_kick_on_one_process_closes_the_phone_on_the_other(evening: Evening) -> None:
    seat = re.findall(rf"{evening.session}seats/\d+/remove/", evening.gm.get(evening.a, evening.session))[-1]
    async with (
        phone(evening.a, evening.one, evening.table_socket) as stays,
        phone(evening.b, evening.two, evening.table_socket) as kicked,
    ):
        await stays.until_version(0)
        await kicked.until_version(0)
        await asyncio.to_thread(evening.gm.post, evening.a, seat)
        assert await kicked.closing_code() == 4404
        assert (await stays.play({"type": "declare", "text": "まだいる"}))["accepted"] == 1
    async with phone(evening.a, evening.two, evening.table_socket) as again:
        assert await again.closing_code() == 4404
