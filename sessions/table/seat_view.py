"""A seat's view and question at a live table, and whether the seat may undo its move or concede."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.fate import Fate
from sessions.engine import bots, undo
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode
from sessions.game import AnyModule
from sessions.models import Move, Table
from sessions.table import log, undo_window


@dataclass(frozen=True)
class SeatView:
    """The view and the question of one seat at one version of a table."""

    version: int
    view: Any
    asked: str
    over: bool
    #: The names of figures that the game itself names, by seat and id.
    figures: dict[str, str]


def seat_view(table: Table, seat: str | None) -> SeatView:
    """Return the seat view of ``seat`` (None: a spectator) at a table as it was read."""
    return seat_view_of_state(table, undo_window.visible_state(table), seat)


def seat_view_of_state(table: Table, state: Any, seat: str | None) -> SeatView:
    """Return the seat view of ``seat`` at ``state``, which the caller has masked during an undo window."""
    module = registry()[table.module]
    view, over = module.view(state, seat), table.ended_at is not None
    return SeatView(table.version, view, question_hash(module, state, seat), over, module.telling.names(view))


def question_hash(module: AnyModule, state: Any, seat: str | None) -> str:
    """Return a hash of the question to ``seat``: equal hashes, same question. "" for a spectator."""
    return hashlib.sha256(encode(module.asked(state, seat))).hexdigest()[:16] if seat else ""


def awaited_seats(table: Table, state: Any) -> tuple[str, ...]:
    """Return the seats that a table waits for, in the table's order."""
    waited = () if table.ended_at else registry()[table.module].waiting_for(state)
    return tuple(seat for seat in state.seats if seat in waited)


def can_concede(table: Table, state: Any, seat: str | None) -> bool:
    """True if ``seat`` may concede a board game now."""
    module = registry()[table.module]
    if module.gm or seat is None or table.ended_at:
        return False
    return any(bots.concedes(move) for move in module.legal_moves(state, seat))


def can_undo(table: Table, seat: str | None) -> bool:
    """True if ``seat`` may take back the table's newest move: the proof, which an undo needs."""
    newest = newest_to_undo(table, None)
    return newest is not None and newest.seat == seat and _is_safe(undo.is_safe, table, newest)


def is_offered_undo(table: Table, seat: str | None, newest: Move | None = None) -> bool:
    """True if ``seat`` is shown that it may take back the newest move, which is read unless given."""
    newest = newest_to_undo(table, newest)
    return newest is not None and newest.seat == seat and _is_safe(undo.seems_safe, table, newest)


def undoable_seat(table: Table, newest: Move | None = None) -> str | None:
    """Return the seat that is shown that it may take back the newest move, None if no seat is."""
    newest = newest_to_undo(table, newest)
    return newest.seat if newest and _is_safe(undo.seems_safe, table, newest) else None


def newest_to_undo(table: Table, known: Move | None) -> Move | None:
    """Return the newest move that stands, which is read unless given; None if there is none to take back."""
    over = table.ended_at or table.session.ended_at
    return None if over or not table.before else known or log.newest_move(table)


def _is_safe(check: Callable[..., bool], table: Table, newest: Move) -> bool:
    module = registry()[table.module]
    return check(
        module,
        bytes(table.before),
        newest.seat,
        decode_move(module, bytes(newest.move)),
        Fate(table.secret, newest.number),
        seed=f"{table.secret}/undo {newest.number}",
        veiled=undo_window.can_take_back(table),
    )
