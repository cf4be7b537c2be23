"""The only entry point for changes of a live table's state: players' moves, the GM's interventions, taking
back.

A move of the rules is tried on the cached table (table_cache.py), and counts only if the row still has the
cached version and seating: no lock is held while the rules run, and nothing is read twice. All other changes
of a table (taking back, seating a latecomer) lock its row. An undo and a rewind restore an earlier state
under a new version number, and what depends on it.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction

from companion.observability.metrics import MOVES
from sessions.engine import undo
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode
from sessions.engine.undo import Rewind, Undo
from sessions.evening.announcements import broadcast as announce_evening
from sessions.game import Event, IllegalMove, Json, Sheets
from sessions.models import Move, Seat, Table
from sessions.table import commit, log, replay, table_cache, undo_window
from sessions.table.commit import MoveRequest, Overtaken, Receipt, Reseated, lock, play
from sessions.table.opening import sheet
from sessions.table.seat_view import SeatView, can_undo
from sessions.table.seat_view import question_hash as question
from sessions.table.table_cache import CachedTable

__all__ = [
    "MoveRequest",
    "Receipt",
    "Reseated",
    "admit",
    "end_undo_window",
    "peek",
    "rewind",
    "submit",
    "write_hp",
]
#: Tries of a move on the cached table. If other moves were faster each time, one more try locks the row.
TRIES = 3


def submit(table_pk: int, request: MoveRequest) -> Receipt:
    """Play one move, or refuse it.

    :raises IllegalMove: malformed, stale, against the rules, ``log_full``, ``id_taken`` (another move has its
        id), or ``bot_plays`` (the seat is a bot's, or not this bot's); nothing was written.
    :raises Reseated: the caller must check again whether the mover may play; nothing was written.
    :raises Table.DoesNotExist:

    An undo and a rewind are moves like any other, but count only at the very version that the mover saw:
    they must not take back a move that the mover has not seen.
    """
    for _ in range(TRIES):
        if receipt := _try(table_cache.get_table(table_pk), request):
            return receipt
        table_cache.invalidate_table(table_pk)
    with transaction.atomic():
        lock(table_pk)
        if receipt := _try(table_cache.read_table(table_pk), request):
            return receipt
    raise IllegalMove("stale")


def _try(now: CachedTable, request: MoveRequest) -> Receipt | None:
    """Play a move on the cached table; return None if the table has moved on in the database.

    :raises IllegalMove: the present table refuses it.
    """
    counted = partial(MOVES.labels, now.table.module)
    try:
        receipt = _submit(now, request)
    except (IllegalMove, IntegrityError) as problem:
        if known := _find_move(now.table.pk, request):
            if not _is_same(now, request, known):
                counted("refused").inc()
                raise IllegalMove("id_taken") from None
            counted("again").inc()
            return Receipt(known.number, again=True)
        # The cached table may be outdated: only the present one may refuse a move.
        if isinstance(problem, IllegalMove) and table_cache.is_current(now):
            counted("refused").inc()
            raise
    except Overtaken:
        pass
    else:
        counted("accepted").inc()
        return receipt
    return None


def _find_move(table_pk: int, request: MoveRequest) -> Move | None:
    """Return the move that this seat played before under the same id, if any."""
    return Move.objects.filter(table=table_pk, client_id=request.client_id, seat=request.seat).first()


def _is_same(now: CachedTable, request: MoveRequest, known: Move) -> bool:
    """True if the request has the same move as the one that was played under its id."""
    module = registry()[now.table.module]
    with suppress(IllegalMove):
        return bool(undo.decode(module, request.raw) == undo.decode(module, bytes(known.move)))
    return False


def _submit(now: CachedTable, request: MoveRequest) -> Receipt:
    table, module = now.table, registry()[now.table.module]
    if request.seating is not None and request.seating != now.seating:
        raise Reseated if request.seating < now.seating else Overtaken
    _require_running(table)
    hands = "" if request.once else request.bot
    if any(sits.key == request.seat and sits.bot != hands for sits in table.sitters):
        raise IllegalMove("bot_plays")
    move = undo.decode(module, request.raw)
    if isinstance(move, Undo | Rewind):
        return take_back(now, request, move)
    if request.version != table.version and request.asked != question(module, now.state, request.seat):
        raise IllegalMove("stale")
    if table.ended_at:
        raise IllegalMove("game_over")
    play(now, module, request, move)
    return Receipt(now.version + 1)


def rewind(*, table_pk: int, to: int, reason: str, version: int, stand_in: str = "") -> Receipt:
    """Take back every move after number ``to``, for the GM or the deputy who runs the session.

    This also works at a table where the GM has no seat, and after its end while the session runs.

    :raises IllegalMove: ``malformed_move``, ``stale``, ``cannot_rewind``, ``session_over``.
    """
    raw = encode({"type": "rewind", "to": to, "reason": reason})
    return submit(
        table_pk,
        MoveRequest(
            seat=undo.GM, client_id=uuid.uuid4(), raw=raw, version=version, asked="", stand_in=stand_in
        ),
    )


def end_undo_window(*, table_pk: int, seat: str | None, version: int) -> None:
    """End the undo window of the newest move early, at its mover's wish: it cannot be taken back any more.

    Nothing happens if another seat played the move, or if this version has no undo window.
    """
    now = table_cache.get_current_table(table_pk)
    if now.masked_state is None or now.version != version or now.newest_mover != seat:
        return
    if Table.objects.filter(pk=table_pk, version=version).update(veiled_until=None):
        table = copy.copy(now.table)
        table.veiled_until = None
        table_cache.put_table(replace(now.unmask(), table=table))
        commit.publish_version(table, unveiled=True)


def admit(*, table_pk: int, newcomer: Seat) -> Receipt:
    """Seat a latecomer at a running table for the GM, with the character they brought. [UC-3.5]

    :raises IllegalMove: the module has no such move, or does not allow it now.
    """
    with transaction.atomic():
        now = _lock_and_read(table_pk)
        if any(sits.seat_id == newcomer.pk for sits in now.table.sitters):
            raise IllegalMove("already_seated")
        sheets = _sheets(now)
        events = _play_for_gm(now, sheets.latecomer(sheet(newcomer)))
        now.table.table_seats.create(seat=newcomer, key=sheets.seat_of(events))
        announce_evening(now.table.session_id)
    return Receipt(now.version + 1)


def write_hp(
    *, table_pk: int, who: str, change: Callable[[int], int], by: str | None
) -> tuple[str, int, int]:
    """Set a figure's HP as the GM; return its name, and the HP before and after. [UC-10.6]

    :param change: calculates the new HP from the present one.
    :param by: the player's seat that wrote the HP in the GM's place.
    :raises IllegalMove: out of range, or not allowed now.
    """
    with transaction.atomic():
        now = _lock_and_read(table_pk)
        sheets, view = _sheets(now), now.view_for(undo.GM).view
        figure = {**sheets.characters(view), **sheets.npcs(view)}.get(who)
        if figure is None:
            raise IllegalMove("unknown_npc")
        after = change(figure.hp)
        _play_for_gm(now, sheets.set_hp(who, after, by))
    return figure.name, figure.hp, after


def peek(*, table_pk: int, key: str) -> SeatView:
    """Let the GM look at a player's hand; return that seat's view. The log reports this to everybody.

    :raises IllegalMove: the table's GM may not look, or the seat is empty.
    """
    with transaction.atomic():
        now = _lock_and_read(table_pk)
        move = registry()[now.table.module].secrets.peek
        if move is None:
            raise IllegalMove("malformed_move")
        _play_for_gm(now, move(key))
    return now.unmask().view_for(key)


def _lock_and_read(table_pk: int) -> CachedTable:
    """Lock a table's row and read it; the next move there waits for the end of the transaction.

    :raises IllegalMove: ``session_over``.
    """
    lock(table_pk)
    now = table_cache.read_table(table_pk)
    _require_running(now.table)
    return now


def _require_running(table: Table) -> None:
    if table.session.ended_at:
        raise IllegalMove("session_over")


def _sheets(now: CachedTable) -> Sheets:
    """Return the module's hooks for character sheets.

    :raises IllegalMove: the module plays without sheets.
    """
    sheets = registry()[now.table.module].sheets
    if sheets is None:
        raise IllegalMove("malformed_move")
    return sheets


def _play_for_gm(now: CachedTable, move: Json) -> list[Event]:
    """Play a GM's move that this module composed, on a locked table."""
    module, raw = registry()[now.table.module], encode(move)
    request = MoveRequest(seat=undo.GM, client_id=uuid.uuid4(), raw=raw, version=now.version, asked="")
    return play(now, module, request, decode_move(module, raw))


