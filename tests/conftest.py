"""The test ground: four people, real servers, and a browser with phones.

People (``gm``, ``ayumi``, ``bo``, ``kei``) have roles that never change; ``who.client`` is their Django
test client and ``who.cookies`` what their browser carries. ``server`` is the real ASGI app in a thread on the
test database, ``server_process`` the same in a process that can be killed and started again on its port.
``redis_url`` and ``postgres_url`` are real ones of this run. Browser fixtures: ``tests/browser/conftest.py``.

What these need and is not installed skips a test; with ``STRICT=1`` it fails.

A test is dealt the same cards and Hypothesis' same examples in every run, and others with a ``CHANCE`` in its
environment: a test that holds for most games only is found by asking with several, not by the next person's
change.
"""

from __future__ import annotations

import fcntl
import gc
import hashlib
import os
import secrets
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import django
import pytest
from django.conf import settings
from hypothesis import settings as examples

from companion.server.environment import DATABASE_FILE
from sessions.table import opening
from tests.home import Terminal, surroundings
from tests.servers import ROOT, PostgresServer, ProcessServer, RedisServer, ThreadServer

if TYPE_CHECKING:
    from django.test import Client

    from companion.models import Person
    from sessions.game import AnyModule
    from sessions.models import Seat, Session, Table


# Without a deadline: that of Hypothesis counts milliseconds by the clock, which a busy machine exceeds.
examples.register_profile("known", derandomize="CHANCE" not in os.environ, database=None, deadline=None)
examples.load_profile("known")


#: What a busy machine had no time for. Anything else fails at once: a doubled move, a complaint of a page,
#: or something that is shown and should not be.
TOO_LATE = (
    r"^(AssertionError: (Locator|Page)\b.* expected (?!not to |to be hidden|to have count '0')"
    r"|Timeout(Error|Expired)\b|URLError: .*timed out)"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that waited in vain is asked once more, and the run's summary names it."""
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[TOO_LATE]))


def pytest_collection_finish() -> None:
    """Keep the collector off what was imported, and seldom at work: it took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture(scope="session")
def make_once(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Callable[[Path], object]], Path]:
    """Let the first worker that needs a file or folder make it for all workers."""
    folder = tmp_path_factory.getbasetemp()
    of_all = folder.parent if hasattr(request.config, "workerinput") else folder

    def made(name: str, make: Callable[[Path], object]) -> Path:
        wanted = of_all / name
        with wanted.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not wanted.exists():
                making = wanted.with_suffix(".making")
                make(making)
                making.rename(wanted)
        return wanted

    return made


@pytest.fixture(scope="session")
def migrated_database(make_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """A database file after all migrations; a later run with the same migrations copies it."""
    kept = ROOT / ".pytest_cache" / f"migrated-{_digest_of_migrations()}.sqlite3"

    def migrate(file: Path) -> None:
        if kept.exists():
            shutil.copyfile(kept, file)
            return
        ProcessServer({"DATABASE_URL": f"sqlite:///{file}"}).manage("migrate", "--verbosity", "0")
        kept.parent.mkdir(exist_ok=True)
        # Whole or not at all: another run may look for it now.
        half = kept.with_suffix(f".{os.getpid()}")
        shutil.copyfile(file, half)
        half.rename(kept)

    return make_once("migrated.sqlite3", migrate)


def _digest_of_migrations() -> str:
    """Return a digest of what the migrated database depends on: our migrations, and all that is installed."""
    digest = hashlib.sha256(f"{sys.version} {django.get_version()}".encode())
    for file in sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("requirements*.lock")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@pytest.fixture
def migrated_home(tmp_path: Path, migrated_database: Path) -> Path:
    """``tmp_path`` as the data folder of a home whose database needs no migration any more."""
    shutil.copyfile(migrated_database, tmp_path / DATABASE_FILE)
    return tmp_path


@pytest.fixture
def prepared_home(migrated_home: Path, make_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The same with the static files of all, collected and packed."""

    def collect(folder: Path) -> None:
        Terminal(surroundings(TAKUJO_VAR=str(folder))).run("collectstatic", "--noinput", "--verbosity", "0")

    shutil.copytree(make_once("prepared", collect) / "static", migrated_home / "static")
    return migrated_home


@pytest.fixture(scope="session")
def django_db_setup(
    migrated_database: Path, django_test_environment: None, django_db_modify_db_settings: None
) -> None:
    """Give this worker a copy of the migrated database; pytest-django would run all migrations."""
    from django.test import TransactionTestCase

    _use_a_copy(migrated_database)
    TransactionTestCase._fixture_teardown = _empty_tables  # type: ignore[attr-defined]


