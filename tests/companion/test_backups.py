"""Backups: made from a server that plays on, restored elsewhere, and refused where they would do harm."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from companion.backups import backup
from companion.files import Unusable
from companion.management.commands.play import lock_data_folder
from companion.server.environment import DATABASE_FILE
from tests.home import apart, run
from tests.servers import ROOT, PostgresServer

ENGINES = ["sqlite", "postgresql"]


class Server:
    """A server's data: a folder of its own, and a database in it or in PostgreSQL."""

    def __init__(self, var: Path, database: str = "") -> None:
        self.var = var
        keep = {"PATH", "HOME", "LC_ALL"} & os.environ.keys()
        self.env = {**{key: os.environ[key] for key in keep}, "TAKUJO_VAR": str(var), "PYTHONUTF8": "1"}
        self.env |= {"DJANGO_SETTINGS_MODULE": "companion.settings", "LANG": "en_GB.UTF-8"}
        self.env |= {"DATABASE_URL": database} if database else {}

    def run(self, *words: str, fails: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=120
        )
        assert bool(done.returncode) == fails, done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr if fails else done.stdout

    def manage(self, *words: str, fails: bool = False) -> str:
        return self.run("manage.py", *words, fails=fails)

    def tables(self) -> dict[str, list[int | bool]]:
        """Return by table its version, its number of moves, and whether it plays again to its snapshot."""
        found: dict[str, list[int | bool]] = json.loads(self.run("-m", "tests.keeping", "count"))
        return found

    @contextmanager
    def played(self) -> Iterator[Iterator[int]]:
        """Play without end; yield the numbers of moves as they are acknowledged."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.keeping", "play"],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout
            yield map(int, process.stdout)
        finally:
            process.kill()
            process.communicate()


@pytest.fixture
def database(request: pytest.FixtureRequest):
    """Make the address of one more empty database of the wanted engine."""

    def made(engine: str, name: str) -> str:
        if engine == "sqlite":
            return ""
        postgres: PostgresServer = request.getfixturevalue("postgres")
        return postgres.database(name)

    return made


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Server:
    """A home before anybody came."""
    server = Server(tmp_path_factory.mktemp("empty"))
    shutil.copyfile(migrated_database, server.var / DATABASE_FILE)
    return server


@pytest.fixture(scope="module")
def good(empty: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the empty home."""
    file = tmp_path_factory.mktemp("good") / "takujo.backup"
    empty.manage("backup", str(file))
    return file


@pytest.fixture
def home(empty: Server, tmp_path: Path) -> Server:
    """A home with one person in it."""
    shutil.copytree(empty.var, tmp_path / "home")
    server = Server(tmp_path / "home")
    person(server, "あゆみ")
    return server


@pytest.mark.parametrize(("lang", "said"), [("en_GB.UTF-8", "is full"), ("ja_JP.UTF-8", "いっぱいです")])
def test_a_backup_that_does_not_fit_on_its_disk_is_reported_in_a_sentence(
    empty: Server, tmp_path: Path, lang: str, said: str
) -> None:
    disk = apart(f"mount -t tmpfs -o size=256k tmpfs {tmp_path}")
    for file in ([], [str(tmp_path / "takujo.backup")]):
        refused = run("backup", *file, var=empty.var, before=disk, lang=lang, BACKUP_DIR=str(tmp_path))
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1), refused.stderr
        assert said in refused.stderr
        assert str(tmp_path) in refused.stderr


def test_a_backup_that_does_not_fit_leaves_no_file(empty: Server, tmp_path: Path) -> None:
    small_files = ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh"]
    refused = run("backup", var=empty.var, before=small_files, BACKUP_DIR=str(tmp_path))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1), refused.stderr
    assert list(tmp_path.iterdir()) == []


def person(server: Server, name: str) -> None:
    """A person joins, and their rows wait in the -wal file."""
    with closing(sqlite3.connect(server.var / "takujo.sqlite3")) as connection, connection:
        row = (os.urandom(16).hex(), name, "2026-11-25 12:00:00")
        connection.execute("INSERT INTO companion_person (key, name, created_at) VALUES (?, ?, ?)", row)


