"""The news that a table moved on: to pages of this process at once, to others by the channel layer."""

from __future__ import annotations

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from sessions.models import Table

logger = logging.getLogger(__name__)

#: Called with table, version and seating of every move that this process commits, in the committing thread.
listeners: list[Callable[[int, int, int], None]] = []


def table_group(table_pk: int) -> str:
    """Return the name of the channel group of the processes that hold a table."""
    return f"table.{table_pk}"


def tell(table: Table, *, unveiled: bool = False) -> None:
    """Tell every process that the table moved on. Losing this loses nothing: readers ask the database.

    :param unveiled: True if it stays at its version, and the veil over it is gone (veil.py).
    """
    version, seating = table.version, table.session.seating
    for listener in listeners:
        listener(table.pk, version, seating)
    layer = get_channel_layer()
    if isinstance(layer, InMemoryChannelLayer):
        return
    message = {"type": "table.moved", "table": table.pk, "version": version, "seating": seating}
    message |= {"unveiled": unveiled}
    try:
        async_to_sync(layer.group_send)(table_group(table.pk), message)
    except Exception:
        # The move is committed: a layer that is away must not answer for it.
        logger.exception("table %s: other processes not told of version %s", table.pk, version)
