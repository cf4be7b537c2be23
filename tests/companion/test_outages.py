"""Redis and PostgreSQL go away in the midst of an evening on two processes, and come back."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from pathlib import Path

import psycopg
import pytest

from tests.hosted import Evening, joined, let_in, opened, two_processes
from tests.phones import Phone, Visitor, phone
from tests.servers import PATIENCE, PostgresServer, ProcessServer, RedisServer

pytestmark = pytest.mark.long

#: Seconds within which a move is answered, whatever another table waits for.
AT_ONCE = 2.0
DECLARE = {"type": "declare", "text": "待つ"}


@pytest.fixture(scope="module")
def own_redis() -> Iterator[RedisServer]:
    """A Redis that these tests may stop."""
    redis = RedisServer()
    yield redis
    redis.stop()


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL that these tests may stop."""
    postgres = PostgresServer()
    yield postgres
    postgres.stop()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What both processes wrote."""
    return tmp_path_factory.mktemp("log") / "log"


@pytest.fixture(scope="module")
def processes(
    own_postgres: PostgresServer, own_redis: RedisServer, log: Path
) -> Iterator[list[ProcessServer]]:
    with two_processes(own_postgres.migrated("outages"), own_redis.url, log) as servers:
        yield servers


@pytest.fixture(scope="module")
def gm(processes: list[ProcessServer]) -> Visitor:
    return let_in(*processes)


@pytest.fixture
def evening(processes: list[ProcessServer], gm: Visitor) -> Evening:
    return opened(*processes, gm)


class Written:
    """The log lines from this call on."""

    def __init__(self, log: Path) -> None:
        self.log, self.from_here = log, log.stat().st_size if log.exists() else 0

    def lines(self, words: str = "") -> list[str]:
        text = self.log.read_bytes()[self.from_here :].decode()
        return [line for line in text.splitlines() if words in line]


async def beat_until(phone: Phone, words: str, seconds: float = PATIENCE) -> None:
    """Send heartbeats until something that was received holds these words."""
    end = time.monotonic() + seconds
    while words not in phone.bytes:
        assert time.monotonic() < end, phone.bytes[-500:]
        await phone.socket.send('{"ping": 1}')
        # One after another, as pages do: whoever sends many at once is sent away.
        while '"pong"' not in await phone.receive():
            if words in phone.bytes:
                return


def health(server: ProcessServer) -> tuple[int, dict[str, str]]:
    try:
        with urllib.request.urlopen(f"{server.url}/health/", timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)


async def until_health(server: ProcessServer, status: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await asyncio.to_thread(health, server))[1]["status"] != status:
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
async def test_a_session_goes_on_without_redis(
    evening: Evening, own_redis: RedisServer, log: Path, how: signal.Signals
) -> None:
    written = Written(log)
    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
        phone(evening.b, evening.gm, evening.lobby_socket) as desk,
    ):
        await one.open_log()
        await two.open_log()
        try:
            own_redis.process.send_signal(how)
            await until_health(evening.a, "degraded")
            # Moves, on either process, answered as played, and played once.
            move = str(uuid.uuid4())
            assert (await one.play(DECLARE, id=move))["accepted"] == 1
            assert (await one.play(DECLARE, id=move))["accepted"] == 1
            # The other process hears nothing, and asks the database.
            await beat_until(two, 'data-version="1"')
            assert (await two.play({"type": "declare", "text": "登る"}))["accepted"] == 2
            await one.pong()
            # Pages, those that count tries too; a new guest; a new line.
            for path in ["/", evening.table, evening.session, f"/j/{evening.code}/"]:
                await asyncio.to_thread(evening.one.get, evening.a, path)
            new = await asyncio.to_thread(joined, evening.b, evening.code, "ケイ")
            # A change of the evening is seen on both processes.
            await beat_until(one, "ケイ")
            await beat_until(desk, "ケイ")
            async with phone(evening.a, new, evening.lobby_socket) as late:
                await late.until_shown("ケイ")
                await late.pong()
        finally:
            if how == signal.SIGSTOP:
                own_redis.process.send_signal(signal.SIGCONT)
            else:
                own_redis.process.wait()
                own_redis.start()
        await until_health(evening.a, "ok")
        await until_health(evening.b, "ok")
        # Heard by the other process at once: no heartbeat is sent from here on.
        assert (await one.play({"type": "declare", "text": "また会えた"}))["accepted"] == 3
        await two.until_shown("また会えた")
    assert written.lines("Traceback") == []
    assert 2 <= len(written.lines("redis is away (")) <= 4, "one line a process, and few if it wavers"
    assert len(written.lines("redis is back")) == len(written.lines("redis is away ("))


async def test_players_do_not_notice_a_restart_of_postgresql(
    evening: Evening, own_postgres: PostgresServer, log: Path
) -> None:
    written = Written(log)
    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
    ):
        await one.until_version(0)
        await two.until_version(0)
        # As many connections as a server has after a busy hour.
        await asyncio.gather(
            *(asyncio.to_thread(evening.one.get, evening.a, evening.table) for _ in range(12))
        )
        await asyncio.to_thread(own_postgres.halt)
        sent = await one.send(DECLARE)
        await asyncio.to_thread(own_postgres.start)
        began = time.monotonic()
        if "accepted" not in (answer := await one.answer("accepted", "data")):
            assert answer == {"data": 0}
            await beat_until(one, '"data": 1')
            answer = await one.play(DECLARE, id=sent, version=0)
        assert answer["accepted"] == 1
        await two.until_version(1)
        await two.pong()
        assert time.monotonic() - began < 4
        await asyncio.to_thread(evening.two.get, evening.b, evening.table)
    assert evening.log().count("待つ") == 1
    assert written.lines("Traceback") == []


async def test_pages_report_a_missing_postgresql_quickly_and_moves_wait(
    evening: Evening, own_postgres: PostgresServer, log: Path
) -> None:
    def asked(language: str, data: bytes | None = None) -> tuple[int, Message, str]:
        headers = {**evening.one.headers, "Accept-Language": language}
        request = urllib.request.Request(evening.a.url + evening.table, data, headers)
        try:
            urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.headers, refusal.read().decode()
        raise AssertionError("there is no database")

    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
    ):
        await one.until_version(0)
        await two.until_version(0)
        written = Written(log)
        await asyncio.to_thread(own_postgres.halt)
        try:
            move = await one.send(DECLARE)
            assert await one.answer("accepted", "refused", "data") == {"data": 0}, "and no other answer"
            began = time.monotonic()
            answers = await asyncio.gather(*(asyncio.to_thread(asked, "ja") for _ in range(10)))
            assert time.monotonic() - began < 5
            for status, headers, html in answers:
                assert status == 503
                assert headers["Retry-After"] == "5"
                assert "no-store" in headers["Cache-Control"]
                assert 'http-equiv="refresh"' in html
                assert "少しお待ちください" in html
            assert "One moment" in (await asyncio.to_thread(asked, "en"))[2]
            status, _, html = await asyncio.to_thread(asked, "ja", b"sent=something")
            assert (status, "http-equiv" in html) == (503, False), "what was sent is not asked for as a page"
            assert "届いていないかもしれません" in html
            await one.pong()
            assert await one.answer("data") == {"data": 0}
            async with phone(evening.b, evening.one, evening.table_socket) as late:
                assert await late.closing_code() == 1013
            status, told = await asyncio.to_thread(health, evening.a)
            assert (status, told["status"], told["database"]) == (503, "down", "away")
            with urllib.request.urlopen(f"{evening.a.url}/health/live/") as answer:
                assert answer.status == 200
        finally:
            await asyncio.to_thread(own_postgres.start)
        await beat_until(one, '"data": 1')
        assert (await one.play(DECLARE, id=move, version=0))["accepted"] == 1
        assert (await one.play(DECLARE, id=move, version=0))["accepted"] == 1
        await beat_until(two, 'data-version="1"')
    assert evening.log().count("待つ") == 1
    assert written.lines("Traceback") == []
    assert len(written.lines("database is away (")) <= 2
    assert written.lines("database is back")


async def test_a_locked_row_holds_up_its_own_table_alone(evening: Evening) -> None:
    other = replace(evening, table=await asyncio.to_thread(evening.open_table))
    table_pk = int(evening.table.split("/")[2])
    async with (
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.a, evening.two, evening.table_socket) as beside,
        phone(evening.a, other.one, other.table_socket) as elsewhere,
    ):
        for device in (one, beside, elsewhere):
            await device.until_version(0)
        with psycopg.connect(evening.a.env["DATABASE_URL"]) as locking:
            locking.execute("SELECT 1 FROM play_table WHERE id = %s FOR UPDATE", [table_pk])
            sent = await one.send({"type": "declare", "text": "待つ"})
            told, version = asyncio.create_task(beside.answer("stalled")), 0
            while not told.done():
                began, version = time.monotonic(), version + 1
                assert (await elsewhere.play({"type": "declare", "text": "登る"}))["accepted"] == version
                assert time.monotonic() - began < AT_ONCE
            assert await told == {"stalled": 1}
            async with phone(evening.a, other.two, other.table_socket) as late:
                await late.until_version(version)
        answer = await one.answer()
        assert (answer["id"], answer["accepted"]) == (sent, 1)
        assert await beside.answer("stalled") == {"stalled": 0}
        await beside.until_version(1)
    assert evening.log().count("待つ") == 1


def test_a_query_that_takes_too_long_is_ended(processes: list[ProcessServer]) -> None:
    """Only where pages are served: a migration may take its time."""
    show = "from django.db import connection as c; k = c.cursor(); k.execute('SHOW statement_timeout'); "
    code = show + "print(k.fetchone()[0])"
    serving = "import companion.asgi; " + code
    told = [processes[0].manage("shell", "-v0", "-c", each).split()[-1] for each in (serving, code)]
    assert told == ["15s", "0"]
    assert re.fullmatch(r"\d+s", told[0])
