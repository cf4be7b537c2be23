"""A table again from its log: what it was at any version, and that no shuffle was touched."""

from __future__ import annotations

from dataclasses import dataclass

from companion.fate import Fate, commitment
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, start, step
from sessions.models import Table


@dataclass(frozen=True)
class Proof:
    """What anybody may check of a table's chance. The secret is told when the table has ended."""

    commitment: str
    secret: str | None
    holds: bool | None


def snapshot_at(table: Table, version: int) -> bytes:
    """Return the table's state after its first ``version`` moves, made anew from options, secret and log."""
    module = shelf()[table.module]
    moves = list(table.moves.filter(number__lte=version))
    snapshot = start(module, list(table.opening_seats), table.options, Fate(table.secret, 0))
    for move in moves:
        typed = decode_move(module, bytes(move.move))
        snapshot, _ = step(module, snapshot, move.seat, typed, Fate(table.secret, move.number))
    return snapshot


def proof(table: Table) -> Proof:
    """Return the commitment, and once the table has ended its secret and whether everything fits."""
    if table.ended_at is None:
        return Proof(table.commitment, None, None)
    fits = commitment(table.secret) == table.commitment
    return Proof(
        table.commitment, table.secret, fits and snapshot_at(table, table.version) == bytes(table.snapshot)
    )
