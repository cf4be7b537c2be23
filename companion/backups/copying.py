"""All rows of one database into another, whatever kind either is: fields of Django translate between them.

The tables are those of the migrations that the source has, and not of today's models: a copy is also made
before an update, and an older one is brought up to date after it was put back.
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
#: So many rows are held at a time: some are sounds of a few megabytes.
BATCH = 32


@contextmanager
def opened(file: Path) -> Iterator[BaseDatabaseWrapper]:
    """Yield a connection of Django to a file of SQLite, made if it is not there."""
    said = {DEFAULT_DB_ALIAS: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}}
    connections.settings[COPY] = connections.configure_settings(said)[DEFAULT_DB_ALIAS]
    try:
        yield connections[COPY]
    finally:
        connections[COPY].close()
        del connections[COPY], connections.settings[COPY]


def applied(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations that a database has, as "app.name"."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def models_after(migrations: Collection[str]) -> list[type[Model]]:
    """Return the models of these migrations, with those between many and many."""
    loader = MigrationLoader(None)
    made = loader.project_state([node for node in loader.graph.nodes if ".".join(node) in migrations]).apps
    return [model for model in made.get_models(include_auto_created=True) if not model._meta.proxy]


def fill(target: BaseDatabaseWrapper, source: BaseDatabaseWrapper) -> None:
    """Put the tables and rows of a database in the place of all that another holds, in one transaction."""
    migrations = applied(source)
    models = models_after(migrations)
    if migrations:  # their own table comes with the first one
        models.append(MigrationRecorder.Migration)
    there = target.introspection.table_names()
    with target.schema_editor() as editor:
        for table in there:
            editor.execute(f"DROP TABLE {editor.quote_name(table)} CASCADE")
        for model in models:
            if not model._meta.auto_created:  # these come with the model that says them
                editor.create_model(model)
        # Keys of other rows are looked at when the editor ends, so any order will do.
        for model in models:
            _copy(model, source, target)
            _go_on_counting(editor, model, source)


def _copy(model: type[Model], source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    for field in model._meta.local_fields:
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            field.auto_now = field.auto_now_add = False  # type: ignore[attr-defined]
    rows = model._base_manager.using(source.alias).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        model._base_manager.using(target.alias).bulk_create(batch)


def _go_on_counting(
    editor: BaseDatabaseSchemaEditor, model: type[Model], source: BaseDatabaseWrapper
) -> None:
    """Let the next row have a number that none had in the source, not even one that was deleted."""
    table, key = model._meta.db_table, model._meta.pk
    if not isinstance(key, AutoField) or not key.column:
        return
    if not (last := _last_number(source, table, key.column)):
        return
    if editor.connection.vendor == "sqlite":
        editor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        editor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
    else:
        quoted = editor.quote_name(table)
        editor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [quoted, key.column, last])


def _last_number(source: BaseDatabaseWrapper, table: str, column: str) -> int | None:
    with source.cursor() as cursor:
        if source.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            named = [source.ops.quote_name(table), column]
            cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", named)
        row = cursor.fetchone()
    return row[0] if row else None
