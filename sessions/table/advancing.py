"""The two SQL statements that store a move, written by hand because every move of every table runs them.

Django's ORM takes ten times as long to build them as the database takes to execute them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from companion.limits import quotas
from sessions.models import Move, Session, Table

_NAMES = {"before", "snapshot", "version", "ended_at", "veiled_until"}
#: The types of values that database drivers accept without conversion.
_PLAIN = {int, str, bytes, type(None)}
_CHANGED = [field for field in Table._meta.concrete_fields if field.name in _NAMES]
_LOGGED = [field for field in Move._meta.concrete_fields if not field.primary_key]
_ADVANCE = f"""
    UPDATE "{Table._meta.db_table}"
    SET {", ".join(f'"{field.column}" = %s' for field in _CHANGED)}
    WHERE "id" = %s AND "version" = %s AND "ended_at" IS NULL AND EXISTS (
        SELECT 1 FROM "{Session._meta.db_table}" WHERE "id" = %s AND "ended_at" IS NULL AND "seating" = %s
    )
"""  # noqa: S608 (our own names)
_LOG = f"""
    INSERT INTO "{Move._meta.db_table}" ({", ".join(f'"{field.column}"' for field in _LOGGED)})
    VALUES ({", ".join("%s" for _ in _LOGGED)})
"""  # noqa: S608 (our own names)


def advance(table: Table, *, seating: int) -> bool:
    """Write a table's state after a move, if its row has the previous version and its session this seating.

    :return: False if they differ, or if the table or its session has ended; nothing was written then.
    """
    before = table.pk, table.version - 1, table.session_id, seating
    return bool(_execute(_ADVANCE, [*_values(table, _CHANGED), *before]))


def log(row: Move) -> None:
    """Write a row of the log.

    :raises QuotaExceeded: the table has no room for one more move.
    :raises IntegrityError: the table has a row with this number, or the seat sent this move before.
    """
    quotas.check(Move, row)
    _execute(_LOG, _values(row, _LOGGED))


def _values(row: Model, fields: Iterable[Field[Any, Any]]) -> list[Any]:
    values = [(field, getattr(row, field.attname)) for field in fields]
    return [
        value if type(value) in _PLAIN else field.get_db_prep_save(value, connection)
        for field, value in values
    ]


def _execute(statement: str, values: list[Any]) -> int:
    """Execute a statement with the database's own driver, in Django's transaction; return the row count."""
    if connection.vendor == "sqlite":
        statement = statement.replace("%s", "?")
    with connection.wrap_database_errors:
        return int(connection.connection.execute(statement, values).rowcount)
