"""Play a move on the cached table, store it, and notify the pages once it is committed.

``MoveRequest`` says who asks for which move at which version. Two SQL statements store a move. They are
written by hand because every move of every table runs them: Django's ORM takes ten times as long to build
them as the database takes to execute them. Jobs that follow a move without belonging to it (character sheets,
the dots on other tables' tabs) run after the commit, and one that fails does not undo the move.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import connection, transaction
from django.db.models import Field, Model
from django.utils import timezone

import characters.services
from characters.models import Character
from companion.fate import Fate
from companion.requests import quotas
from companion.requests.quotas import QuotaExceeded
from sessions.engine.step import encode, step
from sessions.engine.undo import checkpoints_due
from sessions.evening.announcements import broadcast as announce_evening
from sessions.game import AnyModule, Event, IllegalMove, Json
from sessions.models import Move, Session, Table, Trial
from sessions.table import replay, table_cache, undo_window
from sessions.table.table_cache import CachedTable

#: Seconds; a move whose rules take longer is logged as a warning, because other requests wait for it.
SLOW = 0.5
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
_put_off: ContextVar[list[Job] | None] = ContextVar("jobs put off", default=None)
#: Callables that get table, version and seating of each move that this process commits, in its thread.
listeners: list[Callable[[int, int, int], None]] = []


@dataclass(frozen=True)
class Receipt:
    """The result of an accepted move.

    The same move sent again gets a receipt with the same version, and ``again`` set.
    """

    version: int
    again: bool = False


class Overtaken(Exception):
    """Another change of the table was stored after the move had been tried on it."""


class Reseated(Exception):
    """The session's seating has changed since the mover's permission was checked."""


@dataclass(frozen=True, kw_only=True)
class MoveRequest:
    """A move that a seat wants to play."""

    seat: str
    client_id: uuid.UUID
    raw: bytes
    #: The table's version that the mover saw. An older one is accepted while the seat's question is the same.
    version: int
    #: The hash of the question that the seat was asked, as the page sent it.
    asked: str
    #: The session's seating when the mover's permission for this seat was checked; None if none is needed.
    seating: int | None = None
    #: The name of the stand-in who plays for the seat (代行), for the log.
    stand_in: str = ""
    #: The kind of the bot that plays this seat, or only this one move of it (``once``); "" for a person.
    bot: str = ""
    #: True if the bot moves because the player's time is over (clock.py): the seat stays the player's.
    once: bool = False


def play(now: CachedTable, module: AnyModule, request: MoveRequest, move: Any) -> list[Event]:
    """Apply a move to the cached table and store it, unless another move was stored first; return its events.

    :raises IllegalMove:
    :raises GameFailed:
    :raises Overtaken: another move was faster; nothing was written.
    """
    then, row, events = _next(now, module, request, move)
    table, ends = then.table, then.table.ended_at is not None
    changed = module.sheets.after(events) if module.sheets else {}
    # In an outer transaction, or if the session or older log lines change too, the cache drops the table.
    opens = len(module.secrets.opened(then.state)) != len(module.secrets.opened(now.state))
    again = ends or opens or connection.in_atomic_block
    publish = (
        partial(table_cache.invalidate_table, table.pk) if again else partial(table_cache.put_table, then)
    )
    with transaction.atomic():
        if ends:
            announce_evening(table.session_id)
        if not advance(table, seating=now.seating + ends):
            raise Overtaken
        write(row, row.number, bytes(table.snapshot))
        after_commit(now, then, changed, publish)
    return events


def _next(
    now: CachedTable, module: AnyModule, request: MoveRequest, move: Any
) -> tuple[CachedTable, Move, list[Event]]:
    """Return the table after a move, the move's log row, and its events. Nothing is written yet."""
    table, number, began = now.table, now.version + 1, time.perf_counter()
    if now.masked_state is not None:
        # Refusals must not reveal the face-down cards while the previous move can still be taken back.
        step(module, encode(now.masked_state), request.seat, move, Fate(table.secret, number))
    snapshot, events = step(module, bytes(table.snapshot), request.seat, move, Fate(table.secret, number))
    state = module.load(snapshot)
    ended_at = timezone.now() if _is_over(table, module, state) else None
    row = build_move_row(table, number, request, move, events)
    veiled = None if request.bot else undo_window.mask_new_state(module, now.state, state, table.session)
    then = now.after(row, state, snapshot, ended_at, veiled)
    for seat in (None, *state.seats):
        then.view_for(seat)  # Fail now, before the move is stored, if a seat's view of the new state fails.
    if (took := time.perf_counter() - began) > SLOW:
        at = table.pk, module.key, took, type(move).__name__, request.seat
        logger.warning("table %s: %s thought %.1f s about %s by %s", *at)
    return then, row, events


