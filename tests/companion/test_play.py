"""An evening at home from nothing: one command, run for real."""

from __future__ import annotations

import http.cookiejar
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import HTTPError

import ifaddr
import pytest
from django.core.management import call_command

from companion.management.commands import play
from companion.models import Person, User
from companion.server import network
from companion.server.environment import DATABASE_FILE
from tests import home
from tests.home import ELSEWHERE, HERE, Terminal, apart, gm_path, surroundings
from tests.phones import Visitor, joined, opened, phone
from tests.servers import PATIENCE, ROOT, Addresses, PostgresServer, answers, free_port, listen, wait_until

everywhere = pytest.mark.parametrize("on", [HERE, ELSEWHERE], ids=["here", "elsewhere"])


def at_home(var: Path, lang: str = "C.UTF-8", on: Sequence[str] = HERE) -> Terminal:
    """A terminal whose Takujō keeps its data in ``var``."""
    return Terminal(surroundings(lang, TAKUJO_VAR=str(var)), on)


def refused(var: Path, before: Sequence[str] = (), lang: str = "C.UTF-8") -> str:
    """Run ``play``, which is to end by itself; return the one line that it says."""
    return home.refused("play", "--no-qr", "--port", str(free_port()), var=var, before=before, lang=lang)


class Home(Addresses):
    """A server that ``play`` started."""

    def __init__(self, play: subprocess.Popen[str], port: int) -> None:
        self.port = port
        self.play = play

    def server(self) -> int | None:
        """Return the id of the process that serves now."""
        children = Path(f"/proc/{self.play.pid}/task/{self.play.pid}/children").read_text().split()
        return int(children[0]) if children else None

    def die(self, of: signal.Signals) -> None:
        """Let the server die, and wait until another one is there."""
        wait_until(self.server)
        died = self.server()
        assert died
        os.kill(died, of)
        wait_until(lambda: self.server() not in (None, died) and answers(self.port))


def browser() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def here(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@everywhere
def test_an_evening_from_nothing_and_again(
    tmp_path: Path, on: Sequence[str], migrated_database: Path
) -> None:
    if on is ELSEWHERE:  # Migrations are the same everywhere, the files that it collects are not.
        shutil.copyfile(migrated_database, tmp_path / DATABASE_FILE)
    port = free_port()
    gm = browser()
    opens, link = tmp_path / "browser", tmp_path / "link"
    opens.write_text(f'#!/bin/sh\necho "$1" > {link}.new; mv {link}.new {link}\n')
    opens.chmod(0o700)
    terminal = Terminal(surroundings(TAKUJO_VAR=str(tmp_path), BROWSER=str(opens)), on)
    with terminal.evening("--port", str(port), "--open") as (process, printed):
        wait_until(link.exists, what="this machine's browser")
        assert link.read_text().strip().endswith(gm_path(printed))
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
        for path in ("/worker.js", "/offline/", "/manifest.webmanifest", "/help/gm/"):
            assert gm.open(here(port) + path).status == 200, "with the files' hashed names, too"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert "Traceback" not in rest
    assert not (tmp_path / "copies").exists(), "a home where nobody was has nothing to be kept"

    with at_home(tmp_path, "en_US.UTF-8", on).evening("--port", str(port), "--no-qr") as (_, again):
        assert "█" not in again
        assert "same Wi-Fi" in again
        assert gm.open(here(port) + "/admin/").url.endswith("/admin/"), "a restart signs nobody out"
        assert gm_path(again) != gm_path(printed)
        with pytest.raises(HTTPError, match="410"):
            browser().open(here(port) + gm_path(printed))
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        assert database.execute("select count(*) from companion_user where username = 'gm'").fetchone() == (
            1,
        )


@pytest.mark.usefixtures("prepared_home")
def test_a_server_in_a_container_shows_the_host_that_the_gm_used(tmp_path: Path) -> None:
    table, gm = Addresses(), Visitor()
    table.port = free_port()
    with at_home(tmp_path).evening("--port", str(table.port), "--in-container") as (_, printed):
        assert "█" not in printed, "a QR code of an address that no phone reaches"
        assert f"http://<このサーバー>:{table.port}/gm/enter/" in printed
        gm.get(table, gm_path(printed))
        gm.post(table, gm_path(printed))
        session = opened(table, gm)[0]
        assert f'class="address">{table.host}<' in gm.get(table, session)


@pytest.mark.usefixtures("prepared_home")
@everywhere
def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path, on: Sequence[str]) -> None:
    port = free_port()
    with at_home(tmp_path, on=on).evening("--no-qr", "--port", str(port)) as (first, printed):
        assert "すでに動いています" in refused(tmp_path)
        assert "すでに動いています" in home.refused("serve", var=tmp_path, lang="ja_JP.UTF-8")
        page = browser().open(here(port) + gm_path(printed))
        assert page.status == 200, "the first one's GM link still opens"
        first.kill()
        first.wait()
    wait_until(lambda: not answers(port), what="the end of the server whose window was closed")
    with at_home(tmp_path, on=on).evening("--no-qr", "--port", str(port)):
        pass  # A server that was killed holds nobody up.


