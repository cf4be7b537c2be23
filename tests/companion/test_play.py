"""An evening at home from nothing: one command, run for real."""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest
from django.core.management import call_command

from companion import network
from companion.management.commands import play
from companion.models import Person, User
from tests.servers import ROOT, free_port, listen


def home(var: Path, lang: str = "C.UTF-8") -> dict[str, str]:
    """Return the environment of a terminal whose Takujō keeps its data in ``var``."""
    keep = {"PATH", "HOME", "LC_ALL"} & os.environ.keys()
    return {**{key: os.environ[key] for key in keep}, "TAKUJO_VAR": str(var), "LANG": lang, "PYTHONUTF8": "1"}


@contextmanager
def evening(var: Path, *options: str, lang: str = "C.UTF-8") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``manage.py play`` in a home of its own; yield the process and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "play", *options],
        cwd=ROOT,
        env=home(var, lang),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        printed = ""
        assert process.stdout
        while "Ctrl-C" not in printed:
            line = process.stdout.readline()
            assert line, printed
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.communicate()


def browser() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def here(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def gm_path(printed: str) -> str:
    found = re.search(r"http://[^/]+(/gm/enter/\S+)", printed)
    assert found, printed
    return found[1]


def test_an_evening_from_nothing_and_again(tmp_path: Path) -> None:
    port = free_port()
    gm = browser()
    with evening(tmp_path, "--port", str(port)) as (process, printed):
        assert f":{port}/" in printed
        assert "█" in printed, "a QR code"
        assert "同じWi-Fi" in printed
        page = gm.open(here(port) + gm_path(printed)).read().decode()
        assert "この卓のGMになる" in page
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        gm.open(here(port) + gm_path(printed), f"csrfmiddlewaretoken={token[1]}".encode())
        assert gm.open(here(port) + "/admin/").url.endswith("/admin/")
        css = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert css
        assert gm.open(here(port) + css[1]).status == 200
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=10)
        assert process.returncode == 0
        assert "Traceback" not in rest

    with evening(tmp_path, "--port", str(port), "--no-qr", lang="en_US.UTF-8") as (_, again):
        assert "█" not in again
        assert "same Wi-Fi" in again
        assert gm.open(here(port) + "/admin/").url.endswith("/admin/"), "a restart signs nobody out"
        assert gm_path(again) != gm_path(printed)
        with pytest.raises(HTTPError, match="410"):
            browser().open(here(port) + gm_path(printed))
    with sqlite3.connect(tmp_path / "takujo.sqlite3") as database:
        assert database.execute("select count(*) from companion_user where username = 'gm'").fetchone() == (
            1,
        )
    database.close()


def test_a_second_server_of_the_same_evening_is_refused(tmp_path: Path) -> None:
    with evening(tmp_path, "--no-qr", "--port", str(free_port())) as (first, printed):
        second = subprocess.run(
            [sys.executable, "manage.py", "play", "--port", str(free_port())],
            cwd=ROOT,
            env=home(tmp_path),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 1
        assert "すでに動いています" in second.stderr
        assert "Traceback" not in second.stderr
        assert not second.stdout
        port = re.search(r":(\d+)/", printed)
        assert port
        page = browser().open(here(int(port[1])) + gm_path(printed))
        assert page.status == 200, "the first one's GM link still opens"
        first.kill()
        first.wait()
    with evening(tmp_path, "--no-qr", "--port", str(free_port())):
        pass  # A server that was killed holds nobody up.


def test_a_port_somebody_else_has_is_said_or_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(play.CommandError, match=str(port)):
            play.listen("127.0.0.1", port)
        monkeypatch.setattr(play, "FIRST_PORT", port)
        with play.listen("127.0.0.1", None) as found:
            assert found.getsockname()[1] > port


def test_addresses_for_phones_come_before_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.5"])
    assert play.addresses("0.0.0.0", 8000) == ["http://192.168.1.5:8000/", "http://10.0.0.5:8000/"]
    assert play.addresses("127.0.0.1", 8000) == ["http://127.0.0.1:8000/"]
    assert play.addresses("::1", 8000) == ["http://[::1]:8000/"]
    monkeypatch.setattr(network, "lan_addresses", list)
    assert play.addresses("0.0.0.0", 8000) == ["http://localhost:8000/"]


def test_only_addresses_that_phones_can_reach_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["127.0.1.1", "169.254.3.4", "192.168.1.5", "192.168.1.5", "0.0.0.0"]
    monkeypatch.setattr(network, "_default_route", lambda: ["192.168.1.5"])
    monkeypatch.setattr(network, "_interfaces", lambda: found)
    monkeypatch.setattr(network, "_host_name", lambda: ["10.0.0.5"])
    assert network.lan_addresses() == ["192.168.1.5", "10.0.0.5"]


def test_a_machine_without_a_network_has_no_addresses_and_no_trouble() -> None:
    for address in network.lan_addresses():
        assert not address.startswith("127.")


def test_the_demo_adds_nothing_twice(db: None) -> None:
    call_command("demo")
    before = (User.objects.count(), Person.objects.count())
    call_command("demo")
    assert (User.objects.count(), Person.objects.count()) == before
    assert User.objects.get(username="gm").person.name == "GM"
