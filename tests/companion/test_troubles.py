"""An error of a host's machine is one sentence that names it, for every command, and no traceback."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.home import apart, refused, run, surroundings
from tests.servers import PATIENCE, ROOT, answers, free_port, listen, wait_until


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KEEP_NIGHTS_DAYS", "thirty"),
        ("TRUSTED_PROXIES", "-1"),
        ("HTTPS", "yes"),
        ("TZ", "Asia/Tokio"),
        ("LOG_FORMAT", "JSON"),
        ("DATABASE_URL", "postgres://takujo:canary@db:54x/takujo"),
        ("DATABASE_URL", "canary://db/takujo"),
        ("REDIS_URL", "redis:6379"),
        ("EMAIL_URL", "name:canary@mail.example:587"),
        ("PUBLIC_URL", "takujo.example"),
    ],
)
def test_an_invalid_setting_is_named_in_the_error(tmp_path: Path, name: str, value: str) -> None:
    said = refused("check", var=tmp_path, **{name: value})
    assert said.count(name) == 2, "in Japanese and English: no language is known yet"
    assert "canary" not in said


def test_an_empty_setting_counts_as_unset(tmp_path: Path) -> None:
    names = ["HTTPS", "KEEP_NIGHTS_DAYS", "TZ", "DATABASE_URL", "PUBLIC_URL", "LOG_FORMAT"]
    ended = run("check", var=tmp_path, **dict.fromkeys(names, ""))
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("command", [["play", "--no-qr"], ["migrate"], ["backup", "file"]])
def test_a_wrong_port_of_postgresql_is_reported_in_a_sentence(tmp_path: Path, command: list[str]) -> None:
    port = free_port()
    url = f"postgres://takujo:canary@127.0.0.1:{port}/takujo"
    said = refused(
        *command, var=tmp_path, DATABASE_URL=url, SECRET_KEY="long " * 20, ALLOWED_HOSTS="localhost"
    )
    assert f"PostgreSQL at 127.0.0.1:{port}" in said
    assert "DATABASE_URL" in said
    assert "canary" not in said


def test_a_server_without_its_database_logs_a_line_with_the_time(tmp_path: Path) -> None:
    port, nobody, log = free_port(), free_port(), tmp_path / "log"
    environment = surroundings(
        TAKUJO_VAR=str(tmp_path),
        DATABASE_URL=f"postgres://takujo@127.0.0.1:{nobody}/takujo",
        TZ="UTC",
        PYTHONWARNINGS="ignore",
    )
    with log.open("w") as out:
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            wait_until(lambda: answers(port))
            with pytest.raises(urllib.error.HTTPError, match="503"):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=PATIENCE)
            wait_until(lambda: "the database is away" in log.read_text())
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)
    assert "Traceback" not in log.read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d the database is away", log.read_text(), re.MULTILINE)


def test_every_command_reports_a_full_disk_in_a_sentence(tmp_path: Path) -> None:
    before = apart(f"mount -t tmpfs -o size=1m tmpfs {tmp_path}")
    assert "is full" in refused("migrate", "--verbosity", "0", var=tmp_path, before=before)
    assert "is full" in refused("collectstatic", "--noinput", "-v0", var=tmp_path, before=before)


@pytest.mark.usefixtures("migrated_home")
def test_a_taken_port_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with listen() as taken:
        port = str(taken.getsockname()[1])
        said = refused("serve", "--port", port, var=tmp_path)
        assert f"Port {port} is not free" in said
        assert "choose another port" in said
        assert f"ポート {port} " in refused("serve", "--port", port, var=tmp_path, lang="ja_JP.UTF-8")


@pytest.mark.parametrize("command", ["play", "serve", "doctor"])
def test_an_invalid_port_number_is_refused_by_name(tmp_path: Path, command: str) -> None:
    ended = run(command, "--port", "99999", var=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.endswith("argument --port: 0 to 65535\n")


@pytest.mark.usefixtures("migrated_home")
def test_doctor_reports_a_read_only_folder_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("long " * 20)
    closed = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,bind,ro {tmp_path}"
    ended = run("doctor", "--no-phone", var=tmp_path, before=apart(closed))
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.count("✗") == 2, ended.stdout
    assert "There is no backup" in ended.stdout


def test_help_lists_our_commands_and_no_others(tmp_path: Path) -> None:
    said = run("help", var=tmp_path, lang="C.UTF-8").stdout
    listed = re.findall(r"^  (\w+) ", said, re.MULTILINE)
    assert listed[0] == "play"
    assert {"backup", "restore", "createsuperuser", "startgame"} <= set(listed)
    assert not {"shell", "dbshell", "flush", "loaddata", "testserver", "compilemessages"} & set(listed)
    assert "スマートフォン" in said