def count_after(table: Table, to: int) -> int:
    """Return how many moves a rewind to number ``to`` would take back; 0 if it is not possible."""
    over = table.session.ended_at is not None
    return 0 if over else len(replay.history(table, table.version).after(to))


def take_back(now: CachedTable, request: MoveRequest, move: Undo | Rewind) -> Receipt:
    """Restore an earlier state under a new version number, and what depends on it (seats, sheets, notes).

    The restored state is calculated before the row is locked, as for a move of the rules.

    :raises IllegalMove: ``stale``, ``cannot_undo``, ``cannot_rewind``, ``gm_only``.
    :raises Overtaken: the table has changed in the database; nothing was written.
    """
    if request.version != now.version:
        raise IllegalMove("stale")
    back, snapshot = _way_back(now.table, request, move)
    table = _brought_back(now.table, back, snapshot)
    state, events = registry()[table.module].load(snapshot), log.events_of(table, back.numbers)
    row = commit.build_move_row(table, table.version, request, move, [back.event])
    row.restores = back.to
    with transaction.atomic():
        lock(table.pk)
        if not table_cache.is_current(now):
            raise Overtaken
        if (
            isinstance(move, Undo)
            and now.masked_state is not None
            and not undo_window.can_take_back(now.table)
        ):
            raise IllegalMove("cannot_undo")  # The undo window ended while this waited for the lock.
        row.unseen = now.masked_state is not None and undo_window.is_masked(now.table)
        table.save(update_fields=["before", "snapshot", "version", "ended_at", "veiled_until"])
        commit.write(row, back.to, snapshot)
        unseated, changed = _taken_along(table, state, events)
        if unseated or now.table.ended_at is not None:
            announce_evening(table.session_id)
        publish = partial(table_cache.invalidate_table, table.pk)
        then = replace(now, table=table, state=state, masked_state=None)
        commit.after_commit(now, then, changed, publish)
    return Receipt(table.version)


def _way_back(table: Table, request: MoveRequest, move: Undo | Rewind) -> tuple[undo.TakenBack, bytes]:
    """Return the moves that an undo or rewind takes back, and the snapshot that it restores."""
    history = replay.history(table, table.version)
    if isinstance(move, Undo):
        back = undo.undo(history, request.seat, allowed=can_undo(table, request.seat))
        return back, bytes(table.before)
    back = undo.rewind(history, request.seat, move)
    return back, replay.snapshot_at(table, back.to)


def _brought_back(table: Table, back: undo.TakenBack, snapshot: bytes) -> Table:
    """Return an unsaved copy of the table with the restored state under a new version, running again."""
    table = copy.copy(table)
    table.before = replay.before(table, back.to)
    table.snapshot, table.version = snapshot, table.version + 1
    table.veiled_until = table.ended_at = None
    return table


def _taken_along(table: Table, state: Any, events: Sequence[Event]) -> tuple[int, dict[str, Json]]:
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