@pytest.mark.usefixtures("prepared_home")
def test_workers_share_hosted_data_with_each_other_and_never_with_play(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    hosted = {"DATABASE_URL": postgres.migrated("workers"), "SECRET_KEY": "a worker has a key, too " * 3}
    with worker(tmp_path):
        assert "すでに動いています" in refused(tmp_path)
        assert "already runs" in home.refused("serve", var=tmp_path), "with SQLite and without Redis"
    with worker(tmp_path, **hosted) as first, worker(tmp_path, **hosted) as second:
        assert "すでに動いています" in refused(tmp_path)
        assert (first.poll(), second.poll()) == (None, None)


@contextmanager
def worker(var: Path, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``serve`` until the block ends."""
    port = free_port()
    command = [*HERE, "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=surroundings(TAKUJO_VAR=str(var), **env))
    try:
        wait_until(lambda: process.poll() is not None or answers(port))
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.usefixtures("prepared_home")
@everywhere
async def test_a_server_that_dies_comes_back_with_every_move(tmp_path: Path, on: Sequence[str]) -> None:
    port = free_port()
    with at_home(tmp_path, on=on).evening("--no-qr", "--port", str(port)) as (process, printed):
        table, gm = Home(process, port), Visitor()
        table.die(signal.SIGKILL)
        gm.get(table, gm_path(printed))
        gm.post(table, gm_path(printed))
        session, code = opened(table, gm)
        player = joined(table, code, "あゆみ")
        seat = re.findall(r'name="seat" value="(\d+)"', gm.get(table, session))[0]
        cards = gm.post(table, f"{session}tables/", module="uroboros", seat=seat)
        socket = f"/ws{cards.replace('/t/', '/tables/')}"
        async with phone(table, player, socket) as one:
            await one.until_version(0)
            assert (await one.play({"type": "declare", "text": "落ちる前に登る"}))["accepted"] == 1
        table.die(signal.SIGSEGV)
        assert "落ちる前に登る" in gm.get(table, f"{cards}log/")
        async with phone(table, player, socket) as one:
            await one.until_version(1)
            assert (await one.play({"type": "declare", "text": "また登る"}))["accepted"] == 2
            table.die(signal.SIGSTOP)
        async with phone(table, player, socket) as one:
            await one.until_version(2)
            assert (await one.play({"type": "declare", "text": "まだ登る"}))["accepted"] == 3
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert rest.count("サーバーが途中で止まりました。") == 2
        assert rest.count("サーバーが応答しなくなりました。") == 1
        assert "1秒後にもう一度起動します。" in rest
        assert "Traceback" not in rest
        assert not answers(port), "ended for good"


@pytest.mark.parametrize(
    ("damage", "lang", "said"),
    [
        (lambda file: b"no database at all" * 1000, "C.UTF-8", "データベースが壊れています"),
        (lambda file: file[:40_000] + b"\1" * 40_000 + file[80_000:], "en_US.UTF-8", "is damaged"),
    ],
)
def test_the_play_command_reports_a_damaged_database_in_a_sentence(
    tmp_path: Path, damage: Callable[[bytes], bytes], lang: str, said: str
) -> None:
    path = tmp_path / DATABASE_FILE
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table lines (line)")
        database.executemany("insert into lines values (?)", [("a line that fills a file",)] * 10_000)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    assert said in refused(tmp_path, lang=lang)
    assert path.read_bytes()[100:] == damaged[100:], "it is left to be rescued, but for the header"


@pytest.mark.parametrize(
    ("room", "lang", "said"),
    [
        ("64k", "C.UTF-8", "ディスクがいっぱいです"),
        pytest.param("1m", "en_US.UTF-8", "is full", marks=pytest.mark.long),
    ],
)
def test_the_play_command_reports_a_full_disk_in_a_sentence(
    tmp_path: Path, room: str, lang: str, said: str
) -> None:
    assert said in refused(tmp_path, apart(f"mount -t tmpfs -o size={room} tmpfs {tmp_path}"), lang)


def test_the_play_command_reports_an_unwritable_folder_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "Takujō cannot write" in refused(tmp_path / "file" / "var")


def test_a_taken_port_is_refused_if_given_and_skipped_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_only_addresses_that_phones_can_reach_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        "lo": ["127.0.0.1"],
        "eth0": ["169.254.3.4", "10.0.0.5"],
        "wlan0": ["192.168.1.5", "192.168.1.6"],
        "docker0": ["172.17.0.1"],
        "utun3": ["10.8.0.2"],
        "vEthernet (WSL)": ["172.20.0.1"],
    }
    cards = [
        ifaddr.Adapter(name, name, [ifaddr.IP(address, 24, name) for address in addresses])
        for name, addresses in found.items()
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: cards)
    monkeypatch.setattr(network, "_default_route", lambda: "192.168.1.5")
    assert network.lan_addresses() == ["192.168.1.5", "10.0.0.5", "192.168.1.6"]
    monkeypatch.setattr(network, "_default_route", lambda: "10.8.0.2")
    assert network.lan_addresses() == ["10.0.0.5", "192.168.1.5", "192.168.1.6"], "not the VPN that leads out"
    monkeypatch.setattr(network, "_default_route", lambda: "172.20.0.1")
    assert network.lan_addresses()[0] == "172.20.0.1", "Windows with a switch of Hyper-V before its card"


def test_lan_addresses_contain_no_loopback_address() -> None:
    for address in network.lan_addresses():
        assert not address.startswith("127.")


def test_the_demo_command_adds_its_rows_once(db: None) -> None:
    call_command("demo")
    before = (User.objects.count(), Person.objects.count())
    call_command("demo")
    assert (User.objects.count(), Person.objects.count()) == before
    assert User.objects.get(username="gm").person.name == "GM"
