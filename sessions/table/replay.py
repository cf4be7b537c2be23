"""A table again from its log: the moves that stand, earlier states, and the proof of its shuffles."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.fate import Drawn, WitnessedFate
from sessions.engine.contract import IllegalMove
from sessions.engine.history import History
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, start, step
from sessions.evening import shares
from sessions.models import Table
from sessions.table import daily

#: A process remembers one in so many snapshots of an ended table, so that leafing through it costs little.
MILESTONE = 32
MILESTONES_KEPT = 512


@dataclass(frozen=True)
class Proof:
    """The checkable facts of a table's chance. The secret is told when nothing can be played any more."""

    commitment: str
    secret: str | None
    holds: bool | None


@dataclass(frozen=True)
class Chance:
    """All chance of a table, each event with its move's number, and whether log and table fit."""

    drawn: list[tuple[int, Drawn]]
    holds: bool


def history(table: Table, version: int) -> History:
    """Return the moves that stood when the table had so many moves."""
    rows = table.moves.filter(number__lte=version).exclude(restores=None).values_list("number", "restores")
    return History(version, {number: restores for number, restores in rows if restores is not None})


def states(table: Table, version: int) -> dict[int, bytes]:
    """Return the table's state after each of its first ``version`` moves, by number; 0 is the opening."""
    return {number: snapshot for number, snapshot, _ in _replayed(table, until=version)}


def snapshot_at(table: Table, version: int) -> bytes:
    """Return the table's state after its first ``version`` moves, made anew from options, secret and log."""
    return _last(_replayed(table, until=version))


def table_at(table: Table, version: int) -> Table:
    """Return an ended table as it was after its first ``version`` moves; the row stays as it is."""
    whole = version - version % MILESTONE
    for passed in range(0, whole, MILESTONE):
        _milestone(table.pk, table.secret, passed)
    then = copy.copy(table)
    then.version, then.snapshot = version, _milestone(table.pk, table.secret, whole)
    if version > whole:
        then.snapshot = _last(_replayed(table, since=(whole, then.snapshot), until=version))
    if version < table.version:
        then.ended_at = None
    return then


@lru_cache(maxsize=MILESTONES_KEPT)
def _milestone(table_pk: int, secret: str, version: int) -> bytes:
    """Return a remembered snapshot, made from the one before; the secret tells tables of one number apart."""
    table, before = Table.objects.get(pk=table_pk), version - MILESTONE
    since = (before, _milestone(table_pk, secret, before)) if version else None
    return _last(_replayed(table, since=since, until=version))


def proof(table: Table) -> Proof:
    """Return the commitment and, once the secret is told, the secret and whether everything fits."""
    if not is_told(table):
        return Proof(table.commitment, None, None)
    return Proof(table.commitment, table.own_secret, chance(table).holds)


def is_told(table: Table) -> bool:
    """True if a table's secret is told: when the evening has ended, and its day if it has one.

    Not before: a table that has ended may be rewound while the evening runs, and the secret gives away every
    shuffle to come.
    """
    return table.session.ended_at is not None and not daily.keeps_secret(table)


def chance(table: Table) -> Chance:
    """Play a table again and write down every shuffle and roll. A log that does not play on ends early."""
    drawn: list[tuple[int, Drawn]] = []
    last = b""
    try:
        for number, snapshot, fate in _replayed(table, until=table.version):
            drawn += [(number, one) for one in fate.drawn]
            last = snapshot
    except (IllegalMove, ValueError):
        return Chance(drawn, holds=False)
    fits = shares.fits(table.shares, table.secret, table.commitment)
    return Chance(drawn, holds=fits and last == bytes(table.snapshot))


Moment = tuple[int, bytes, WitnessedFate]


def _replayed(table: Table, *, until: int, since: tuple[int, bytes] | None = None) -> Iterator[Moment]:
    """Yield number, snapshot and fate of each move, from the opening (number 0) or after a known snapshot.

    Moves that were taken back are played, too: their chance was seen. An undo brings back the state before.
    """
    module = shelf()[table.module]
    if since is None:
        fate = WitnessedFate(table.secret, 0)
        since = 0, start(module, list(table.opening_seats), table.options, fate)
        yield *since, fate
    passed, snapshot = since
    known = dict([since])
    for move in table.moves.filter(number__gt=passed, number__lte=until):
        fate = WitnessedFate(table.secret, move.number)
        if move.restores is None:
            typed = decode_move(module, bytes(move.move))
            snapshot, _ = step(module, snapshot, move.seat, typed, fate)
        else:
            snapshot = known.get(move.restores) or snapshot_at(table, move.restores)
        known[move.number] = snapshot
        yield move.number, snapshot, fate


def _last(moments: Iterator[Moment]) -> bytes:
    *_, (_, snapshot, _) = moments
    return snapshot
