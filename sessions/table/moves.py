"""The only way to change a live table's state: play a move, or take moves back.

The rules play a move on the cached table (table_cache.py), and it counts only if the row still has the cached
version and seating when the move is stored (commit.py): no lock is held while the rules run, and nothing is
read twice. All other changes of a table (taking back, moves of the GM's forms) lock its row. An undo and a
rewind restore an earlier state under a new version number, and what depends on it.
"""

from __future__ import annotations

import copy
import logging
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import IntegrityError, connection, transaction

from companion import shared_time
from companion.fate import Fate
from companion.observability.metrics import MOVES
from sessions.engine import undo
from sessions.engine.registry import registry
from sessions.engine.step import encode, step
from sessions.engine.undo import Rewind, Undo
from sessions.evening.announcements import broadcast
from sessions.game import AnyModule, Event, IllegalMove, Json
from sessions.models import Move, Table, Trial
from sessions.table import commit, log, replay, table_cache, undo_window
from sessions.table.commit import lock_table
from sessions.table.seat_view import can_undo, question_hash
from sessions.table.table_cache import CachedTable

logger = logging.getLogger(__name__)
#: Seconds; a move whose rules take longer is logged as a warning, because other requests wait for it.
SLOW_AFTER = 0.5
#: Tries of a move on the cached table. If other moves were faster each time, one more try locks the row.
TRIES = 3


@dataclass(frozen=True)
class Receipt:
    """The result of an accepted move. The same move sent again gets the same version, as a repeated one."""

    version: int
    is_repeated: bool = False


class TableOutdated(Exception):
    """Another change of the table was stored after the move had been tried on it."""


class SeatingChanged(Exception):
    """The session's seating has changed since the mover's permission was checked."""


@dataclass(frozen=True, kw_only=True)
class MoveRequest:
    """A move that a seat wants to play."""

    seat: str
    raw: bytes
    #: The id that the page gave the move; a move of the server gets a new one.
    # By a lambda: the simulator (tests/simulation) puts another ``uuid4`` in place.
    client_id: uuid.UUID = field(default_factory=lambda: uuid.uuid4())
    #: The table's version that the mover saw. An older one is accepted while the seat's question is the same.
    version: int
    #: The hash of the question that the seat was asked, as the page sent it.
    asked: str = ""
    #: The session's seating when the mover's permission for this seat was checked; None if none is needed.
    seating: int | None = None
    #: The name of the stand-in who plays for the seat (代行), for the log.
    stand_in: str = ""
    #: The kind of the bot that plays this seat, or only this one move of it (``once``); "" for a person.
    bot: str = ""
    #: True if the bot moves because the player's time is over (clock.py): the seat stays the player's.
    once: bool = False


def submit(table_pk: int, request: MoveRequest) -> Receipt:
    """Play one move, or refuse it.

    :raises IllegalMove: malformed, stale, against the rules, ``log_full``, ``id_taken`` (another move has its
        id), or ``bot_plays`` (the seat is a bot's, or not this bot's); nothing was written.
    :raises SeatingChanged: the caller must check again whether the mover may play; nothing was written.
    :raises Table.DoesNotExist:
    """
    for _ in range(TRIES):
        if receipt := _try_move(table_cache.get_table(table_pk), request):
            return receipt
        table_cache.invalidate_table(table_pk)
    with transaction.atomic():
        lock_table(table_pk)
        if receipt := _try_move(table_cache.read_table(table_pk), request):
            return receipt
    raise IllegalMove("stale")


def _try_move(cached: CachedTable, request: MoveRequest) -> Receipt | None:
    """Play a move on the cached table; return None if the table has moved on in the database.

    :raises IllegalMove: the present table refuses it.
    """
    count = partial(MOVES.labels, cached.table.module)
    try:
        receipt = _play_request(cached, request)
    except TableOutdated:
        return None
    except (IllegalMove, IntegrityError) as problem:
        if known := _find_move(cached.table.pk, request):
            if not _is_same(cached, request, known):
                count("refused").inc()
                raise IllegalMove("id_taken") from None
            count("again").inc()
            return Receipt(known.number, is_repeated=True)
        # The cached table may be outdated: only the present one may refuse a move.
        if isinstance(problem, IntegrityError) or not table_cache.is_current(cached):
            return None
        count("refused").inc()
        raise
    count("accepted").inc()
    return receipt


