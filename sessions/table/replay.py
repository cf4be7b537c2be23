"""A table again from its log: the moves that stand, earlier states, and the proof of its shuffles.

Where a table has its milestones, an answer plays ``SPAN`` moves at most, however long the log is. A table
that has none yet gets them with the first answer.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from companion.fate import Drawn, Fate, WitnessedFate
from companion.pacing.heavy import go_on
from sessions.engine.alike import alike
from sessions.engine.history import SPAN, History, Leg
from sessions.engine.shelf import shelf
from sessions.engine.step import decode_move, start, step
from sessions.evening import shares
from sessions.game import IllegalMove
from sessions.models import Move, Table
from sessions.table import daily, milestones, veil


@dataclass(frozen=True)
class Proof:
    """The checkable facts of a table's chance. The secret is told when nothing can be played any more."""

    commitment: str
    secret: str | None


@dataclass(frozen=True)
class Chance:
    """The chance of some moves, each event with its move's number, and whether log and table fit there."""

    drawn: list[tuple[int, Drawn]]
    holds: bool


def history(table: Table, version: int) -> History:
    """Return the moves that stood when the table had so many moves.

    What was taken back unseen is asked of all rows: a table that was read a while ago has moved on since.
    """
    rows = list(table.moves.filter(restores__isnull=False).values_list("number", "restores", "unseen"))
    restored = {number: to for number, to, _ in rows if to is not None and number <= version}
    return History(version, restored, frozenset(number - 1 for number, _, unseen in rows if unseen))


def snapshot_at(table: Table, version: int) -> bytes:
    """Return the table's state after its first ``version`` moves, as its log gives it.

    :raises IllegalMove: the log does not play on.
    :raises ValueError: the same.
    """
    return _snapshot(table, history(table, version))


def _snapshot(table: Table, past: History) -> bytes:
    ways, legs = past.legs(), list[Leg]()
    snapshot = None
    while snapshot is None:
        legs.append(next(ways))
        snapshot = _known(table, legs[-1].milestone)
    new: dict[int, bytes] = {}
    try:
        while legs:
            snapshot = _played(table, snapshot, legs.pop().moves)
            if legs:
                new[legs[-1].milestone] = snapshot
    finally:  # whoever asks again, after nobody waited any more, goes on from there
        if new:
            milestones.keep(table, new)
    return snapshot


def _known(table: Table, version: int) -> bytes | None:
    return milestones.at(table, version) if version else _dealt(table, Fate(table.secret, 0))


def _dealt(table: Table, fate: Fate) -> bytes:
    return start(shelf()[table.module], list(table.opening_seats), table.options, fate)


def _played(table: Table, snapshot: bytes, numbers: list[int]) -> bytes:
    """Return the state after these moves, oldest first, played on a snapshot."""
    rows = _rows(table, numbers[0], numbers[-1]) if numbers else []
    for move in rows:
        if move.number in numbers:
            go_on()
            snapshot = _step(table, snapshot, move, Fate(table.secret, move.number))
    return snapshot


def _rows(table: Table, first: int, last: int) -> list[Move]:
    rows = list(table.moves.filter(number__gte=first, number__lte=last))
    if [move.number for move in rows] != list(range(first, last + 1)):
        raise ValueError("the log has a hole")
    return rows


def _step(table: Table, snapshot: bytes, move: Move, fate: Fate) -> bytes:
    module = shelf()[table.module]
    typed = decode_move(module, bytes(move.move))
    return step(module, snapshot, move.seat, typed, fate)[0]


def table_at(table: Table, version: int, *, everything: bool = False) -> Table:
    """Return an ended table as it was shown after its first ``version`` moves; the row stays as it is.

    :param everything: True for the table with what nobody was shown, as it was taken back from under a veil.
    """
    then, past = copy.copy(table), history(table, version)
    then.version, then.snapshot, then.veiled_until = version, _snapshot(table, past), None
    if version < table.version:
        then.ended_at = None
    if version in past.unseen and not everything:
        then.before, then.veiled_until = before(table, version), veil.FOREVER
    return then


def before(table: Table, version: int) -> bytes:
    """Return the snapshot before the newest move that stood at a version; empty as dealt.

    :raises IllegalMove: the log does not play on.
    """
    then = history(table, version)
    return snapshot_at(table, then.before) if then.newest else b""


def proof(table: Table) -> Proof:
    """Return the commitment and, once the secret is told, the secret."""
    return Proof(table.commitment, table.own_secret if is_told(table) else None)


def is_told(table: Table) -> bool:
    """True if a table's secret is told: when the evening has ended, and its day if it has one.

    Not before: a table that has ended may be rewound while the evening runs, and the secret gives away every
    shuffle to come.
    """
    return table.session.ended_at is not None and not daily.keeps_secret(table)


def parts(table: Table) -> int:
    """Return into how many parts a table's chance is cut, so that each takes about the same time."""
    return max(1, ceil(table.version / SPAN))


def chance(table: Table) -> Chance:
    """Return all chance of a table: that of all parts."""
    found = [chance_in(table, part) for part in range(1, parts(table) + 1)]
    return Chance([one for each in found for one in each.drawn], all(each.holds for each in found))


def chance_in(table: Table, part: int) -> Chance:
    """Play the moves of a part again and write down every shuffle and roll; part 1 has the deal, too.

    A part that does not play on ends early. It begins at a milestone, and fits if the log leads from there to
    every milestone in it, up to the one that the next part begins at, and in the end to the table. So if all
    parts fit, all of them are as if they had been played from the deal on.
    """
    module = shelf()[table.module]
    first, last = (part - 1) * SPAN, min(part * SPAN, table.version)
    drawn: list[tuple[int, Drawn]] = []
    holds = shares.fits(table.shares, table.secret, table.commitment)
    try:
        kept = milestones.kept(table, first + 1, last)
        for number, snapshot, fate in _replayed(table, first, last):
            drawn += [(number, one) for one in fate.drawn]
            holds = holds and alike(module, snapshot, kept.get(number, snapshot))
        if last == table.version:
            holds = holds and alike(module, snapshot, bytes(table.snapshot))
    except (IllegalMove, ValueError):
        return Chance(drawn, holds=False)
    return Chance(drawn, holds)


Moment = tuple[int, bytes, WitnessedFate]


def _replayed(table: Table, first: int, last: int) -> Iterator[Moment]:
    """Yield number, snapshot and fate at version ``first``, which may be the deal, and of each move after it.

    Moves that were taken back are played, too: their chance was seen. An undo brings back the state before.
    """
    fate = WitnessedFate(table.secret, 0)
    snapshot = snapshot_at(table, first) if first else _dealt(table, fate)
    yield first, snapshot, fate
    known = {first: snapshot}
    for move in _rows(table, first + 1, last):
        go_on()
        fate = WitnessedFate(table.secret, move.number)
        if move.restores is None:
            snapshot = _step(table, snapshot, move, fate)
        else:
            snapshot = known.get(move.restores) or snapshot_at(table, move.restores)
        known[move.number] = snapshot
        yield move.number, snapshot, fate
