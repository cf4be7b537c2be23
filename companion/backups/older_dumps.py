"""Backups of version 1 that were made on PostgreSQL: dumps of its own programs, which only those can read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext as _

from companion.files.unusable_files import Unusable

#: How such a file begins.
MARK = b"PGDMP"
#: How pg_restore names what may be in it.
ORDINARY = re.compile(r"\d+; \d+ \d+ (TABLE|SEQUENCE|INDEX|CONSTRAINT|FK CONSTRAINT|DEFAULT) ")


def is_one(file: Path) -> bool:
    """True for a dump of PostgreSQL."""
    with file.open("rb") as dump:
        return dump.read(len(MARK)) == MARK


def odd(file: Path) -> set[str]:
    """Return what a dump has besides tables and indexes.

    :raises Unusable: the server uses another database, or the dump is damaged.
    """
    if connection.vendor != "postgresql":
        raise Unusable(
            _(
                "An older version of Takujō made this backup, and it fits PostgreSQL alone. "
                "Restore it there and make another. Nothing was changed."
            )
        )
    lines = _run("pg_restore", "--list", str(file)).splitlines()
    return {line for line in lines if line[:1] not in ("", ";") and not ORDINARY.match(line)}


def load(file: Path) -> None:
    """Put a dump in the place of all tables, in one transaction.

    :raises Unusable: it is damaged, or somebody uses the database.
    """
    script, drops = file.with_suffix(".sql"), file.with_suffix(".drops.sql")
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
    names = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
    drops.write_text("".join(f"DROP TABLE {name} CASCADE;\n" for name in names))
    connection.close()
    quietly = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    _run("psql", *quietly, "--single-transaction", f"--file={drops}", f"--file={script}")


def _run(program: str, *arguments: str) -> str:
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
    patience = {"PGOPTIONS": "-c lock_timeout=5s", "PGCLIENTENCODING": "UTF8"}
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
