"""An update without a gap: workers of the version before are restarted in turn while people play."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.test import RequestFactory

from companion.pages.static_files import LaterFilesMiddleware
from tests import older, proxy
from tests.faults.ledger import Ledger
from tests.faults.phones import Phone
from tests.home import surroundings
from tests.hosted import environment, let_in, opened
from tests.servers import ROOT, Addresses, PostgresServer, ProcessServer, answers, free_port

#: Moves that are played before, between and after the restarts.
EACH = 15


@contextmanager
def workers_of_before(folder: Path, database: str, redis: str) -> Iterator[list[ProcessServer]]:
    """Two workers with the earlier code, on an earlier database."""
    code = older.unpack(folder / "before")
    settings = {"DJANGO_SETTINGS_MODULE": "companion.settings", "TAKUJO_VAR": str(folder / "var")}
    env = environment(database, redis) | settings | {"TRUSTED_PROXIES": "1"}
    workers = [ProcessServer(env, log=folder / "log", folder=code) for _ in range(2)]
    for command in (["compile_catalogues"], ["migrate"], ["collectstatic", "--noinput"]):
        workers[0].manage(*command, "--verbosity", "0")
    try:
        for worker in workers:
            worker.start()
        yield workers
    finally:
        for worker in workers:
            worker.kill()


@pytest.mark.long
async def test_workers_are_updated_one_by_one_while_people_play(
    postgres: PostgresServer, redis_url: str, tmp_path: Path
) -> None:
    database = postgres.database("rolling")
    with (
        workers_of_before(tmp_path, database, redis_url) as workers,
        proxy.before([worker.port for worker in workers], tmp_path) as front,
    ):
        gm = let_in(workers[0], workers[1])
        evening = opened(*workers, gm)
        ledger = Ledger()
        phones = [
            Phone(
                seat, {"path": evening.table_socket, "cookie": one.cookies["takujo"]}, [front.port], ledger, 7
            )
            for seat, one in (("p1", evening.one), ("p2", evening.two))
        ]
        for number, phone in enumerate(phones):
            phone.chance.seed(number)
            phone.plays = True
            phone.start()
        visits = asyncio.create_task(visit(front, gm, [evening.session, evening.table, "/"]))
        try:
            await until(lambda: len(ledger.accepted) >= EACH, visits)
            for worker in workers:
                worker.folder = ROOT
            assert "before-update" in await asyncio.to_thread(workers[0].manage, "prepare")
            for worker in workers:
                before = len(ledger.accepted)
                await until(lambda before=before: len(ledger.accepted) >= before + EACH, visits)
                await asyncio.to_thread(worker.stop)
                await asyncio.to_thread(worker.start)
            before = len(ledger.accepted)
            await until(lambda: len(ledger.accepted) >= before + EACH, visits)
            for phone in phones:
                phone.plays = False
            await until(lambda: all(phone.is_calm for phone in phones), visits)
            await until(lambda: {phone.version for phone in phones} == {len(ledger.accepted)}, visits)
        finally:
            visits.cancel()
            for phone in phones:
                await phone.stop()
        with psycopg.connect(database) as kept:
            rows = kept.execute("SELECT client_id::text, number FROM play_move ORDER BY number").fetchall()
        assert dict(rows) == ledger.accepted
        assert [number for _, number in rows] == list(range(1, len(rows) + 1))
        assert ledger.refused == {}
        assert ledger.problems == []
        assert any(phone.lines_lost for phone in phones), "a worker that ends sends its phones to the other"
        count = [sys.executable, "-m", "tests.keeping", "count"]
        told = subprocess.run(count, cwd=ROOT, env=workers[0].env, capture_output=True, text=True, check=True)
        assert told.stdout.rstrip().endswith(f"[{len(rows)}, {len(rows)}, true]}}"), "the log plays again"


async def visit(front: Addresses, gm: Any, paths: list[str]) -> None:
    """Open pages without end; one that does not open is an error."""
    while True:
        for path in paths:
            await asyncio.to_thread(gm.get, front, path)


async def until(holds: Any, visits: asyncio.Task[None], seconds: float = 60) -> None:
    """Wait until something holds, while pages open."""
    async with asyncio.timeout(seconds):
        while not holds():
            if visits.done():
                visits.result()
            await asyncio.sleep(0.02)


def test_a_worker_tells_systemd_when_it_takes_requests(migrated_home: Path, tmp_path: Path) -> None:
    port, told = free_port(), tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(told))
        systemd.settimeout(60)
        env = surroundings(TAKUJO_VAR=str(migrated_home), NOTIFY_SOCKET=str(told))
        serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
        worker = subprocess.Popen(serve, cwd=ROOT, env=env)
        try:
            assert systemd.recv(100) == b"READY=1"
            assert answers(port)
        finally:
            worker.kill()
            worker.wait()


def test_a_worker_serves_static_files_of_a_newer_version(tmp_path: Path, settings: Any, db: None) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    (settings.STATIC_ROOT / "css").mkdir(parents=True)
    (tmp_path / "secret-key").write_text("a key")
    middleware = LaterFilesMiddleware(lambda request: None)
    page = RequestFactory().get

    def answer(path: str) -> Any:
        return middleware(page(path))

    assert answer("/static/css/later.0123456789ab.css") is None
    (settings.STATIC_ROOT / "css" / "later.0123456789ab.css").write_text("body {}")
    later = answer("/static/css/later.0123456789ab.css")
    assert later.status_code == 200
    later.close()
    for path in (
        "/static/../secret-key",
        "/static/css",
        "/static/css/",
        "/static//css/later.0123456789ab.css",
    ):
        assert answer(path) is None
