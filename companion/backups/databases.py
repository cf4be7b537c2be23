"""Dump the server's database, SQLite or PostgreSQL, into an SQLite file, and load it back.

A dump is checked: it has the tables of our migrations, and only tables and indexes. A trigger, a view or a
generated column would run foreign SQL whenever the server reads or writes. A plain table besides ours is
harmless: programs that copy a database while it is in use leave some.

Rows between SQLite and PostgreSQL are converted by Django's model fields. Their tables follow the migrations
that the source has, not the current models: a copy is also made before an update, and an older copy is
migrated after it was restored.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Model
from django.utils.translation import gettext as _

from companion.files import Unusable
from companion.models import Person, User
from companion.server import storage

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
NO_TABLES = """
    SELECT name FROM sqlite_master
    WHERE type NOT IN ('table', 'index') OR type = 'table' AND sql NOT LIKE 'CREATE TABLE %'
"""
CALCULATED = """
    SELECT tables.name FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.hidden
"""
#: Seconds to wait for other connections to the database.
PATIENCE = 5
COPY = "copy"
#: Rows in memory at a time; some hold sounds of a few megabytes.
BATCH = 32


def dump(file: Path) -> list[str]:
    """Copy a consistent snapshot while others go on writing. Return its migrations."""
    if connection.vendor == "sqlite":
        _copy_sqlite(file)
    else:
        _copy_postgresql(file)
    _check_sqlite(file)
    with open_sqlite(file) as copy:
        migrations = applied_migrations(copy)
    _refuse_newer(migrations)
    return migrations


def _copy_sqlite(file: Path) -> None:
    name = Path(connection.settings_dict["NAME"])
    if not os.access(name.parent, os.W_OK):
        # SQLite needs to write next to a database that it reads. No process can write in this folder, so
        # copying the files is safe.
        for helper in ("", "-wal"):
            if (kept := name.with_name(name.name + helper)).exists():
                shutil.copyfile(kept, file.with_name(file.name + helper))
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)


def _copy_postgresql(file: Path) -> None:
    with transaction.atomic(), open_sqlite(file) as copy:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _refuse_newer(applied_migrations(connection))
        copy_tables(connection, copy)


def _refuse_newer(migrations: list[str]) -> None:
    if storage.is_newer(migrations):
        raise Unusable(storage.explain_difference("newer"))


def _check_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file)) as copy:
        try:
            sound = copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
            # Make the copy a single file, without -wal and -shm. The server turns WAL on again.
            copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError as problem:
            if not storage.is_damage(problem):
                raise
            sound = False
    if not sound:
        raise Unusable(_("The database is damaged."))


def check_schema(file: Path, migrations: Collection[str]) -> None:
    """Raise ``Unusable`` if a dumped database has not the tables of these migrations ("app.name") only."""
    ours = {model._meta.db_table for model in models_after(migrations)}
    with closing(sqlite3.connect(file)) as copy:

        def select_names(question: str) -> set[str]:
            return {str(name) for (name,) in copy.execute(question)}

        try:
            odd = select_names(NO_TABLES) | select_names(CALCULATED) | (ours - select_names(TABLES))
        except sqlite3.DatabaseError as error:
            raise Unusable(_("The database is damaged.")) from error
    if odd:
        raise Unusable(
            _("The database holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )


def count_rows(file: Path, migrations: Collection[str]) -> dict[str, int]:
    """Return the number of rows of a dumped database by table."""
    ours = sorted(model._meta.db_table for model in models_after(migrations))
    with closing(sqlite3.connect(file)) as copy:
        return {table: copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in ours}  # noqa: S608


def has_people() -> bool:
    """True if the database has people or accounts that could be lost, or cannot be read."""
    try:
        tables = connection.introspection.table_names()
        return any(model._meta.db_table in tables and model.objects.exists() for model in (Person, User))
    except DatabaseError:
        return True


def load(file: Path) -> None:
    if connection.vendor == "sqlite":
        _load_sqlite(file)
    else:
        _load_postgresql(file)


def _load_sqlite(file: Path) -> None:
    _check_sqlite(file)
    name = Path(connection.settings_dict["NAME"])
    try:
        with connection.cursor() as cursor:
            # Merge the -wal file into the old database: it must not be applied to the new one.
            cursor.execute("PRAGMA journal_mode=DELETE")
    except OperationalError as busy:
        raise Unusable(_("Somebody uses the database. End the server first. Nothing was changed.")) from busy
    except DatabaseError:
        pass  # the file is no database, which may be the reason for this restore
    finally:
        connection.close()
    # Copy into the same folder first: a rename is atomic only within one file system.
    new = name.with_name(f".{name.name}.restored")
    new.touch(mode=0o600)
    try:
        shutil.copyfile(file, new)
    except OSError:
        new.unlink()
        raise
    for helper in ("-wal", "-shm", "-journal"):
        name.with_name(name.name + helper).unlink(missing_ok=True)
    new.replace(name)


def _load_postgresql(file: Path) -> None:
    # Continue with one connection: others in our own pool would look like those of another process.
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL alone
    connection.settings_dict["OPTIONS"]["pool"] = False
    _wait_until_alone()
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{PATIENCE}s'")
    try:
        with open_sqlite(file) as copy:
            copy_tables(copy, connection)
    except DatabaseError as problem:
        words = {"reason": " ".join(str(problem).split())}
        raise Unusable(
            _("PostgreSQL does not take the backup: %(reason)s. Nothing was changed.") % words
        ) from problem
    finally:
        connection.close()


def _wait_until_alone() -> None:
    """Raise ``Unusable`` if another connection is still open after ``PATIENCE`` seconds."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    end = time.monotonic() + PATIENCE
    while True:
        with connection.cursor() as cursor:
            cursor.execute(others)
            if not cursor.fetchone()[0]:
                return
        if time.monotonic() > end:
            raise Unusable(_("Somebody uses the database. End the server first. Nothing was changed."))
        time.sleep(0.1)


