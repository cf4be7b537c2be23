"""The servers of a hosted table, for real: PostgreSQL, Redis, and several ASGI processes that share them."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from django.db import connection
from websockets.asyncio.client import connect

from sessions.game_tests import serving
from sessions.models import Table
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import (
    IN_A_THREAD,
    IN_THE_LOOP,
    PATIENCE,
    ROOT,
    PostgresServer,
    ProcessServer,
    ThreadServer,
    answers,
    free_port,
    wait_until,
)


@pytest.fixture(scope="module")
def hosted(postgres: PostgresServer, redis_url: str) -> dict[str, str]:
    """The environment of a hosted table with a migrated database."""
    return {
        "DATABASE_URL": postgres.migrated("hosted"),
        "REDIS_URL": redis_url,
        "SECRET_KEY": "a hosted table has a key of its own, long enough to be no warning",
        "ALLOWED_HOSTS": "127.0.0.1",
    }


def test_pages_work_on_postgresql_and_redis(hosted: dict[str, str]) -> None:
    server = ProcessServer(hosted)
    server.start()
    try:
        for path in ["/", "/health/", "/admin/login/"]:
            with urllib.request.urlopen(server.url + path) as answer:
                assert answer.status == 200
    finally:
        server.kill()


def test_ending_a_session_and_undoing_a_move_do_not_deadlock(
    hosted: dict[str, str],
) -> None:
    code = "from tests.sessions.queueing import end_while_somebody_takes_back as race; race()"
    printed = ProcessServer(hosted).manage("shell", "-v0", "-c", code)
    assert sorted(printed.splitlines()) == ["end done", "take_back done"]


@pytest.mark.long
@pytest.mark.parametrize("words", [IN_A_THREAD, IN_THE_LOOP])
async def test_a_process_that_hangs_ends_itself_and_logs_where(
    transactional_db: None, table: Table, ayumi: Somebody, tmp_path: Path, words: str
) -> None:
    env = {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}"}
    log, app = tmp_path / "log", "tests.hanging_app:application"
    server = ProcessServer(env, app, log, is_watched=True)
    server.start()
    process = server.process
    assert process
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as one:
        await one.until_version(0)
        answer = asyncio.create_task(one.play({"type": "declare", "text": words}))
        await asyncio.to_thread(wait_until, lambda: process.poll() is not None)
        answer.cancel()
    assert process.returncode == 1
    assert "hanging_app.py" in log.read_text()
    assert words not in log.read_text()


@pytest.mark.parametrize("is_stuck", [False, True])
async def test_the_orderly_end_of_a_busy_server_logs_no_traceback(
    transactional_db: None, table: Table, ayumi: Somebody, bo: Somebody, tmp_path: Path, *, is_stuck: bool
) -> None:
    file, log = connection.settings_dict["NAME"], tmp_path / "log"
    server = ProcessServer({"DATABASE_URL": f"sqlite:///{file}"}, log=log, is_watched=True)
    server.start()
    process = server.process
    assert process
    socket = f"/ws/tables/{table.pk}/"
    async with phone(server, ayumi, socket) as one, phone(server, bo, socket) as two:
        await one.until_version(0)
        await two.until_version(0)
        with closing(sqlite3.connect(file, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            for each in (one, two):
                await each.send({"type": "declare", "text": "はい"})
                await each.socket.send('{"ping": 1}')
            process.terminate()
            assert [await each.closing_code() for each in (one, two)] == [1012, 1012]
            if is_stuck:
                await asyncio.to_thread(wait_until, lambda: process.poll() is not None)
        await asyncio.to_thread(process.wait, PATIENCE)
    assert "Traceback" not in log.read_text()
    assert ("Cancel 2 running task(s)" in log.read_text()) == is_stuck


def test_the_app_answers_a_server_with_lifespan_events() -> None:
    own = ProcessServer({})
    command = [sys.executable, "-m", "uvicorn", "companion.asgi:application", "--lifespan", "on"]
    server = subprocess.Popen([*command, "--port", str(own.port)], cwd=ROOT, env=own.env)
    try:
        wait_until(lambda: server.poll() is not None or answers(own.port))
        assert server.poll() is None, "it ended before it served anybody"
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_processes_of_a_test_run_get_different_ports() -> None:
    given = [port for number in range(serving.PROCESSES) for port in serving.ports_of(f"gw{number}")]
    assert len(set(given)) == len(given)
    assert max(given) < 32_768, "where outgoing connections take theirs"
    assert len({free_port() for _ in range(serving.EACH // 2)}) == serving.EACH // 2, "none soon again"


async def test_two_processes_broadcast_to_each_other_through_redis(hosted: dict[str, str]) -> None:
    processes = [ProcessServer(hosted, app="tests.layer_app:application") for _ in range(2)]
    try:
        for process in processes:
            process.start()
        async with AsyncExitStack() as stack:
            one, two = [
                await stack.enter_async_context(connect(process.ws("/"), origin=process.url))
                for process in processes
            ]
            assert await one.recv() == await two.recv() == "here"
            for _ in range(3):
                await one.send("版 7")
                assert [await one.recv(), await two.recv()] == ["版 7", "版 7"]
    finally:
        for process in processes:
            process.kill()


async def test_one_process_broadcasts_to_its_pages_without_redis(transactional_db: None) -> None:
    own = ThreadServer("tests.layer_app:application")
    own.start()
    try:
        async with connect(own.ws("/"), origin=own.url) as one, connect(own.ws("/"), origin=own.url) as two:
            assert await one.recv() == await two.recv() == "here"
            await one.send("hello")
            assert [await one.recv(), await two.recv()] == ["hello", "hello"]
    finally:
        own.stop()
