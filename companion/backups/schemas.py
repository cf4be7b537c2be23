"""The schema of a dumped database: the tables of our migrations, and nothing but tables and indexes.

A trigger, a view or a calculated column would run somebody's words whenever the server reads or writes. A
plain table beside ours does nothing: programs that copy a database while it is in use leave some.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from companion.backups import databases
from companion.files.unusable_files import Unusable

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
NO_TABLES = """
    SELECT name FROM sqlite_master
    WHERE type NOT IN ('table', 'index') OR type = 'table' AND sql NOT LIKE 'CREATE TABLE %'
"""
CALCULATED = """
    SELECT tables.name FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.hidden
"""
#: How pg_restore names what may be in a dump of PostgreSQL.
ORDINARY = re.compile(r"\d+; \d+ \d+ (TABLE|SEQUENCE|INDEX|CONSTRAINT|FK CONSTRAINT|DEFAULT) ")


def check(file: Path, migrations: Collection[str]) -> None:
    """Do nothing for a dumped database with the schema of these migrations, each told as "app.name".

    :raises Unusable: it is damaged, or has another schema.
    """
    odd = _odd_in_sqlite(file, migrations) if connection.vendor == "sqlite" else _odd_in_postgresql(file)
    if odd:
        raise Unusable(
            _("The database holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )


def _odd_in_sqlite(file: Path, migrations: Collection[str]) -> set[str]:
    with closing(sqlite3.connect(file)) as copy:

        def named(question: str) -> set[str]:
            return {str(name) for (name,) in copy.execute(question)}

        try:
            return named(NO_TABLES) | named(CALCULATED) | (_tables_after(migrations) - named(TABLES))
        except sqlite3.DatabaseError as error:
            raise Unusable(_("The database is damaged.")) from error


def _tables_after(migrations: Collection[str]) -> set[str]:
    loader = MigrationLoader(None)
    made = loader.project_state([node for node in loader.graph.nodes if ".".join(node) in migrations]).apps
    return {model._meta.db_table for model in made.get_models(include_auto_created=True)}


def _odd_in_postgresql(file: Path) -> set[str]:
    lines = databases.run("pg_restore", "--list", str(file)).splitlines()
    return {line for line in lines if line[:1] not in ("", ";") and not ORDINARY.match(line)}