def vacuum() -> None:
    """Let the space of deleted rows be used again, outside of a transaction.

    SQLite's file shrinks; writes wait meanwhile, for seconds at most. In PostgreSQL new rows use the space:
    to rewrite its tables (FULL) would stop all moves for as long as they take to copy.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            # The file shrinks only when the WAL is written back into it.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            cursor.execute("VACUUM (ANALYZE, SKIP_LOCKED)")


@contextmanager
def open_sqlite(file: Path) -> Iterator[BaseDatabaseWrapper]:
    """Yield a Django connection to an SQLite file. The file is created if it does not exist."""
    said = {DEFAULT_DB_ALIAS: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}}
    connections.settings[COPY] = connections.configure_settings(said)[DEFAULT_DB_ALIAS]
    try:
        yield connections[COPY]
    finally:
        connections[COPY].close()
        del connections[COPY], connections.settings[COPY]


def applied_migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations applied to a database, as "app.name"."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def models_after(migrations: Collection[str]) -> list[type[Model]]:
    """Return the models as of these migrations, including through models."""
    loader = MigrationLoader(None)
    made = loader.project_state([node for node in loader.graph.nodes if ".".join(node) in migrations]).apps
    return [model for model in made.get_models(include_auto_created=True) if not model._meta.proxy]


def copy_tables(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Replace all tables of ``target`` by the tables and rows of ``source``, in one transaction."""
    migrations = applied_migrations(source)
    models = models_after(migrations)
    if migrations:  # without any, the table of migrations does not exist either
        models.append(MigrationRecorder.Migration)
    there = target.introspection.table_names()
    with target.schema_editor() as editor:
        for table in there:
            editor.execute(f"DROP TABLE {editor.quote_name(table)} CASCADE")
        for model in models:
            if not model._meta.auto_created:  # through tables are created with the model that declares them
                editor.create_model(model)
        # Foreign keys are checked when the editor exits, so rows can be copied in any order.
        for model in models:
            _copy_rows(model, source, target)
            _continue_sequence(editor, model, source)


def _copy_rows(model: type[Model], source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    for field in model._meta.local_fields:
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            field.auto_now = field.auto_now_add = False  # type: ignore[attr-defined]
    rows = model._base_manager.using(source.alias).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        model._base_manager.using(target.alias).bulk_create(batch)


def _continue_sequence(
    editor: BaseDatabaseSchemaEditor, model: type[Model], source: BaseDatabaseWrapper
) -> None:
    """Set the sequence of a table so that no id of the source is used again, not even a deleted row's."""
    table, key = model._meta.db_table, model._meta.pk
    if not isinstance(key, AutoField) or not key.column:
        return
    if not (last := _last_id(source, table, key.column)):
        return
    if editor.connection.vendor == "sqlite":
        editor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        editor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
    else:
        quoted = editor.quote_name(table)
        editor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [quoted, key.column, last])


def _last_id(source: BaseDatabaseWrapper, table: str, column: str) -> int | None:
    with source.cursor() as cursor:
        if source.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            named = [source.ops.quote_name(table), column]
            cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", named)
        row = cursor.fetchone()
    return row[0] if row else None
