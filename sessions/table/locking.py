"""The row locks of a table and its session, always taken in the same order."""

from __future__ import annotations

from sessions.models import Session, Table


def lock(table_pk: int) -> Table:
    """Lock the session's row, then the table's, until the transaction ends; return the table.

    Until then no other transaction changes the version or the seating. Code that locks both rows must lock
    the session first, as closing a session does: opposite orders would deadlock.

    :raises Table.DoesNotExist:
    """
    session_pk = Table.objects.values_list("session", flat=True).get(pk=table_pk)
    session = Session.objects.select_for_update().get(pk=session_pk)
    table = Table.objects.select_for_update().get(pk=table_pk)
    table.session = session
    return table