def _find_move(table_pk: int, request: MoveRequest) -> Move | None:
    return Move.objects.filter(table=table_pk, client_id=request.client_id, seat=request.seat).first()


def _is_same(cached: CachedTable, request: MoveRequest, known: Move) -> bool:
    module = registry()[cached.table.module]
    with suppress(IllegalMove):
        return bool(
            undo.decode_table_move(module, request.raw) == undo.decode_table_move(module, bytes(known.move))
        )
    return False


def _play_request(cached: CachedTable, request: MoveRequest) -> Receipt:
    table, module = cached.table, registry()[cached.table.module]
    if request.seating is not None and request.seating != cached.seating:
        raise SeatingChanged if request.seating < cached.seating else TableOutdated
    require_running(table)
    bot_kind = "" if request.once else request.bot
    if any(sits.key == request.seat and sits.bot != bot_kind for sits in table.sitters):
        raise IllegalMove("bot_plays")
    move = undo.decode_table_move(module, request.raw)
    if isinstance(move, Undo | Rewind):
        return _take_back(cached, request, move)
    if request.version != table.version and request.asked != question_hash(
        module, cached.state, request.seat
    ):
        raise IllegalMove("stale")
    if table.ended_at:
        raise IllegalMove("game_over")
    play_move(cached, request, move)
    return Receipt(cached.version + 1)


def require_running(table: Table) -> None:
    if table.session.ended_at:
        raise IllegalMove("session_over")


def play_move(cached: CachedTable, request: MoveRequest, move: Any) -> list[Event]:
    """Apply a move to the cached table and store it; return its events.

    :raises TableOutdated: another move was stored first; nothing was written.
    """
    module = registry()[cached.table.module]
    after, row, events = _apply_move(cached, module, request, move)
    table, ends = after.table, after.table.ended_at is not None
    changed = module.sheets.after(events) if module.sheets else {}
    opens = len(module.secrets.opened(after.state)) != len(module.secrets.opened(cached.state))
    # In an outer transaction, or if the session or older log lines change too, the table is read again.
    is_complete = not (ends or opens or connection.in_atomic_block)
    with transaction.atomic():
        if ends:
            broadcast(table.session_id)
        if not commit.advance_table(table, seating=cached.seating + ends):
            raise TableOutdated
        commit.write_move(row, row.number, bytes(table.snapshot))
        commit.after_commit(cached, after, changed, is_complete=is_complete)
    return events


def _apply_move(
    cached: CachedTable, module: AnyModule, request: MoveRequest, move: Any
) -> tuple[CachedTable, Move, list[Event]]:
    """Return the table after a move, the move's log row, and its events. Nothing is written yet."""
    table, number, began = cached.table, cached.version + 1, time.perf_counter()
    if cached.masked_state is not None:
        # Refusals must not reveal the face-down cards while the previous move can still be taken back.
        step(module, encode(cached.masked_state), request.seat, move, Fate(table.secret, number))
    snapshot, events = step(module, bytes(table.snapshot), request.seat, move, Fate(table.secret, number))
    state = module.load(snapshot)
    first = module.first_game if table.session.trial == Trial.FIRST_GAME else None
    # A newcomer's first game has an earlier end of its own.
    is_over = module.outcome(state) is not None or bool(first and first.ends(state))
    row = _build_move_row(table, number, request, move, events)
    masked = None if request.bot else undo_window.mask_new_state(module, cached.state, state, table.session)
    after = cached.after_move(row, state, snapshot, shared_time.now() if is_over else None, masked)
    for seat in (None, *state.seats):
        after.view_for(seat)  # Fail now, before the move is stored, if a seat's view of the new state fails.
    if (took := time.perf_counter() - began) > SLOW_AFTER:
        at = table.pk, module.key, took, type(move).__name__, request.seat
        logger.warning("table %s: %s thought %.1f s about %s by %s", *at)
    return after, row, events


def _build_move_row(table: Table, number: int, request: MoveRequest, move: Any, events: list[Event]) -> Move:
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


