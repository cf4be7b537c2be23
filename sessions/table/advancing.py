"""The statement by which a table goes on: one for all moves, written out.

Django's ORM takes ten times as long to put it together as a database to do it, at every move of every table.
"""

from __future__ import annotations

from django.db import connection

from sessions.models import Session, Table

#: The fields that a move of the rules changes.
_NAMES = {"before", "snapshot", "version", "ended_at", "veiled_until"}
_CHANGED = [field for field in Table._meta.concrete_fields if field.name in _NAMES]
_ADVANCE = f"""
    UPDATE "{Table._meta.db_table}"
    SET {", ".join(f'"{field.column}" = %s' for field in _CHANGED)}
    WHERE "id" = %s AND "version" = %s AND "ended_at" IS NULL AND EXISTS (
        SELECT 1 FROM "{Session._meta.db_table}" WHERE "id" = %s AND "ended_at" IS NULL AND "seating" = %s
    )
"""  # noqa: S608 (our own names)


def advance(table: Table, *, seating: int) -> bool:
    """Write what a move made of a table, if its row has the version before, and its evening that seating.

    :return: False if not, or if the table or its evening has ended; nothing was written then.
    """
    changed = [field.get_db_prep_save(getattr(table, field.attname), connection) for field in _CHANGED]
    with connection.cursor() as cursor:
        cursor.execute(_ADVANCE, [*changed, table.pk, table.version - 1, table.session_id, seating])
        return bool(cursor.rowcount)