@cache
def _use_a_copy(migrated_database: Path) -> None:
    """Copy it once: the fixture counts apart for each folder that has it (``sessions/conftest.py``)."""
    from django.db import connection

    name = connection.settings_dict["TEST"]["NAME"]
    for leftover in ("", "-wal", "-shm"):
        Path(f"{name}{leftover}").unlink(missing_ok=True)
    shutil.copyfile(migrated_database, name)
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(name)


def _empty_tables(case: object) -> None:
    """Empty the tables after a test with real transactions, but for the kinds of rows and their permissions.

    Django's ``flush`` empties those, too, and makes them again: that takes longer than many a test.
    """
    from django.contrib.auth.models import Permission
    from django.contrib.contenttypes.models import ContentType
    from django.core.management.color import no_style
    from django.db import connection

    stay = {Permission._meta.db_table, ContentType._meta.db_table}
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), sorted({*tables} - stay)))


@pytest.fixture(scope="session", autouse=True)
def _catalogues() -> None:
    """Translations as users see them, compiled from the present catalogues."""
    from django.core.management import call_command

    call_command("compile_catalogues", verbosity=0)


@pytest.fixture(autouse=True)
def _fresh_memory() -> None:
    """An empty cache and an empty channel layer for each test."""
    from channels.layers import channel_layers

    from sessions.live import screen_view
    from sessions.table import table_cache
    from tests.evening import clear_caches

    channel_layers.backends.clear()
    clear_caches()
    screen_view.clear_rendered_tables()
    table_cache.invalidate_table()


def _uncommitted() -> bool:
    """True inside a transaction of the code's own, not of the test."""
    from django.db import connection

    return any(not block._from_testcase for block in connection.atomic_blocks)


@pytest.fixture(autouse=True)
def _told_after_the_commit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No room tells a page or a process of a change that may still be rolled back."""
    from channels.layers import InMemoryChannelLayer

    from sessions.table import commit

    early: list[str] = []

    class GroupSend:
        """Looks at the transaction in the thread that sends: the message itself travels in another."""

        def __get__(self, layer: Any, owner: Any) -> Any:
            if _uncommitted():
                early.append("".join(traceback.format_stack(limit=8)))
            return group_send.__get__(layer, owner)

    def listen(table: int, version: int, seating: int) -> None:
        if _uncommitted():
            early.append("".join(traceback.format_stack(limit=8)))

    group_send = InMemoryChannelLayer.group_send
    monkeypatch.setattr(InMemoryChannelLayer, "group_send", GroupSend())
    monkeypatch.setattr(commit, "listeners", [*commit.listeners, listen])
    yield
    assert not early, f"told before it was committed:\n{early[0]}"


@pytest.fixture(autouse=True)
def _known_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The secrets of tables and drafts, keys and codes: the same in every run of this test."""
    chance = Random(f"{os.environ.get('CHANCE', '')}/{request.node.nodeid}")
    monkeypatch.setattr(secrets, "token_bytes", lambda count=None: chance.randbytes(count or 32))
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)


@pytest.fixture(autouse=True)
def _patient_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables wait long enough for the answers of a test, also on a busy machine."""
    from sessions.table import bots

    monkeypatch.setattr(bots, "REACTION_SECONDS", 3600.0)


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages hear of nothing by the clock, so that two evenings of the same moves are sent the same bytes."""
    from sessions.evening import presence
    from sessions.live import heartbeats, hub

    # Nobody counts as away, however slow the machine is.
    monkeypatch.setattr(presence, "AWAY_AFTER", 3600)
    # Who is here is asked at times of the clock's own, between whichever two moves.
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 3600)
    monkeypatch.setattr(heartbeats, "COLLECT_PRESENCE_FOR", 3600)
    # Whether a move may be taken back is found out in pauses of the game, and here is none that long.
    monkeypatch.setattr(hub, "UNDO_PAUSE", 3600)


@pytest.fixture(autouse=True)
def _one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries are counted as if a test took no time: no minute ends in the middle of it."""
    from companion.requests import throttle

    started = throttle.now()
    monkeypatch.setattr(throttle, "now", lambda: started)


@pytest.fixture(autouse=True)
def _no_language_left() -> Iterator[None]:
    """A page's language ends with its test; Django leaves it to the thread."""
    from django.utils import translation

    yield
    translation.deactivate()


