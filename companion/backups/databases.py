"""A database as a file, and back: SQLite by its own way of copying, PostgreSQL by its own programs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

from django.db import DatabaseError, OperationalError, connection, connections
from django.utils.translation import gettext as _

from companion.files.unusable_files import Unusable
from companion.models import Person, User

#: Seconds that PostgreSQL and we wait for somebody who uses the database.
PATIENCE = 5


def has_people() -> bool:
    """True if there is anything here to lose; a database that cannot be read counts, too."""
    try:
        tables = connection.introspection.table_names()
        return any(model._meta.db_table in tables and model.objects.exists() for model in (Person, User))
    except DatabaseError:
        return True


def dump(file: Path) -> None:
    """Copy the database as it is at one moment, while others go on writing.

    :raises Unusable: the database is damaged, or a program is missing.
    """
    if connection.vendor == "sqlite":
        _copy_sqlite(file)
    else:
        run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def load(file: Path) -> None:
    """Put a dumped database in the place of the present one, all of it or nothing.

    :raises Unusable: the copy is damaged, or somebody uses the database.
    """
    if connection.vendor == "sqlite":
        _load_sqlite(file)
    else:
        _load_postgresql(file)


def _copy_sqlite(file: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
    _check_sqlite(file)


def _check_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file)) as copy:
        try:
            sound = copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
            # One file, without helpers beside it; the server turns its log on again.
            copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError:
            sound = False
    if not sound:
        raise Unusable(_("The database is damaged."))


def _load_sqlite(file: Path) -> None:
    _check_sqlite(file)
    name = Path(connection.settings_dict["NAME"])
    try:
        with connection.cursor() as cursor:
            # What waits in the -wal file goes into the database: it must not meet the other one.
            cursor.execute("PRAGMA journal_mode=DELETE")
    except OperationalError as busy:
        raise Unusable(_("Somebody uses the database. End the server first. Nothing was changed.")) from busy
    except DatabaseError:
        pass  # not even a database: that may be why there is a restore
    finally:
        connection.close()
    # Beside it first: only on one disk is a file put in another's place at once.
    new = name.with_name(f".{name.name}.restored")
    new.touch(mode=0o600)
    shutil.copyfile(file, new)
    for helper in ("-wal", "-shm", "-journal"):
        name.with_name(name.name + helper).unlink(missing_ok=True)
    new.replace(name)


def _load_postgresql(file: Path) -> None:
    script, drops = file.with_suffix(".sql"), file.with_suffix(".drops.sql")
    run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
    names = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
    drops.write_text("".join(f"DROP TABLE {name} CASCADE;\n" for name in names))
    connection.close()
    connections["default"].close_pool()  # type: ignore[attr-defined]  # of PostgreSQL alone
    _wait_until_alone()
    quietly = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    run("psql", *quietly, "--single-transaction", f"--file={drops}", f"--file={script}")


def _wait_until_alone() -> None:
    """Wait until the connections that we had ourselves have gone.

    :raises Unusable: others stay.
    """
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    end = time.monotonic() + PATIENCE
    while int(run("psql", "--no-psqlrc", "--tuples-only", f"--command={others}")):
        if time.monotonic() > end:
            raise Unusable(_("Somebody uses the database. End the server first. Nothing was changed."))
        time.sleep(0.1)


def run(program: str, *arguments: str) -> str:
    """Run a program of PostgreSQL on our database and return its output.

    The password is in no list of processes.

    :raises Unusable: it is not installed, or fails.
    """
    if shutil.which(program) is None:
        raise Unusable(
            _("%(program)s is not installed; in Debian it is in postgresql-client.") % {"program": program}
        )
    settings = connection.settings_dict
    address = {
        "PGHOST": settings["HOST"],
        "PGPORT": str(settings["PORT"]),
        "PGUSER": settings["USER"],
        "PGPASSWORD": settings["PASSWORD"],
        "PGDATABASE": settings["NAME"],
    }
    said = {name: value for name, value in address.items() if value}
    patience = {"PGOPTIONS": f"-c lock_timeout={PATIENCE}s", "PGCLIENTENCODING": "UTF8"}
    done = subprocess.run(  # noqa: S603  # our own words, no shell
        [program, *arguments],
        env={**os.environ, **said, **patience},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Unusable(f"{program}: {done.stderr.strip()}")
    return done.stdout
