"""Django on databases of evenings, and a world whose clock and chance are the scheduler's."""

from __future__ import annotations

import atexit
import os
import random
import secrets
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.simulation.scheduler import Scheduler

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SHARED_MEMORY = Path("/dev/shm")
_folder = Path()
_numbers = count()
_templates: dict[tuple[str, int, int], LaidOut] = {}


@dataclass(frozen=True)
class Person:
    """A person with a page of the table."""

    name: str
    cookie: str
    seat_pk: int
    #: Their seat at the table, None for those who watch, and its row.
    key: str | None = None
    place: int = 0


@dataclass(frozen=True)
class LaidOut:
    """A table without moves, in a file to be copied."""

    file: Path
    session_pk: int
    table_pk: int
    people: list[Person]


def set_up() -> None:
    """Set up Django on an empty database in memory, once for this run."""
    global _folder
    _folder = Path(
        tempfile.mkdtemp(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None, prefix="evenings-")
    )
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    os.environ |= {
        "TAKUJO_VAR": str(_folder),
        "DATABASE_URL": f"sqlite:///{_folder}/empty.sqlite3",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TAKUJO_TEST_GRACE": "5",
    }
    import django
    from django.core.management import call_command

    django.setup()
    from django.apps import apps
    from django.conf import settings
    from django.db import connections

    settings.DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
    )
    call_command("compile_catalogues", verbosity=0)
    # The tables as the models have them: the way there is another test's.
    settings.MIGRATION_MODULES = dict.fromkeys(app.label for app in apps.get_app_configs())
    call_command("migrate", run_syncdb=True, verbosity=0)
    connections.close_all()
    from sessions.engine.registry import preload_types
    from sessions.live.consumer_base import LiveConsumer
    from tests.simulation import database, threads

    preload_types()
    threads.install()
    database.install()
    # Pages stand in sets: in an order that does not depend on where they lie in memory.
    LiveConsumer.__hash__ = lambda self: self.__dict__.setdefault("_number", next(_numbers))
    LiveConsumer.__eq__ = lambda self, other: self is other


def new_file() -> Path:
    return _folder / f"evening-{os.getpid()}.sqlite3"


def laid_out(game: str, players: int, clock: int) -> LaidOut:
    """Return a table of this kind; it is laid out once."""
    key = game, players, clock
    if key not in _templates:
        _templates[key] = _lay_out(*key)
    return _templates[key]


def _lay_out(game: str, players: int, clock: int) -> LaidOut:
    from django.db import connection, connections

    from companion.identity import people
    from companion.models import Person as Row
    from sessions.engine.registry import registry
    from sessions.evening import nights
    from sessions.models import Campaign, Role, SharedClock, Stage
    from sessions.scenarios import editing
    from sessions.scenarios.document import CutIn, Document, ScenarioScene
    from sessions.table.opening import open_table
    from tests.evening import sit

    connections["default"].close()
    empty = _folder / f"laying-out-{os.getpid()}.sqlite3"
    connections.settings["default"]["NAME"] = str(empty)
    shutil.copyfile(_folder / "empty.sqlite3", empty)
    connections["default"] = connections.create_connection("default")
    rows = [Row.objects.create(name=name) for name in ("GM", *(f"P{n}" for n in range(1, players + 3)))]
    session = nights.open_session(campaign=Campaign.objects.create(gm=rows[0], name="Night"), title="Night")
    seats = [session.seats.get(role=Role.GM), *(sit(session, row) for row in rows[1:-1])]
    seats.append(sit(session, rows[-1], Role.SPECTATOR))
    table = open_table(session=session, module_key=game, players=seats[1 : players + 1], clock=clock)
    pier = ScenarioScene(id="pier", title="The pier", read="Fog.", cut_ins=[CutIn(id="bang", words="Bang")])
    store = ScenarioScene(
        id="store", title="The store", read="Rats.", cut_ins=[CutIn(id="scream", words="Scream")]
    )
    scenario = editing.create_scenario(rows[0], Document(title="Out of light", scenes=[pier, store]))
    Stage.objects.create(session=session, scenario=scenario)
    SharedClock.objects.create(session=session, name="Guards", segments=6, filled=2)
    sits = {one.seat_id: one for one in table.table_seats.all()}
    names = ["gm", *(f"p{n}" for n in range(1, players + 1)), "late", "watcher"]
    found = [
        Person(name, people.token(row), seat.pk, sits[seat.pk].key, sits[seat.pk].pk)
        if seat.pk in sits
        else Person(name, people.token(row), seat.pk)
        for name, row, seat in zip(names, rows, seats, strict=True)
    ]
    assert registry()[game].gm == (found[0].key == "gm")
    file = _folder / f"{game}-{players}-{clock}-{os.getpid()}.sqlite3"
    file.unlink(missing_ok=True)
    connection.cursor().execute("VACUUM INTO %s", [str(file)])
    connection.close()
    return LaidOut(file, session.pk, table.pk, found)


class _Datetime(datetime):
    """The time of day, by the scheduler's clock."""

    scheduler: Scheduler

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return (NOON + timedelta(seconds=cls.scheduler.now)).astimezone(tz)


@contextmanager
def time_and_chance(scheduler: Scheduler, seed: str) -> Iterator[None]:
    """Let the code read the scheduler's clock, and draw from the seed."""
    from django.utils import timezone

    global _numbers
    chance, _numbers = random.Random(f"{seed}/chance"), count()
    _Datetime.scheduler = scheduler
    random.seed(f"{seed}/random")
    patches: list[tuple[Any, str, Any]] = [
        (time, "time", lambda: NOON.timestamp() + scheduler.now),
        (time, "monotonic", lambda: 1000 + scheduler.now),
        (time, "perf_counter", lambda: 1000 + scheduler.now),
        (timezone, "datetime", _Datetime),
        (secrets, "token_bytes", lambda count=None: chance.randbytes(count or 32)),
        (secrets, "randbelow", chance.randrange),
        (uuid, "uuid4", lambda: uuid.UUID(int=chance.getrandbits(128), version=4)),
    ]
    before = [getattr(owner, name) for owner, name, _ in patches]
    for owner, name, value in patches:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name, _), value in zip(patches, before, strict=True):
            setattr(owner, name, value)
