"""Notify pages that a table moved on: in this process at once, in others through the channel layer."""

from __future__ import annotations

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from sessions.models import Table

logger = logging.getLogger(__name__)

#: Callables that get table, version and seating of each move that this process commits, in its thread.
listeners: list[Callable[[int, int, int], None]] = []


def table_group(table_pk: int) -> str:
    """Return the name of the channel group of the processes that hold a table."""
    return f"table.{table_pk}"


def publish_version(table: Table, *, unveiled: bool = False) -> None:
    """Notify every process that the table moved on. A lost message does no harm: readers ask the database.

    :param unveiled: True if the version is the same, and only the undo window has ended (veil.py).
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
        # The move is committed: a failing channel layer must not fail it.
        logger.exception("table %s: other processes not told of version %s", table.pk, version)
