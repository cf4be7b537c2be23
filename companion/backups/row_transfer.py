"""Copy all rows of one database into another. Django's model fields convert between SQLite and PostgreSQL.

The tables follow the migrations that the source has, not the current models: a copy is also made before an
update, and an older copy is migrated after it was restored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Model

COPY = "copy"
#: Rows in memory at a time; some hold sounds of a few megabytes.
BATCH = 32


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
    """Return the models as of these migrations, including the through models of many-to-many fields."""
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