def people(server: Server) -> list[str]:
    with closing(sqlite3.connect(server.var / "takujo.sqlite3")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM companion_person ORDER BY id")]


def test_an_empty_postgresql_database_is_saved_and_restored(tmp_path: Path, database) -> None:
    server = Server(tmp_path / "var", database("postgresql", "never_migrated"))
    file = tmp_path / "takujo.backup"
    server.manage("backup", str(file))
    server.manage("restore", str(file))
    assert server.tables() == {}


@pytest.mark.long
@pytest.mark.parametrize("made_on", ENGINES)
@pytest.mark.parametrize("restored_on", ENGINES)
def test_a_backup_during_play_has_every_acknowledged_move(
    made_on: str, restored_on: str, tmp_path: Path, database
) -> None:
    here = Server(tmp_path / "here", database(made_on, f"{made_on}_for_{restored_on}"))
    there = Server(tmp_path / "there", database(restored_on, f"{restored_on}_from_{made_on}"))
    file = tmp_path / "takujo.backup"
    here.manage("migrate", "-v0")
    with here.played() as acknowledged:
        before = next(number for number in acknowledged if number >= 20)
        here.manage("backup", str(file))
        assert next(number for number in acknowledged if number > before + 100), "play goes on"
    there.manage("restore", str(file))
    [[version, moves, holds]] = there.tables().values()
    assert version == moves >= before
    assert holds, "the log plays again to the snapshot"
    assert (there.var / "secret-key").read_text() == (here.var / "secret-key").read_text()
    assert "There is data here already" in there.manage("restore", str(file), fails=True)
    there.manage("restore", str(file), "--replace")
    assert there.tables() == {"1": [version, moves, True]}


def test_a_backup_is_one_private_file_with_database_media_and_key(home: Server, tmp_path: Path) -> None:
    (home.var / "media" / "faces").mkdir(parents=True)
    (home.var / "media" / "faces" / "1.webp").write_bytes(b"a face")
    file, there = tmp_path / "kept" / "takujo.backup", Server(tmp_path / "there")
    file.parent.mkdir()
    with closing(sqlite3.connect(home.var / "takujo.sqlite3")) as somebody:
        somebody.execute("SELECT 1 FROM companion_person")  # open, so that nothing is tidied up
        person(home, "ボー")
        home.manage("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [found.name for found in file.parent.iterdir()] == ["takujo.backup"]
    there.manage("restore", str(file))
    assert people(there) == ["あゆみ", "ボー"]
    assert (there.var / "secret-key").read_text() == (home.var / "secret-key").read_text()
    assert (there.var / "media" / "faces" / "1.webp").read_bytes() == b"a face"


def test_a_failed_backup_leaves_the_old_file(home: Server, tmp_path: Path) -> None:
    file = tmp_path / "takujo.backup"
    file.write_text("the old one")
    (home.var / "takujo.sqlite3").write_bytes(b"no database at all, whatever it is called" * 200)
    assert "not a database" in home.manage("backup", str(file), fails=True)
    assert file.read_text() == "the old one"
    assert {found.name for found in tmp_path.iterdir()} == {"home", "takujo.backup"}


def test_a_backup_into_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("backup", str(tmp_path / "no" / "way"))


def changed(file: Path, **members: bytes) -> None:
    """Write a backup again with other bytes in these members, by the first letters of their names."""
    with zipfile.ZipFile(file) as old:
        kept = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(file, "w") as new:
        for name, content in kept.items():
            other = next((bytes_ for start, bytes_ in members.items() if name.startswith(start)), content)
            new.writestr(name, other)


def manifest(file: Path, old: str, new: str) -> None:
    with zipfile.ZipFile(file) as packed:
        said = packed.read("manifest.json").decode()
    assert re.search(old, said), said
    changed(file, manifest=re.sub(old, new, said).encode())


SPOILED = {
    "cut off": (lambda file: file.write_bytes(file.read_bytes()[:9000]), "is damaged"),
    "no zip": (lambda file: file.write_bytes(b"SQLite format 3"), "is damaged"),
    "another database": (lambda file: changed(file, database=b"other bytes"), "is damaged"),
    "no manifest": (lambda file: changed(file, manifest=b""), "is damaged"),
    "of something else": (lambda file: manifest(file, "takujo.backup", "other.backup"), "is damaged"),
    "outside": (lambda file: manifest(file, '"secret-key"', '"../secret-key"'), "is damaged"),
    "an earlier form": (lambda file: manifest(file, '"version":2', '"version":1'), "is damaged"),
    "a later form": (lambda file: manifest(file, '"version":2', '"version":3'), "newer version"),
    "a later model": (lambda file: manifest(file, "play.0012_seating", "play.9999_later"), "newer version"),
}


def beside_a_home(good: Path, folder: Path, settings) -> Path:
    """Return a copy of a backup, to be restored into a home that has a key of its own."""
    settings.VAR_DIR = folder / "home"
    settings.VAR_DIR.mkdir()
    (settings.VAR_DIR / "secret-key").write_text("the key that is here")
    return Path(shutil.copy(good, folder / "takujo.backup"))


@pytest.mark.parametrize("how", SPOILED)
def test_restoring_a_damaged_backup_is_refused_and_changes_nothing(
    how: str, good: Path, tmp_path: Path, settings
) -> None:
    spoil, said = SPOILED[how]
    file = beside_a_home(good, tmp_path, settings)
    spoil(file)
    # Without a mark for it, a test that touches the database fails.
    with translation.override("en"), pytest.raises(Unusable, match=said):
        backup.restore(file, replace=True)
    assert (settings.VAR_DIR / "secret-key").read_text() == "the key that is here"
    assert [found.name for found in settings.VAR_DIR.iterdir()] == ["secret-key"]


def with_members(file: Path, **members: bytes) -> None:
    """Write a backup again with these members, and name them in its manifest."""
    with zipfile.ZipFile(file) as old:
        kept = {name: old.read(name) for name in old.namelist()}
    said = json.loads(kept.pop("manifest.json"))
    kept |= members
    said["members"] = {name: hashlib.sha256(content).hexdigest() for name, content in kept.items()}
    with zipfile.ZipFile(file, "w") as new:
        for name, content in (kept | {"manifest.json": json.dumps(said).encode()}).items():
            new.writestr(name, content)


def with_schema(file: Path, *statements: str) -> None:
    """Write a backup again after these statements were run on its database."""
    database = file.with_suffix(".database")
    with zipfile.ZipFile(file) as old:
        database.write_bytes(old.read("database"))
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    with_members(file, database=database.read_bytes())


TRIGGER = "CREATE TRIGGER sly AFTER INSERT ON companion_person BEGIN DELETE FROM companion_person; END"
#: What somebody might slip into a backup: a member, or statements; and what the refusal names.
SLIPPED_IN: dict[str, tuple[str | list[str], str]] = {
    "media as a file": ("media", ": media"),
    "a file that is a folder, too": ("secret-key/x", "damaged"),
    "a folder of another": ("others/x", ": others/x"),
    "a log of the database": ("database-wal", ": database-wal"),
    "another file": ("other", ": other"),
    "a way out on Windows": ("media\\..\\x", "damaged"),
    "a trigger": ([TRIGGER], ": sly"),
    "a view": (["CREATE VIEW sly AS SELECT * FROM companion_person"], ": sly"),
    "a view as a table": (
        ["ALTER TABLE play_limit RENAME TO sly", "CREATE VIEW play_limit AS SELECT * FROM sly"],
        ": play_limit",
    ),
    "a table too few": (["DROP TABLE play_limit"], ": play_limit"),
    "a virtual table": (
        ["DROP TABLE play_limit", "CREATE VIRTUAL TABLE play_limit USING rtree(id, low, high)"],
        ": play_limit",
    ),
    "a calculated column": (["ALTER TABLE play_limit ADD COLUMN sly AS (id + 1)"], ": play_limit"),
    "a schema that cannot be read": (
        ["PRAGMA writable_schema = 1", "UPDATE sqlite_master SET sql = 'x' WHERE name = 'play_limit'"],
        "damaged",
    ),
}


@pytest.mark.parametrize("what", SLIPPED_IN)
def test_restoring_a_backup_with_foreign_content_is_refused(
    what: str, good: Path, tmp_path: Path, settings
) -> None:
    slipped, named = SLIPPED_IN[what]
    file = beside_a_home(good, tmp_path, settings)
    if isinstance(slipped, str):
        with_members(file, **{slipped: b"x"})
    else:
        with_schema(file, *slipped)
    with translation.override("en"), pytest.raises(Unusable, match=named):
        backup.restore(file, replace=True)
    assert [found.name for found in settings.VAR_DIR.iterdir()] == ["secret-key"]
    assert (settings.VAR_DIR / "secret-key").read_text() == "the key that is here"


def test_a_file_named_media_is_not_backed_up_and_is_replaced_by_a_restore(
    home: Server, tmp_path: Path
) -> None:
    file = tmp_path / "takujo.backup"
    (home.var / "media").write_bytes(b"a plain file")
    home.manage("backup", str(file))
    with zipfile.ZipFile(file) as packed:
        assert "media" not in packed.namelist()
    with_members(file, **{"media/1.webp": b"a face"})
    home.manage("restore", str(file), "--replace")
    assert (home.var / "media" / "1.webp").read_bytes() == b"a face"


def test_a_database_that_could_not_be_restored_is_not_backed_up(home: Server, tmp_path: Path) -> None:
    with closing(sqlite3.connect(home.var / "takujo.sqlite3")) as connection, connection:
        connection.execute(TRIGGER)
    assert ": sly" in home.manage("backup", str(tmp_path / "takujo.backup"), fails=True)
    assert not (tmp_path / "takujo.backup").exists()


def test_a_restore_is_refused_while_takujo_runs(good: Path, tmp_path: Path, settings) -> None:
    settings.VAR_DIR = tmp_path
    with lock_data_folder(tmp_path), pytest.raises(CommandError, match="TAKUJO_VAR"):
        call_command("restore", str(good), "--replace")


@pytest.mark.long
def test_a_restore_is_refused_while_the_database_is_in_use(home: Server, good: Path) -> None:
    with closing(sqlite3.connect(home.var / "takujo.sqlite3")) as somebody:
        somebody.execute("SELECT * FROM companion_person").fetchall()
        assert "Somebody uses the database" in home.manage("restore", str(good), "--replace", fails=True)
    assert people(home) == ["あゆみ"]
    (home.var / "takujo.sqlite3").write_bytes(b"no database at all, whatever it is called" * 200)
    assert "There is data here already" in home.manage("restore", str(good), fails=True)
    home.manage("restore", str(good), "--replace")
    assert people(home) == []


#: Python that runs a command of ours, and kills it before it puts something under the name in ``DIES_AT``.
KILLED = """
import os, signal, sys
from companion.command_line import main

def die(event, arguments):
    if event == "os.rename" and os.fspath(arguments[1]) == os.environ["DIES_AT"]:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die)
sys.argv[0] = "manage.py"
main()
"""


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("before", ["restoring", "takujo.sqlite3", "media", "secret-key"])
def test_the_next_start_finishes_or_undoes_a_killed_restore(
    engine: str, before: str, home: Server, tmp_path: Path, database
) -> None:
    file = tmp_path / "takujo.backup"
    (home.var / "media").mkdir()
    (home.var / "media" / "1.webp").write_bytes(b"a face")
    home.manage("backup", str(file))
    there = Server(tmp_path / "there", database(engine, f"killed_before_{before.replace('.', '_')}"))
    there.manage("migrate", "-v0")
    key = (there.var / "secret-key").read_text()
    there.env["DIES_AT"] = str(there.var / before)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "restore", str(file)], cwd=ROOT, env=there.env, capture_output=True
    )
    if (engine, before) == ("postgresql", "takujo.sqlite3"):
        assert killed.returncode == 0, "there is no such file to put in its place"
    else:
        assert killed.returncode == -9
    names = there.manage(
        *("shell", "-v0", "-c", "from companion.models import *; print(*Person.objects.values_list('name'))")
    )
    if before == "restoring":
        assert names == "\n"
        assert (there.var / "secret-key").read_text() == key
    else:
        assert names == "('あゆみ',)\n"
        assert (there.var / "secret-key").read_text() == (home.var / "secret-key").read_text()
        assert (there.var / "media" / "1.webp").read_bytes() == b"a face"
    assert not (there.var / "restoring").exists()


