"""Backups of version 1 made on PostgreSQL: ``pg_dump`` files, which only ``pg_restore`` can read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext as _

from companion.files.unusable_files import Unusable

#: The first bytes of a ``pg_dump`` file.
PG_DUMP_MARK = b"PGDMP"
#: The entries of a ``pg_restore`` list that a dump may have.
PG_DUMP_ENTRY = re.compile(r"\d+; \d+ \d+ (TABLE|SEQUENCE|INDEX|CONSTRAINT|FK CONSTRAINT|DEFAULT) ")


def is_pg_dump(file: Path) -> bool:
    """True for a ``pg_dump`` file."""
    with file.open("rb") as dump:
        return dump.read(len(PG_DUMP_MARK)) == PG_DUMP_MARK


def unexpected_entries(file: Path) -> set[str]:
    """Return the entries of a dump that are no tables, indexes, sequences, constraints or defaults.

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
    return {line for line in lines if line[:1] not in ("", ";") and not PG_DUMP_ENTRY.match(line)}


def load_pg_dump(file: Path) -> None:
    """Replace all tables by those of a dump, in one transaction.

    :raises Unusable: it is damaged, or the database is in use.
    """
    script, drops = file.with_suffix(".sql"), file.with_suffix(".drops.sql")
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
    names = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
    drops.write_text("".join(f"DROP TABLE {name} CASCADE;\n" for name in names))
    connection.close()
    quietly = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    _run("psql", *quietly, "--single-transaction", f"--file={drops}", f"--file={script}")


def _run(program: str, *arguments: str) -> str:
    """Run a PostgreSQL client program on our database and return its output.

    The password is passed in the environment, so that no process list shows it.

    :raises Unusable: the program is not installed, or fails.
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
