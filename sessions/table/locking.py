"""The locks of a table's row and its evening's, always taken in the same order."""

from __future__ import annotations

from sessions.models import Session, Table


def lock(table_pk: int) -> Table:
    """Lock an evening's row, then that of a table of it, until the transaction ends; return the table.

    Neither its version nor its seating is overtaken meanwhile. Whoever changes both has to take the evening
    first, as its end does: two who took them the other way round would wait for each other.

    :raises Table.DoesNotExist:
    """
    session_pk = Table.objects.values_list("session", flat=True).get(pk=table_pk)
    session = Session.objects.select_for_update().get(pk=session_pk)
    table = Table.objects.select_for_update().get(pk=table_pk)
    table.session = session
    return table