@pytest.mark.long
def test_a_backup_of_a_read_only_data_folder_works(home: Server, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can mount a folder so that nobody writes there")
    file, there = tmp_path / "takujo.backup", Server(tmp_path / "there")
    home.manage("migrate", "--verbosity", "0")  # a home's first command writes its secret key
    with closing(sqlite3.connect(home.var / "takujo.sqlite3")) as somebody:
        somebody.execute("SELECT 1 FROM companion_person")  # open, so that the -wal file stays
        person(home, "ボー")
        mounted = f"mount --bind {home.var} {home.var} && mount -o remount,ro,bind {home.var}"
        saved = f"{sys.executable} manage.py backup {file}"
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", f"{mounted} && ! touch {home.var}/x 2> /dev/null && {saved}"],
            cwd=ROOT,
            env=home.env,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    there.manage("restore", str(file))
    assert people(there) == ["あゆみ", "ボー"]


@pytest.mark.long
def test_ids_of_deleted_rows_are_not_reused_on_the_other_database(
    home: Server, tmp_path: Path, database
) -> None:
    there, back = Server(tmp_path / "there", database("postgresql", "numbers")), Server(tmp_path / "back")
    with closing(sqlite3.connect(home.var / "takujo.sqlite3")) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = 41 WHERE name = 'companion_person'")
    made = "from companion.models import Person; print(Person.objects.create(name='ボー').pk)"
    home.manage("backup", str(tmp_path / "1"))
    there.manage("restore", str(tmp_path / "1"))
    assert there.manage("shell", "-v0", "-c", made) == "42\n"
    gone = "from companion.models import Person; Person.objects.get(pk=42).delete()"
    there.manage("shell", "-v0", "-c", gone)
    there.manage("backup", str(tmp_path / "2"))
    back.manage("restore", str(tmp_path / "2"))
    assert back.manage("shell", "-v0", "-c", made) == "43\n"


#: Somebody talked for 8 MB at the evening of ``tests.keeping``, which ended a year ago.
TALKED = """
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from sessions.models import Message, Seat, Session
seat = Seat.objects.first()
said = {"session": seat.session, "author": seat, "tab": "main", "spoken_as": "あゆみ", "text": "x" * 4000}
Message.objects.bulk_create(Message(client_id=uuid4(), **said) for _ in range(2000))
Session.objects.update(ended_at=timezone.now() - timedelta(days=365))
"""
SIZE = {
    "sqlite": "print(Path(connection.settings_dict['NAME']).stat().st_size)",
    "postgresql": "c = connection.cursor(); c.execute('SELECT pg_database_size(current_database())');"
    " print(c.fetchone()[0])",
}


#: The files of all tables before and after the nightly thinning.
FILES = """
from django.db import connection
from companion.backups import databases
def files():
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid, pg_relation_filenode(oid) FROM pg_class WHERE relname LIKE 'play_%'")
        return sorted(cursor.fetchall())
before = files()
databases.vacuum()
print(len(before) > 10, files() == before)
"""


def test_thinning_rewrites_no_table_of_postgresql(tmp_path: Path, postgres: PostgresServer) -> None:
    """A table that is rewritten is locked even against reading, for as long as its copy takes."""
    here = Server(tmp_path, postgres.migrated("files"))
    assert here.manage("shell", "-v0", "-c", FILES) == "True True\n"


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
def test_thinned_sessions_give_their_space_back_to_the_disk(engine: str, tmp_path: Path, database) -> None:
    here = Server(tmp_path / "here", database(engine, "thinned"))
    size = f"from pathlib import Path; from django.db import connection; {SIZE[engine]}"
    here.manage("migrate", "-v0")
    with here.played() as acknowledged:
        assert next(number for number in acknowledged if number >= 20)
    before = int(here.manage("shell", "-v0", "-c", size))
    here.manage("shell", "-v0", "-c", TALKED)
    here.env["KEEP_NIGHTS_DAYS"] = "30"
    assert here.manage("thin_nights") == "1 evenings thinned.\n"
    assert int(here.manage("shell", "-v0", "-c", size)) < before + 2_000_000
