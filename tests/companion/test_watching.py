"""The facts that a host sees of a running server, without keys, names and words of people."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings as ours
from django.db import connection
from psycopg.errors import DiskFull

from companion.fallback.outages import record_database_error
from companion.observability import health, logs
from companion.observability.health import HealthMiddleware
from companion.requests import queue, throttle
from companion.version import version
from sessions.models import Seat, Table
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import (
    PATIENCE,
    ROOT,
    Addresses,
    ProcessServer,
    ThreadServer,
    answers,
    free_port,
    wait_until,
)

TOKEN = "a token for numbers"


def ask(server: Addresses, path: str, method: str = "GET", **headers: str) -> tuple[int, str, Any]:
    request = urllib.request.Request(server.url + path, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode(), refusal.headers


def numbers(server: Addresses) -> dict[str, float]:
    """Return what Prometheus would read."""
    status, text, _ = ask(server, "/metrics", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    rows = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in rows}


def grown(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {
        name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)
    }


# Health


@pytest.mark.parametrize("path", ["/health/", "/health/ready/", "/health/live/"])
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "evil.example"])
def test_health_endpoints_answer_for_any_host_name(
    server: ThreadServer, settings: Any, path: str, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["takujo.example"]
    settings.SECURE_SSL_REDIRECT = True
    status, body, headers = ask(server, path, Host=host)
    assert (status, json.loads(body)["status"]) == (200, "ok")
    assert headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in headers
    assert ask(server, path, "HEAD", Host=host)[:2] == (200, "")
    assert ask(server, path, "POST", Host=host)[0] == 405


def test_health_names_the_services_of_this_server_its_version_and_nothing_else(server: ThreadServer) -> None:
    told = json.loads(ask(server, "/health/")[1])
    assert told == {"status": "ok", "database": "ok", "disk": "ok", "moves": "ok", "version": version()}
    assert ask(server, "/health/else/")[0] == 404


def test_health_reports_a_full_or_missing_disk(server: ThreadServer, settings: Any, tmp_path: Path) -> None:
    def told() -> tuple[int, str, str]:
        status, body, _ = ask(server, "/health/ready/")
        return status, json.loads(body)["status"], json.loads(body)["disk"]

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        wait_until(lambda: told() == (503, "down", "full"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    settings.VAR_DIR = tmp_path / "unplugged"
    wait_until(lambda: told() == (503, "down", "closed"))
    assert ask(server, "/health/live/")[0] == 200


async def test_the_liveness_endpoint_does_not_ask_the_database() -> None:
    """Without the mark for it, pytest-django lets no test touch the database."""
    said: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await HealthMiddleware(None)({"path": "/health/live/", "method": "GET", "headers": []}, None, send)
    assert said[0]["status"] == 200


# Numbers


def test_metrics_need_the_token(server: ThreadServer, settings: Any) -> None:
    assert ask(server, "/metrics", Authorization="Bearer ")[0] == 404, "off by default"
    settings.METRICS_TOKEN = TOKEN
    for told in ["", "Bearer ", "Bearer wrong", TOKEN, f"Basic {TOKEN}"]:
        status, body, _ = ask(server, "/metrics", Authorization=told)
        assert (status, "takujo_" in body) == (404, False), told
    assert "takujo_moves_total" in ask(server, "/metrics", Authorization=f"Bearer {TOKEN}")[1]


def test_metrics_have_the_time_of_the_newest_backup(
    server: ThreadServer, settings: Any, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN, settings.BACKUP_DIR = TOKEN, tmp_path / "backups"
    assert numbers(server)["takujo_backup_timestamp_seconds"] == 0
    settings.BACKUP_DIR.mkdir()
    for day in (23, 25, 24):
        (settings.BACKUP_DIR / f"takujo-202611{day}T043000Z.backup.age").touch()
    newest = datetime(2026, 11, 25, 4, 30, tzinfo=UTC)
    assert numbers(server)["takujo_backup_timestamp_seconds"] == newest.timestamp()


async def test_metrics_count_moves_refusals_and_open_pages(
    server: ThreadServer, settings: Any, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = numbers(server)
    async with (
        phone(server, ayumi, f"/ws/tables/{table.pk}/") as one,
        phone(server, bo, f"/ws/sessions/{table.session_id}/") as lobby,
    ):
        await one.until_version(0)
        await lobby.pong()
        move = str(uuid.uuid4())
        for _ in range(2):
            await one.play({"type": "declare", "text": "待つ"}, id=move)
        assert (await one.play({"type": "undo", "of": "カナリア"}))["refused"] == "malformed_move"
        assert (await one.play({"type": "play", "card": 0}))["refused"]
        now = grown(before, numbers(server))
    moves = {name: value for name, value in now.items() if name.startswith("takujo_moves_total")}
    assert moves == {
        'takujo_moves_total{module="uroboros",outcome="accepted"}': 1,
        'takujo_moves_total{module="uroboros",outcome="again"}': 1,
        'takujo_moves_total{module="uroboros",outcome="refused"}': 2,
    }
    assert now['takujo_refusals_total{code="malformed_move"}'] >= 1
    assert now["takujo_move_duration_seconds_count"] == 2
    assert now['takujo_sockets{kind="table"}'] == now['takujo_sockets{kind="lobby"}'] == 1
    assert "カナリア" not in str(numbers(server))


def test_metrics_with_known_labels_begin_at_zero(server: ThreadServer, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    now = numbers(server)
    assert now[f'takujo_build_info{{version="{version()}"}}'] == 1
    for known in (
        'moves_total{module="journey",outcome="refused"}',
        'sockets{kind="face"}',
        'service_errors_total{cause="full",service="disk"}',
        'service_errors_total{cause="away",service="redis"}',
        'queue_waiting{queue="heavy"}',
        'turned_away_total{cause="queue"}',
        'turned_away_total{cause="guest"}',
        'http_request_duration_seconds_count{status="5xx"}',
    ):
        assert f"takujo_{known}" in now


@pytest.mark.django_db
def test_metrics_count_pages_and_visitors_beyond_a_limit(
    server: ThreadServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise throttle.TooManyRequests(1)

    settings.METRICS_TOKEN = TOKEN
    before = numbers(server)
    for path, status in [("/", 200), ("/no/such/page/", 404), ("/health/", 200)]:
        assert ask(server, path)[0] == status
    limit = throttle.Windows("wrong-key", ((1, 60),))
    limit.demand("somebody")
    with pytest.raises(throttle.TooManyRequests):
        limit.demand("somebody")
    monkeypatch.setattr(queue.RequestQueue, "join", refuse)
    assert ask(server, "/")[0] == 429
    now = grown(before, numbers(server))
    assert now['takujo_http_request_duration_seconds_count{status="2xx"}'] == 1, "health is no page"
    assert now['takujo_http_request_duration_seconds_count{status="4xx"}'] == 2
    assert now['takujo_turned_away_total{cause="queue"}'] == 1
    assert now['takujo_turned_away_total{cause="wrong-key"}'] == 1


async def test_metrics_tell_how_long_loop_and_thread_let_work_wait(
    server: ThreadServer, settings: Any
) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = numbers(server)
    asyncio.get_running_loop().call_later(health.PAUSE / 2, time.sleep, 0.3)
    await health.measure_waits()
    now = grown(before, numbers(server))
    assert now['takujo_wait_duration_seconds_count{of="loop"}'] >= 1
    assert now['takujo_wait_duration_seconds_sum{of="loop"}'] > 0.2
    assert now['takujo_wait_duration_seconds_count{of="thread"}'] >= 1


def _sqlite_error(code: int) -> sqlite3.Error:
    problem = sqlite3.OperationalError()
    problem.sqlite_errorcode = code
    return problem


@pytest.mark.parametrize(
    ("problem", "service", "cause"),
    [
        (_sqlite_error(sqlite3.SQLITE_FULL), "disk", "full"),
        (_sqlite_error(sqlite3.SQLITE_READONLY), "disk", "closed"),
        (_sqlite_error(sqlite3.SQLITE_BUSY), "database", "locked"),
        (DiskFull(), "database", "full"),
        (sqlite3.OperationalError(), "database", "failed"),
    ],
)
def test_metrics_count_refused_writes_by_cause(
    server: ThreadServer, settings: Any, problem: Exception, service: str, cause: str
) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = numbers(server)
    record_database_error(problem)
    now = grown(before, numbers(server))
    assert now[f'takujo_service_errors_total{{cause="{cause}",service="{service}"}}'] == 1


@pytest.mark.long
async def test_processes_that_share_a_folder_add_up_their_metrics(
    transactional_db: None, table: Table, ayumi: Somebody, bo: Somebody, tmp_path: Path
) -> None:
    env = {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "SECRET_KEY": ours.SECRET_KEY,
        "METRICS_TOKEN": TOKEN,
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
    }
    one, two = ProcessServer(env), ProcessServer(env)
    try:
        one.start()
        two.start()
        path = f"/ws/tables/{table.pk}/"
        async with phone(one, ayumi, path) as first, phone(two, bo, path) as second:
            for each in (first, second):
                await each.until_version(0)
                assert "accepted" in await each.play({"type": "declare", "text": "待つ"})
            for server in (one, two):
                now = numbers(server)
                assert now['takujo_moves_total{module="uroboros",outcome="accepted"}'] == 2
                assert now['takujo_sockets{kind="table"}'] == 2
            two.kill()
            left = numbers(one)
            assert left['takujo_sockets{kind="table"}'] == 1, "a dead process shows no pages"
            assert left['takujo_moves_total{module="uroboros",outcome="accepted"}'] == 2, "its moves count"
    finally:
        one.kill()
        two.kill()


# What nobody may see


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("/gm/enter/Canary-_1/", "/gm/enter/…/"),
        ("/gm/enter/Canary-_1", "/gm/enter/…"),
        ("/j/482913/?next=Canary", "/j/…/"),
        ("/j/482913/mine/state/", "/j/…/mine/state/"),
        ("/j/482913", "/j/…"),
        ("/account/password/new/9-Canary/", "/account/password/new/…/"),
        ("/c/shared/Canary.json", "/c/shared/….json"),
        ("http://a.example:8000/seat/Canary/", "/seat/…/"),
        ("/t/12/log/?page=2", "/t/12/log/"),
        ("/s/3/seats/4/remove/", "/s/3/seats/4/remove/"),
        ("/ws/tables/12/?lang=ja&as=Canary", "/ws/tables/12/"),
        ("/ws/faces/0b8e2c2a-52b0-4c3e-9d2f-canary/", "/ws/faces/…"),
        ("/no/such/Canary/482913/", "/…/…/…/…/"),
        ("//[Canary", "…"),
    ],
)
def test_keys_in_logged_addresses_are_hidden(told: str, kept: str) -> None:
    assert logs.redact_text(f"GET {told} HTTP/1.1") == f"GET {kept} HTTP/1.1"


def test_keys_in_the_addresses_of_all_pages_are_hidden() -> None:
    """In the addresses of all pages: every value but the numbers of rows."""
    from tests.companion.test_guards import routes

    shown = []
    for route in routes():
        filled = re.sub(r"<int:\w+>", "7", route)
        filled = re.sub(r"<uuid:\w+>", "11111111-2222-4333-8444-555555555555", filled)
        filled = re.sub(r"<(?:str|slug):\w+>", "Canary482913", filled)
        told = logs.redact_text(f"/{filled}")
        if re.search("Canary|482913|11111111", told) or (told.count("7") != route.count("<int:")):
            shown.append((route, told))
    assert shown == []


def test_email_addresses_in_the_log_are_hidden() -> None:
    assert logs.redact_text("refused: {'kei@example.com': (550)}") == "refused: {'…': (550)}"


class Sentry(BaseHTTPRequestHandler):
    """What Sentry would receive."""

    received: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # The reporter takes brotli where it is there.
        unpack = {"gzip": gzip.decompress, "br": brotli.decompress}.get(
            self.headers["Content-Encoding"], bytes
        )
        body = unpack(body)
        self.received.append(f"{self.path}\n{self.headers}\n{body.decode()}")
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def sentry() -> Iterator[tuple[str, list[str]]]:
    """The address to report to, and what was reported."""
    received: list[str] = []
    port = free_port()
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Here", (Sentry,), {"received": received}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://public@127.0.0.1:{port}/1", received
    server.shutdown()
    server.server_close()


class CommandLine(Addresses):
    """uvicorn by the command in the README, with its access log and an app where things fail."""

    def __init__(self, log: Path, **env: str) -> None:
        self.port, self.log = free_port(), log
        self.env = {**os.environ, **env, "DJANGO_SETTINGS_MODULE": "tests.settings"}

    def __enter__(self) -> CommandLine:
        command = [sys.executable, "-m", "uvicorn", "tests.failing_app:application", "--port", str(self.port)]
        options = ["--loop", "uvloop", "--ws", "websockets-sansio", "--lifespan", "off"]
        with self.log.open("w") as out:
            words = [*command, *options]
            self.process = subprocess.Popen(words, cwd=ROOT, env=self.env, stdout=out, stderr=out)
        wait_until(lambda: answers(self.port))
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture
def renamed(table: Table, ayumi: Somebody) -> Table:
    """A table where a name can be found again."""
    Seat.objects.filter(person=ayumi.person).update(name="カナリア")
    return table


CANARIES = ["Canary", "482913", "カナリア", "11111111-2222", "canary@example.com"]


@pytest.mark.long
@pytest.mark.parametrize("form", ["json", "plain"])
async def test_log_and_error_reports_hold_no_keys_names_or_words_of_people(
    transactional_db: None,
    renamed: Table,
    ayumi: Somebody,
    tmp_path: Path,
    sentry: tuple[str, list[str]],
    form: str,
) -> None:
    dsn, received = sentry
    table = renamed
    paths = [
        "/gm/enter/Canary-token/",
        "/gm/enter/Canary-token",
        "/j/482913/?name=Canary",
        "/seat/Canary-token/",
        "/face/11111111-2222-4333-8444-555555555555/",
        "/account/password/new/9-Canary/",
        "/characters/shared/Canary/",
        "/Canary/482913/?mail=canary@example.com",
    ]
    env = {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "SECRET_KEY": ours.SECRET_KEY,
        "LOG_FORMAT": form,
        "SENTRY_DSN": dsn,
    }
    log = tmp_path / "log"
    with CommandLine(log, **env) as server:
        for path in paths:
            ask(server, path, Cookie="takujo=Canary-cookie", Authorization="Bearer Canary")
        chat = {"csrfmiddlewaretoken": "c" * 32, "client_id": uuid.uuid4(), "tab": "main", "text": "カナリア"}
        request = urllib.request.Request(
            f"{server.url}/s/{table.session_id}/chat/",
            urllib.parse.urlencode(chat).encode(),
            {"Cookie": f"{ayumi.headers['Cookie']}; csrftoken={'c' * 32}", "Referer": f"{server.url}/Canary"},
        )
        with pytest.raises(urllib.error.HTTPError, match="500"):
            urllib.request.urlopen(request)
        async with phone(server, ayumi, f"/ws/tables/{table.pk}/?lang=Canary482913") as one:
            await one.until_version(0)
            answer = await one.play({"type": "declare", "text": "カナリア"})
            assert answer["refused"] == "our_fault"
        async with phone(server, ayumi, "/ws/faces/11111111-2222-4333-8444-555555555555/") as face:
            await face.closing_code()
        wait_until(lambda: len([one for one in received if '"exception"' in one]) >= 2, what="the reports")
    written = log.read_text()
    for canary in CANARIES:
        assert canary not in written
        assert canary not in "".join(received)
        assert json.dumps(canary)[1:-1] not in written + "".join(received)
    # And yet both can be used: which page, where it failed, at which table.
    assert "/gm/enter/…/" in written
    assert "failing_app.py" in written
    events = [json.loads(line) for one in received for line in one.splitlines() if '"exception"' in line]
    assert [event["exception"]["values"][-1]["type"] for event in events] == ["ValueError"] * 2
    assert events[-1]["tags"]["table"] == str(table.pk)
    numbers = {event["tags"]["request"] for event in events}
    assert all(re.fullmatch("[0-9a-f]{12}", number) and number in written for number in numbers)
    if form == "json":
        lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
        failed = [line for line in lines if line["level"] == "error"]
        assert {line["table"] for line in failed if "move" in line["message"]} == {table.pk}
        assert all(line["request"] in numbers for line in failed)
        assert len(lines) == len(written.splitlines()), "nothing but lines of JSON"
