"""Store a move, and notify the pages once it is committed.

Two SQL statements store a move. They are written by hand because every move of every table runs them:
Django's ORM takes ten times as long to build them as the database takes to execute them. Jobs that follow a
move without belonging to it (character sheets, the dots on other tables' tabs) run after the commit, and one
that fails does not undo the move.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import connection, transaction
from django.db.models import Field, Model

from characters.models import Character
from characters.services import sheets
from companion.requests import quotas
from companion.requests.quotas import QuotaExceeded
from sessions.engine.undo import checkpoints_due
from sessions.evening.announcements import broadcast
from sessions.game import IllegalMove, Json
from sessions.models import Move, Session, Table
from sessions.table import replay, table_cache
from sessions.table.table_cache import CachedTable

logger = logging.getLogger(__name__)
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
Job = Callable[[], None]
_deferred: ContextVar[list[Job] | None] = ContextVar("jobs put off", default=None)
#: Callables that get table, version and seating of each move that this process commits, in its thread.
listeners: list[Callable[[int, int, int], None]] = []


def advance_table(table: Table, *, seating: int) -> bool:
    """Write a table's state after a move, if its row has the previous version and its session this seating.

    :return: False if they differ, or if the table or its session has ended; nothing was written then.
    """
    expected = table.pk, table.version - 1, table.session_id, seating
    return bool(_execute(_ADVANCE, [*_values(table, _CHANGED), *expected]))


def write_move(row: Move, restored: int, snapshot: bytes) -> None:
    """Write a row of the log, and the checkpoints that are due with it.

    :param restored: the version that the row restores, its own number for a move of the rules.
    :raises IllegalMove: ``log_full``.
    """
    try:
        insert_move(row)
    except QuotaExceeded:
        raise IllegalMove("log_full") from None
    if numbers := checkpoints_due(row.number, restored):
        replay.store_checkpoints(row.table, dict.fromkeys(numbers, snapshot))


def insert_move(row: Move) -> None:
    """Write a row of the log.

    :raises QuotaExceeded: the table has no room for one more move.
    :raises IntegrityError: the table has a row with this number, or the seat sent this move before.
    """
    quotas.check(Move, row)
    _execute(_LOG, _values(row, _LOGGED))


def _values(row: Model, fields: Iterable[Field[Any, Any]]) -> list[Any]:
    return [
        value if type(value) in _PLAIN else field.get_db_prep_save(value, connection)
        for field in fields
        for value in [getattr(row, field.attname)]
    ]


def _execute(statement: str, values: list[Any]) -> int:
    if connection.vendor == "sqlite":
        statement = statement.replace("%s", "?")
    with connection.wrap_database_errors:
        return int(connection.connection.execute(statement, values).rowcount)


def after_commit(
    before: CachedTable, after: CachedTable, changed: Mapping[str, Json], *, is_complete: bool
) -> None:
    """Once the move is committed, notify all pages, and start the jobs that follow.

    :param changed: the sheet fields that the move changed permanently, by seat.
    :param is_complete: True if ``after`` may be cached; False if more has changed, so it must be read again.
    """
    # Not a partial: Django logs a failing callback by its ``__qualname__``, which a partial lacks.
    transaction.on_commit(lambda: _publish_move(before, after, changed, is_complete), robust=True)


def _publish_move(
    before: CachedTable, after: CachedTable, changed: Mapping[str, Json], is_complete: bool
) -> None:
    if is_complete:
        table_cache.put_table(after)
    else:
        table_cache.invalidate_table(after.table.pk)
    publish_version(after.table)
    if after.has_other_tables and after.awaited_seats != before.awaited_seats:
        # Pages of other tables mark the tables that wait for their seat with a dot.
        run_or_defer(partial(broadcast, after.table.session_id, "tabs"))
    for sits in after.table.sitters:
        if sits.key in changed and sits.seat and sits.seat.character_id:
            run_or_defer(partial(_write_sheet, sits.seat.character_id, changed[sits.key]))


def publish_version(table: Table, *, unveiled: bool = False) -> None:
    """Notify every process that the table moved on. A lost message does no harm: readers ask the database.

    :param unveiled: True if the version is the same, and only the undo window has ended (undo_window.py).
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


def table_group(table_pk: int) -> str:
    return f"table.{table_pk}"


def _write_sheet(character_pk: int, fields: Json) -> None:
    if character := Character.objects.filter(pk=character_pk).first():
        sheets.set_hp(character=character, hp=fields["hp"])


def run_or_defer(job: Job) -> None:
    jobs = _deferred.get()
    if jobs is None:
        run_jobs([job])
    else:
        jobs.append(job)


@contextmanager
def defer_jobs() -> Iterator[list[Job]]:
    """Collect the jobs that this block passes to ``run_or_defer``, to be passed to ``run_jobs`` later."""
    jobs: list[Job] = []
    token = _deferred.set(jobs)
    try:
        yield jobs
    finally:
        _deferred.reset(token)


def run_jobs(jobs: list[Job]) -> None:
    """Run jobs in their order; a failing one is logged, and the others still run."""
    for job in jobs:
        try:
            job()
        except Exception:
            logger.exception("not done after a move")


def lock_table(table_pk: int) -> Table:
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
