"""Play a move of the rules on the cached table, and store it."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from companion.fate import Fate
from sessions.engine.step import encode, step
from sessions.evening.announcing import broadcast as announce_evening
from sessions.game import AnyModule, Event
from sessions.models import Move, Table, Trial
from sessions.table import advancing, held, veil, writing
from sessions.table.held import CachedTable
from sessions.table.request import MoveRequest, Overtaken

#: Seconds; a move whose rules take longer is logged as a warning, because other requests wait for it.
SLOW = 0.5

logger = logging.getLogger(__name__)


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
    publish = partial(held.invalidate_table, table.pk) if again else partial(held.put_table, then)
    with transaction.atomic():
        if ends:
            announce_evening(table.session_id)
        if not advancing.advance(table, seating=now.seating + ends):
            raise Overtaken
        writing.write(row, row.number, bytes(table.snapshot))
        writing.after_commit(now, then, changed, publish)
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
    row = writing.build_move_row(table, number, request, move, events)
    veiled = None if request.bot else veil.mask_new_state(module, now.state, state, table.session)
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
