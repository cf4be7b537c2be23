"""Check the schema of a dumped database: it has the tables of our migrations, and only tables and indexes.

A trigger, a view or a generated column would run foreign SQL whenever the server reads or writes. A plain
table besides ours is harmless: programs that copy a database while it is in use leave some.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from django.utils.translation import gettext as _

from companion.backups import copying, older_dumps
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


def check_schema(file: Path, migrations: Collection[str]) -> None:
    """Check that a dumped database has the tables of these migrations, each given as "app.name".

    :raises Unusable: it is damaged, or has another schema.
    """
    odd = (
        older_dumps.unexpected_entries(file)
        if older_dumps.is_pg_dump(file)
        else _unexpected_tables(file, migrations)
    )
    if odd:
        raise Unusable(
            _("The database holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )


def _unexpected_tables(file: Path, migrations: Collection[str]) -> set[str]:
    ours = {model._meta.db_table for model in copying.models_after(migrations)}
    with closing(sqlite3.connect(file)) as copy:

        def select_names(question: str) -> set[str]:
            return {str(name) for (name,) in copy.execute(question)}

        try:
            return select_names(NO_TABLES) | select_names(CALCULATED) | (ours - select_names(TABLES))
        except sqlite3.DatabaseError as error:
            raise Unusable(_("The database is damaged.")) from error


def count_rows(file: Path, migrations: Collection[str]) -> dict[str, int]:
    """Return the number of rows in a dumped database, by table of these migrations."""
    ours = sorted(model._meta.db_table for model in copying.models_after(migrations))
    with closing(sqlite3.connect(file)) as copy:
        return {table: copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in ours}  # noqa: S608