@dataclass
class Somebody:
    """A person of the tests with a device of their own."""

    person: Person
    client: Client

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies of this device, by name."""
        return {name: morsel.value for name, morsel in self.client.cookies.items()}

    @property
    def headers(self) -> dict[str, str]:
        """The same as request headers, for websocket clients."""
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}


def _account(username: str, name: str, **rights: bool) -> Somebody:
    from django.test import Client

    from companion.models import Person, User

    user = User.objects.create_user(username, password=username, **rights)
    client = Client()
    client.force_login(user)
    return Somebody(Person.objects.create(user=user, name=name), client)


def _guest(name: str) -> Somebody:
    from django.test import Client

    from companion.identity import people
    from companion.models import Person

    person = Person.objects.create(name=name)
    client = Client()
    client.cookies[people.COOKIE] = people.token(person)
    return Somebody(person, client)


@pytest.fixture
def reference_rows(db: None) -> None:
    """The tables of the source: a test with real transactions before this one may have emptied them."""
    from importlib import import_module

    from characters.models import ExperienceLine, ItemPower, NpcRank

    if ItemPower.objects.exists():
        return
    rows = import_module("characters.migrations.0002_reference_rows")
    words = import_module("characters.migrations.0008_translations").words
    for table, texts in rows.POWERS.items():
        for value, text in enumerate(texts):
            ItemPower.objects.create(table=table, value=value, texts=words(*text))
    for rank, name_ja, name_en, ja, en, figures in rows.RANKS:
        NpcRank.objects.create(
            rank=rank,
            names=words(name_ja, name_en),
            descriptions=words(ja, en),
            **dict(zip(("hp", "skills", "suits", "weapon", "armour"), figures, strict=True)),
        )
    for order, (key, *text) in enumerate(rows.LINES, start=1):
        ExperienceLine.objects.create(key=key, order=order, texts=words(*text))


@pytest.fixture
def gm(db: None) -> Somebody:
    """Runs the evening, signed in as the home's GM."""
    return _account("gm", "GM", is_staff=True, is_superuser=True)


@pytest.fixture
def ayumi(db: None) -> Somebody:
    """A player with an account (name and password "ayumi")."""
    return _account("ayumi", "あゆみ")


@pytest.fixture
def bo(db: None) -> Somebody:
    """A player as most are: a guest by this phone's cookie."""
    return _guest("ボー")


@pytest.fixture
def kei(db: None) -> Somebody:
    """A guest too, who should have no access to anything of the others."""
    return _guest("ケイ")


@pytest.fixture
def server(transactional_db: None) -> Iterator[ThreadServer]:
    """The real ASGI app in a thread: shares the test's database, cache and settings."""
    server = ThreadServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server_process(transactional_db: None) -> Iterator[ProcessServer]:
    """The real ASGI app in a process on the test's database: ``kill()``, then ``start()`` again."""
    from django.conf import settings
    from django.db import connection

    database = f"sqlite:///{connection.settings_dict['NAME']}"
    server = ProcessServer({"DATABASE_URL": database, "SECRET_KEY": settings.SECRET_KEY})
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real Redis of this run."""
    redis = RedisServer()
    yield redis.url
    redis.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL of this run; ``postgres.database("name")`` makes another database."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres_url(postgres: PostgresServer) -> str:
    """The address of an empty database in a real PostgreSQL."""
    return postgres.url


@pytest.fixture
def session(gm: Somebody) -> Session:
    """An open evening of the GM."""
    from sessions.evening import nights
    from sessions.models import Campaign

    campaign = Campaign.objects.create(gm=gm.person, name="無限の蛇")
    return nights.open_session(campaign=campaign, title="第一夜")


@pytest.fixture
def seats(session: Session, ayumi: Somebody, bo: Somebody) -> list[Seat]:
    """Ayumi and Bo, seated."""
    from tests.evening import sit

    return [sit(session, ayumi.person), sit(session, bo.person)]


@pytest.fixture
def tally() -> Iterator[AnyModule]:
    """A small board game for two to four, on the shelf while the test runs: tests/tally."""
    from sessions.engine.registry import registry
    from tests.tally import module

    registry()[module.key] = module
    yield module
    del registry()[module.key]


@pytest.fixture
def table(session: Session, seats: list[Seat]) -> Table:
    """The card table with Ayumi as p1 and Bo as p2."""

    return opening.open_table(session=session, module_key="uroboros", players=seats)
