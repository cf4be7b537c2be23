"""A database of another version: one sentence for the host, and a server that says it is not ready."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from companion.observability import health
from companion.server import storage
from companion.server.environment import DATABASE_FILE
from tests.home import run, surroundings
from tests.servers import ROOT, ProcessServer, free_port

NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('play', '9999_later', 0)"
OLDER = "DELETE FROM django_migrations WHERE app = 'play' AND name = '0043_turn_calls'"
SAID = {
    ("newer", "en_GB.UTF-8"): "Update Takujō first",
    ("newer", "ja_JP.UTF-8"): "先に卓上コンパニオンを更新してください",
    ("older", "en_GB.UTF-8"): "Run “migrate” first",
    ("older", "ja_JP.UTF-8"): "先に「migrate」",
}


def change(var: Path, statement: str) -> None:
    with closing(sqlite3.connect(var / DATABASE_FILE)) as database, database:
        assert database.execute(statement).rowcount == 1


@pytest.mark.parametrize(("other", "lang"), SAID)
def test_a_server_refuses_a_database_of_another_version(migrated_home: Path, other: str, lang: str) -> None:
    change(migrated_home, {"newer": NEWER, "older": OLDER}[other])
    # An older one is brought up to date by "play".
    served = [f"{command} --port {free_port()}" for command in ("serve", "play")]
    said = refused_one_by_one(migrated_home, *served[: 2 if other == "newer" else 1], lang=lang)
    assert all(SAID[other, lang] in line for line in said)


def test_a_server_refuses_an_empty_database(tmp_path: Path) -> None:
    assert "Run “migrate” first" in run("serve", "--port", str(free_port()), var=tmp_path).stderr


#: What works on the rows of a database, as a host types it; what looks after the database; what needs none.
ON_THE_DATABASE = {
    "demo": "",
    "export_campaign": "1 campaign.takujo",
    "import_campaign": "campaign.takujo --gm gm",
    "prove": "",
    "thin_nights": "",
    "createsuperuser": "--noinput --username gm --email gm@takujo.example",
    "changepassword": "gm",
}
BY_THEMSELVES = {"play", "serve", "doctor", "prepare", "migrate", "backup", "restore", "rollback"}
WITHOUT_DATABASE = {
    *("startgame", "startmodule", "bench", "playthrough", "lab", "makemessages", "compile_catalogues"),
}
TYPED = """
import sys
from companion.command_line import main
for typed in sys.stdin:
    sys.argv = ["manage.py", *typed.split()]
    try:
        main()
    except SystemExit as end:
        assert end.code == 1, typed
    else:
        raise AssertionError(typed)
"""


def refused_one_by_one(var: Path, *typed: str, lang: str = "en_GB.UTF-8") -> list[str]:
    """Run commands in one process, of which each is refused; return the line that each of them says."""
    ended = subprocess.run(
        [sys.executable, "-c", TYPED],
        cwd=ROOT,
        env=surroundings(lang, TAKUJO_VAR=str(var), KEEP_NIGHTS_DAYS="30"),
        input="\n".join(typed),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    said = ended.stderr.splitlines()
    assert len(said) == len(typed), ended.stderr
    return said


def kept(var: Path) -> list[str]:
    with closing(sqlite3.connect(var / DATABASE_FILE)) as database:
        return list(database.iterdump())


@pytest.mark.parametrize("other", ["newer", "older", "empty"])
def test_every_command_refuses_a_database_of_another_version(
    request: pytest.FixtureRequest, tmp_path: Path, other: str
) -> None:
    var = tmp_path if other == "empty" else request.getfixturevalue("migrated_home")
    if other != "empty":
        change(var, {"newer": NEWER, "older": OLDER}[other])
    typed = [f"{name} {words}" for name, words in ON_THE_DATABASE.items()]
    if other == "newer":
        typed += ["prepare", f"backup {tmp_path / 'backup'}"]
    before = kept(var)
    expected = SAID["newer" if other == "newer" else "older", "en_GB.UTF-8"]
    said = refused_one_by_one(var, *typed)
    assert all(expected in line for line in said), said
    assert kept(var) == before


def test_every_command_is_listed_by_its_need_of_a_database(tmp_path: Path) -> None:
    listed = re.findall(r"^  (\w+) ", run("help", var=tmp_path).stdout, re.MULTILINE)
    assert set(listed) == ON_THE_DATABASE.keys() | BY_THEMSELVES | WITHOUT_DATABASE


def ask_health(server: ProcessServer) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{server.url}/health/ready/", timeout=40) as answer:
            return answer.status, json.load(answer)["database"]
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)["database"]


@pytest.mark.parametrize(("other", "statement"), [("newer", NEWER), ("older", OLDER)])
def test_a_server_on_a_database_of_another_version_is_not_ready(
    migrated_home: Path, other: str, statement: str
) -> None:
    change(migrated_home, statement)
    server = ProcessServer({"DATABASE_URL": f"sqlite:///{migrated_home / DATABASE_FILE}"})
    server.start()
    try:
        assert ask_health(server) == (503, other)
    finally:
        server.stop()


def test_a_server_stays_ready_while_a_newer_version_migrates(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "HOLDS", 0.0)
    before, after = health.Health(), health.Health()
    assert asyncio.run(before.services())["database"] == "ok"
    recorder = MigrationRecorder(connection)
    recorder.record_applied("play", "9999_later")
    try:
        assert asyncio.run(before.services())["database"] == "ok"
        assert asyncio.run(after.services())["database"] == "newer"
    finally:
        recorder.record_unapplied("play", "9999_later")


@pytest.mark.django_db
def test_a_database_made_by_this_version_counts_as_current() -> None:
    assert storage.schema_difference() is None
    assert {name.split(".")[0] for name in storage.latest_migrations()} == set(storage.OURS)
    assert not storage.is_newer(storage.latest_migrations())
    assert storage.is_newer([*storage.latest_migrations(), "play.9999_later"])