def rewind(*, table_pk: int, to: int, reason: str, version: int, stand_in: str = "") -> Receipt:
    """Take back every move after number ``to``, for the GM or the deputy who runs the session.

    This also works at a table where the GM has no seat, and after its end while the session runs.

    :raises IllegalMove: ``malformed_move``, ``stale``, ``cannot_rewind``, ``session_over``.
    """
    raw = encode({"type": "rewind", "to": to, "reason": reason})
    return submit(table_pk, MoveRequest(seat=undo.GM, raw=raw, version=version, stand_in=stand_in))


def end_undo_window(*, table_pk: int, seat: str | None, version: int) -> None:
    """End the undo window of the newest move early, at its mover's wish: it cannot be taken back any more.

    Nothing happens if another seat played the move, or if this version has no undo window.
    """
    cached = table_cache.get_current_table(table_pk)
    if cached.masked_state is None or cached.version != version or cached.newest_mover != seat:
        return
    if Table.objects.filter(pk=table_pk, version=version).update(veiled_until=None):
        table = copy.copy(cached.table)
        table.veiled_until = None
        table_cache.put_table(replace(cached.unmask(), table=table))
        commit.publish_version(table, unveiled=True)


def count_taken_back(table: Table, to: int) -> int:
    """Return how many moves a rewind to number ``to`` would take back; 0 if it is not possible."""
    return 0 if table.session.ended_at else len(replay.move_history(table, table.version).after(to))


def _take_back(cached: CachedTable, request: MoveRequest, move: Undo | Rewind) -> Receipt:
    """Restore an earlier state under a new version number, and what depends on it (seats, sheets, notes).

    The restored state is calculated before the row is locked, as for a move of the rules.

    :raises IllegalMove: ``stale``, ``cannot_undo``, ``cannot_rewind``, ``gm_only``.
    :raises TableOutdated: the table has changed in the database; nothing was written.
    """
    if request.version != cached.version:
        raise IllegalMove("stale")  # An undo must not take back a move that its player has not seen.
    back, snapshot = _plan_undo(cached.table, request, move)
    table = copy.copy(cached.table)
    table.before, table.snapshot = replay.snapshot_before(table, back.to), snapshot
    table.version, table.veiled_until, table.ended_at = table.version + 1, None, None
    state, events = registry()[table.module].load(snapshot), log.events_of(table, back.numbers)
    row = _build_move_row(table, table.version, request, move, [back.event])
    row.restores = back.to
    with transaction.atomic():
        lock_table(table.pk)
        if not table_cache.is_current(cached):
            raise TableOutdated
        is_masked = cached.masked_state is not None
        if isinstance(move, Undo) and is_masked and not undo_window.can_take_back(cached.table):
            raise IllegalMove("cannot_undo")  # The undo window ended while this waited for the lock.
        row.unseen = is_masked and undo_window.is_masked(cached.table)
        table.save(update_fields=["before", "snapshot", "version", "ended_at", "veiled_until"])
        commit.write_move(row, back.to, snapshot)
        unseated, changed = _restore_dependents(table, state, events)
        if unseated or cached.table.ended_at is not None:
            broadcast(table.session_id)
        after = replace(cached, table=table, state=state, masked_state=None)
        commit.after_commit(cached, after, changed, is_complete=False)
    return Receipt(table.version)


def _plan_undo(table: Table, request: MoveRequest, move: Undo | Rewind) -> tuple[undo.TakenBack, bytes]:
    history = replay.move_history(table, table.version)
    if isinstance(move, Undo):
        back = undo.undo(history, request.seat, allowed=can_undo(table, request.seat))
        return back, bytes(table.before)
    back = undo.rewind(history, request.seat, move)
    return back, replay.snapshot_at(table, back.to)


def _restore_dependents(table: Table, state: Any, events: Sequence[Event]) -> tuple[int, dict[str, Json]]:
    """Take back the seats, NPC notes and sheet changes that depend on these events.

    :return: the number of seats removed, and the sheet fields from before the events, by seat.
    """
    unseated, _ = table.table_seats.exclude(key__in=state.seats).delete()
    sheets = registry()[table.module].sheets
    if sheets is None:
        return unseated, {}
    # A later NPC may get the same id, but must not get these notes.
    table.npcs.filter(npc__in=sheets.npcs_added(events)).delete()
    return unseated, sheets.before(events)
