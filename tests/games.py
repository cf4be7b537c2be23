"""Whole games at real tables, played by bots for everybody, without a websocket between."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.utils import timezone

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.engine.step import encode, step
from sessions.models import Move, Seat, Session, Table
from sessions.table import opening
from sessions.table.opening import Sitter


def played(
    session: Session, key: str, seats: list[Seat | Sitter], *, ended_at: datetime | None = None
) -> Table:
    """Open a game for these seats and play it to its end."""
    return play_on(opening.open_table(session=session, module_key=key, players=seats), ended_at=ended_at)


def play_on(table: Table, *, ended_at: datetime | None = None) -> Table:
    """Let the easy-going bot make every move from here to the end, as each seat itself."""
    module, snapshot, rows = registry()[table.module], bytes(table.snapshot), list[Move]()
    number = table.version
    while module.outcome(state := module.load(snapshot)) is None:
        number += 1
        seat = min(module.waiting_for(state))
        move = bots.choose_move(module, bots.RANDOM, state, seat, Fate(f"bot of {table.secret}", number))
        before = snapshot
        snapshot, events = step(module, snapshot, seat, move, Fate(table.secret, number))
        logged = {"seat": seat, "client_id": uuid.uuid4(), "move": encode(move), "events": encode(events)}
        rows.append(Move(table=table, number=number, **logged))
    Move.objects.bulk_create(rows)
    table.snapshot, table.before, table.version = snapshot, before, number
    table.ended_at = ended_at or timezone.now()
    table.save()
    return table
