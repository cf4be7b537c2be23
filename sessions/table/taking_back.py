"""Undo and rewind: restore an earlier state under a new version number, and what depends on it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

from sessions.engine import undo
from sessions.engine.shelf import registry
from sessions.engine.undo import Rewind, Undo
from sessions.evening.announcing import broadcast as announce_evening
from sessions.game import Event, IllegalMove, Json
from sessions.models import Table
from sessions.table import held, log, replay, veil, writing
from sessions.table.held import CachedTable
from sessions.table.locking import lock
from sessions.table.looks import can_undo
from sessions.table.request import MoveRequest, Overtaken, Receipt


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
    row = writing.build_move_row(table, table.version, request, move, [back.event])
    row.restores = back.to
    with transaction.atomic():
        lock(table.pk)
        if not held.is_current(now):
            raise Overtaken
        if isinstance(move, Undo) and now.masked_state is not None and not veil.can_take_back(now.table):
            raise IllegalMove("cannot_undo")  # The undo window ended while this waited for the lock.
        row.unseen = now.masked_state is not None and veil.is_masked(now.table)
        table.save(update_fields=["before", "snapshot", "version", "ended_at", "veiled_until"])
        writing.write(row, back.to, snapshot)
        unseated, changed = _taken_along(table, state, events)
        if unseated or now.table.ended_at is not None:
            announce_evening(table.session_id)
        publish = partial(held.invalidate_table, table.pk)
        then = replace(now, table=table, state=state, masked_state=None)
        writing.after_commit(now, then, changed, publish)
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
