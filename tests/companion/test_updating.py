"""An update that changes the database, and the way back from it: with the earlier code, run for real."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.version import version
from tests import older
from tests.home import Terminal, gm_path, surroundings
from tests.phones import Visitor, joined, opened
from tests.servers import PATIENCE, ROOT, Addresses, PostgresServer, free_port


@contextmanager
def played(terminal: Terminal) -> Iterator[tuple[Addresses, str]]:
    """An evening at this terminal, ended by Ctrl-C; yield its server and what it printed."""
    server = Addresses()
    server.port = free_port()
    with terminal.evening("--no-qr", "--host", "127.0.0.1", "--port", str(server.port)) as (process, printed):
        yield server, printed
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def typed(terminal: Terminal, *words: str, fails: bool = False) -> str:
    """Run a command in this terminal and return what it says."""
    done = subprocess.run(
        [*terminal.command, *words],
        cwd=terminal.folder,
        env=terminal.environment,
        capture_output=True,
        text=True,
    )
    assert bool(done.returncode) == fails, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr if fails else done.stdout


def copies(var: Path, kind: str) -> list[Path]:
    return sorted((var / "copies").glob(f"before-{kind}-*.backup"))


@pytest.mark.long
def test_an_update_keeps_a_copy_of_before_and_rollback_goes_back_to_it(tmp_path: Path) -> None:
    var = tmp_path / "var"
    home = surroundings("en_GB.UTF-8", TAKUJO_VAR=str(var))
    before = Terminal(home, folder=older.unpack(tmp_path / "before"))
    now = Terminal(home, folder=ROOT)
    gm = Visitor()
    with played(before) as (server, printed):
        gm.get(server, gm_path(printed))
        gm.post(server, gm_path(printed))
        session, code = opened(server, gm)
        joined(server, code, "あゆみ")
    with played(now) as (server, printed):
        [copy] = copies(var, "update")
        assert str(copy) in printed
        assert copy.stat().st_mode & 0o077 == 0
        assert (var / "version").read_text() == version()
        assert "あゆみ" in gm.get(server, session)
        joined(server, code, "カナリア")
        assert "already runs" in typed(now, "rollback", fails=True)
    with played(now) as (_, printed):
        assert copies(var, "update") == [copy], "nothing changes the second time"
        assert "copy" not in printed
    said = typed(now, "rollback")
    [left] = copies(var, "rollback")
    assert copy.name in said
    assert str(left) in said
    with played(before) as (server, _):
        lobby = gm.get(server, session)
        assert "あゆみ" in lobby
        assert "カナリア" not in lobby
    # What came after the update is not lost, either.
    typed(now, "restore", str(left), "--replace")
    with played(now) as (server, _):
        assert "カナリア" in gm.get(server, session)


def people(terminal: Terminal, then: str = "") -> int:
    """Let something be done with people at this terminal's server, and return how many there are."""
    asked = f"from companion.models import Person as P; {then or 'pass'}; print(P.objects.count())"
    return int(typed(terminal, "shell", "-v0", "-c", asked).split()[-1])


@pytest.mark.long
def test_rollback_goes_back_on_postgresql_too(tmp_path: Path, postgres: PostgresServer) -> None:
    var, url = tmp_path / "var", postgres.database("rollback")
    server = surroundings("en_GB.UTF-8", TAKUJO_VAR=str(var), DATABASE_URL=url)
    before = Terminal(server, folder=older.unpack(tmp_path / "before"))
    now = Terminal(server, folder=ROOT)
    typed(before, "prepare")
    assert people(before, "P.objects.create(name='あゆみ')") == 1
    assert "rollback" in typed(now, "prepare")
    assert people(now, "P.objects.create(name='カナリア')") == 2
    said = typed(now, "rollback")
    [copy], [left] = copies(var, "update"), copies(var, "rollback")
    assert copy.name in said
    assert str(left) in said
    assert typed(before, "prepare") == "", "its database is that of before again"
    assert people(before) == 1
    typed(now, "restore", str(left), "--replace")
    assert people(now) == 2


def test_a_new_home_has_nothing_to_keep_and_nothing_to_go_back_to(tmp_path: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(tmp_path)))
    assert typed(home, "prepare") == ""
    assert copies(tmp_path, "update") == []
    assert "no copy" in typed(home, "rollback", fails=True)
    (tmp_path / "copies" / "before-update-1.backup").write_text("torn")
    assert "Nothing was changed" in typed(home, "rollback", fails=True)
    assert copies(tmp_path, "rollback") == [], "of a rollback that was refused nothing is kept"


def test_rollback_names_the_version_of_before(tmp_path: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(tmp_path)))
    typed(home, "prepare")
    typed(home, "demo")
    # As if the newest migrations came with an update.
    typed(home, "migrate", "companion", "0007")
    (tmp_path / "version").write_text("0.0.9")
    for number in range(4):
        said = typed(home, "prepare")
        assert re.search(r"before-update-\S+\.backup", said)
        assert copies(tmp_path, "update")[-1].name in said
        assert len(copies(tmp_path, "update")) == min(number + 1, 3)
        assert "0.0.9" in typed(home, "rollback")
        assert (tmp_path / "version").read_text() == "0.0.9"
    (tmp_path / "version").unlink()
    typed(home, "prepare")
    assert "which one that was is not known" in typed(home, "rollback")


def test_without_a_copy_nothing_is_updated(tmp_path: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(tmp_path)))
    typed(home, "prepare")
    typed(home, "demo")
    typed(home, "migrate", "companion", "0007")
    odd = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('CREATE VIEW odd AS SELECT 1')"
    subprocess.run([sys.executable, "-c", odd, str(tmp_path / "takujo.sqlite3")], check=True)
    said = typed(home, "prepare", fails=True)
    assert "odd" in said
    assert "takujo migrate" in said
    assert "[ ]" in typed(home, "showmigrations", "companion").splitlines()[-1]