def _is_over(table: Table, module: AnyModule, state: Any) -> bool:
    """True if a game is over, or if a newcomer's first game has reached its own, earlier end."""
    first = module.first_game if table.session.trial == Trial.FIRST_GAME else None
    return module.outcome(state) is not None or bool(first and first.ends(state))


def write(row: Move, restored: int, snapshot: bytes) -> None:
    """Write a row of the log, and the checkpoints that are due with it.

    :param restored: the version that the row restores, its own number for a move of the rules.
    :raises IllegalMove: ``log_full``.
    """
    try:
        log(row)
    except QuotaExceeded:
        raise IllegalMove("log_full") from None
    if numbers := checkpoints_due(row.number, restored):
        replay.store_checkpoints(row.table, dict.fromkeys(numbers, snapshot))


def build_move_row(table: Table, number: int, request: MoveRequest, move: Any, events: list[Event]) -> Move:
    """Return the log row of a move, not written yet."""
    return Move(
        table=table,
        number=number,
        seat=request.seat,
        client_id=request.client_id,
        move=encode(move),
        events=encode(events),
        stand_in=request.stand_in,
        bot=request.bot,
    )


def after_commit(
    now: CachedTable, then: CachedTable, changed: Mapping[str, Json], publish: Callable[[], object]
) -> None:
    # Not a partial: Django logs a failing callback by its ``__qualname__``, which a partial lacks.
    transaction.on_commit(lambda: _publish_move(now, then, changed, publish), robust=True)


def _publish_move(
    now: CachedTable, then: CachedTable, changed: Mapping[str, Json], publish: Callable[[], object]
) -> None:
    """Notify all pages, and start the jobs that follow.

    :param changed: the sheet fields that the move changed permanently, by seat.
    """
    publish()
    publish_version(then.table)
    if then.beside_others and then.waited_for != now.waited_for:
        # Pages of other tables mark the tables that wait for their seat with a dot.
        run_or_defer(partial(announce_evening, then.table.session_id, "tabs"))
    for sits in then.table.sitters:
        if sits.key in changed and sits.seat and sits.seat.character_id:
            run_or_defer(partial(_write_sheet, sits.seat.character_id, changed[sits.key]))


def _write_sheet(character_pk: int, fields: Json) -> None:
    """Save a table's permanent changes to a character sheet."""
    if character := Character.objects.filter(pk=character_pk).first():
        characters.services.set_hp(character=character, hp=fields["hp"])


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


@contextmanager
def defer_jobs() -> Iterator[list[Job]]:
    """Collect the jobs that this block passes to ``run_or_defer``, to be passed to ``run`` later."""
    jobs: list[Job] = []
    token = _put_off.set(jobs)
    try:
        yield jobs
    finally:
        _put_off.reset(token)


def run_or_defer(job: Job) -> None:
    """Run a job now, or collect it inside ``defer_jobs``."""
    jobs = _put_off.get()
    if jobs is None:
        run([job])
    else:
        jobs.append(job)


def run(jobs: list[Job]) -> None:
    """Run jobs in their order; a failing one is logged, and the others still run."""
    for job in jobs:
        try:
            job()
        except Exception:
            logger.exception("not done after a move")


def table_group(table_pk: int) -> str:
    """Return the name of the channel group of the processes that hold a table."""
    return f"table.{table_pk}"


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
