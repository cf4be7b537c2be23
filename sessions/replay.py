"""A table again from its log: what stands, what it was at any version, and that no shuffle was touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.fate import Fate, commitment
from sessions.engine.history import History
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, start, step
from sessions.models import Table


@dataclass(frozen=True)
class Proof:
    """What anybody may check of a table's chance. The secret is told when nothing can be played any more."""

    commitment: str
    secret: str | None
    holds: bool | None


def history(table: Table, version: int) -> History:
    """Return what stood when the table had so many moves."""
    rows = table.moves.filter(number__lte=version).exclude(restores=None).values_list("number", "restores")
    return History(version, {number: restores for number, restores in rows if restores is not None})


def states(table: Table, version: int) -> Iterator[bytes]:
    """Yield the table as dealt and after each move that stands at ``version``, made anew from the log."""
    module = shelf()[table.module]
    standing = set(history(table, version).standing())
    snapshot = start(module, list(table.opening_seats), table.options, Fate(table.secret, 0))
    yield snapshot
    for move in table.moves.filter(number__lte=version):
        if move.number in standing:
            typed = decode_move(module, bytes(move.move))
            snapshot, _ = step(module, snapshot, move.seat, typed, Fate(table.secret, move.number))
            yield snapshot


def snapshot_at(table: Table, version: int) -> bytes:
    """Return the table's state after its first ``version`` moves, made anew from options, secret and log."""
    *_, last = states(table, version)
    return last


def proof(table: Table) -> Proof:
    """Return the commitment, and once the evening has ended the secret and whether everything fits.

    Not before: a table that has ended may be rewound while the evening runs, and who knows the secret knows
    every shuffle to come.
    """
    if table.session.ended_at is None:
        return Proof(table.commitment, None, None)
    fits = commitment(table.secret) == table.commitment
    return Proof(
        table.commitment, table.secret, fits and snapshot_at(table, table.version) == bytes(table.snapshot)
    )
