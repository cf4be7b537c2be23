"""An update that changes the database, and the way back from it: with the earlier code, run for real."""

from __future__ import annotations

import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.server.environment import DATABASE_FILE
from companion.version import version
from tests import older
from tests.home import Terminal, gm_path, surroundings
from tests.phones import Visitor, joined, opened
from tests.servers import PATIENCE, ROOT, Addresses, PostgresServer, free_port

#: Goes back behind the newest migrations, as if they came with an update.
EARLIER = "migrate -v0 companion 0007"


@contextmanager
def played(terminal: Terminal) -> Iterator[tuple[Addresses, str]]:
    """An evening at this terminal, ended by Ctrl-C; yield its server and what it printed."""
    server = Addresses()
    server.port = free_port()
    with terminal.evening("--no-qr", "--host", "127.0.0.1", "--port", str(server.port)) as (process, printed):
        yield server, printed
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def copies(var: Path, kind: str) -> list[Path]:
    return sorted((var / "copies").glob(f"before-{kind}-*.backup"))


@pytest.mark.long
def test_an_update_copies_the_database_and_a_rollback_restores_it(tmp_path: Path) -> None:
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
        assert "already runs" in now.run("rollback", fails=True)
    with played(now) as (_, printed):
        assert copies(var, "update") == [copy], "nothing changes the second time"
        assert "copy" not in printed
    said = now.run("rollback")
    [left] = copies(var, "rollback")
    assert copy.name in said
    assert str(left) in said
    with played(before) as (server, _):
        lobby = gm.get(server, session)
        assert "あゆみ" in lobby
        assert "カナリア" not in lobby
    # What came after the update is not lost, either.
    now.run("restore", str(left), "--replace")
    with played(now) as (server, _):
        assert "カナリア" in gm.get(server, session)


def people(terminal: Terminal, then: str = "") -> int:
    """Let something be done with people at this terminal's server, and return how many there are."""
    asked = f"from companion.models import Person as P; {then or 'pass'}; print(P.objects.count())"
    return int(terminal.run("shell", "-v0", "-c", asked).split()[-1])


@pytest.mark.long
def test_a_rollback_restores_the_copy_on_postgresql(tmp_path: Path, postgres: PostgresServer) -> None:
    var, url = tmp_path / "var", postgres.database("rollback")
    server = surroundings("en_GB.UTF-8", TAKUJO_VAR=str(var), DATABASE_URL=url)
    before = Terminal(server, folder=older.unpack(tmp_path / "before"))
    now = Terminal(server, folder=ROOT)
    before.run("prepare")
    assert people(before, "P.objects.create(name='あゆみ')") == 1
    assert "rollback" in now.run("prepare")
    assert people(now, "P.objects.create(name='カナリア')") == 2
    said = now.run("rollback")
    [copy], [left] = copies(var, "update"), copies(var, "rollback")
    assert copy.name in said
    assert str(left) in said
    assert before.run("prepare") == "", "its database is that of before again"
    assert people(before) == 1
    now.run("restore", str(left), "--replace")
    assert people(now) == 2


def test_a_new_home_server_has_no_copy_and_no_rollback(prepared_home: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(prepared_home)))
    # As if it were new: nobody has been here whose data an update could spoil.
    assert "copy" not in home.run_each(EARLIER, "prepare")
    assert copies(prepared_home, "update") == []
    assert "no copy" in home.run("rollback", fails=True)
    (prepared_home / "copies" / "before-update-1.backup").write_text("torn")
    assert "Nothing was changed" in home.run("rollback", fails=True)
    assert copies(prepared_home, "rollback") == [], "of a rollback that was refused nothing is kept"


def test_a_rollback_names_the_earlier_version(prepared_home: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(prepared_home)))
    version_file = prepared_home / "version"
    home.run_each("demo", EARLIER)
    version_file.write_text("0.0.9")
    said = home.run_each(*["prepare", "rollback"] * 4)
    made = re.findall(r"is in \S+/(before-update-\S+\.backup)\.", said)
    assert len(set(made)) == len(made) == 4
    assert [copy.name for copy in copies(prepared_home, "update")] == made[1:]
    assert said.count("(0.0.9, ") == 4
    assert version_file.read_text() == "0.0.9"
    version_file.unlink()
    assert "which one that was is not known" in home.run_each("prepare", "rollback")


def test_an_update_stops_if_the_database_cannot_be_copied(prepared_home: Path) -> None:
    home = Terminal(surroundings("en_GB.UTF-8", TAKUJO_VAR=str(prepared_home)))
    home.run_each("demo", EARLIER)
    with closing(sqlite3.connect(prepared_home / DATABASE_FILE)) as database:
        database.execute("CREATE VIEW odd AS SELECT 1")
    said = home.run("prepare", fails=True)
    assert "odd" in said
    assert "takujo migrate" in said
    assert "[ ]" in home.run("showmigrations", "companion").splitlines()[-1]
