"""Replay a table from its log: the moves not taken back, earlier states, and the proof of its shuffles.

Checkpoints (``Milestone`` rows) are stored snapshots, so that every version is few moves away from one. They
belong to rows of the log, which never change: an undo or a rewind makes none of them wrong, and none is
deleted while its table exists. ``engine/undo.py`` decides which versions get one. A table without
checkpoints, or with snapshots that the present rules cannot read, gets them with its first replay. With them,
reaching any version plays ``SPAN`` moves at most, however long the log is.

The shuffle of the game of the day 今日の一局 is here, too, because a replay of such a game needs it. It is
the same for everybody on this server until local midnight: an HMAC of game and day with the server's key.
Only the server can predict it, and it reveals nothing about other days. It is published like every table's
secret, but not before the day is over: people who play later that day must not know it.
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac

from companion.fate import Fate, FateRecord, WitnessedFate
from companion.requests.queue import check_client_waits
from sessions.engine import undo
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, is_same_state, start, step
from sessions.engine.undo import SPAN, History, Leg, Rewind, Undo
from sessions.evening import shares
from sessions.game import Event, IllegalMove
from sessions.models import Milestone, Move, Table
from sessions.table import undo_window


@dataclass(frozen=True)
class Proof:
    """The published facts of a table's randomness. The secret is None until ``is_secret_published``."""

    commitment: str
    secret: str | None


@dataclass(frozen=True)
class ReplayCheck:
    """The shuffles and rolls of some moves, each with its move's number.

    ``holds`` is True if the secret fits its commitment, and the replayed log leads to the stored snapshots.
    """

    drawn: list[tuple[int, FateRecord]]
    holds: bool


def move_history(table: Table, version: int) -> History:
    """Return the history of a table's first ``version`` moves: which of them had not been taken back then.

    ``unseen`` is read from all rows, because ``table`` may have been read before later moves were played.
    """
    rows = list(table.moves.filter(restores__isnull=False).values_list("number", "restores", "unseen"))
    restored = {number: to for number, to, _ in rows if to is not None and number <= version}
    return History(version, restored, frozenset(number - 1 for number, _, unseen in rows if unseen))


def snapshot_at(table: Table, version: int) -> bytes:
    """Return the table's state after its first ``version`` moves, calculated from its log.

    :raises IllegalMove: the present rules refuse a move of the log.
    :raises ValueError: the log has a gap, or a row that cannot be read.
    """
    return _snapshot(table, move_history(table, version))


def _snapshot(table: Table, past: History) -> bytes:
    ways, legs = past.legs(), list[Leg]()
    snapshot = None
    while snapshot is None:
        legs.append(next(ways))
        version = legs[-1].checkpoint
        snapshot = checkpoint_at(table, version) if version else _deal(table, Fate(table.secret, 0))
    new: dict[int, bytes] = {}
    try:
        while legs:
            snapshot = _play_moves(table, snapshot, legs.pop().moves)
            if legs:
                new[legs[-1].checkpoint] = snapshot
    finally:  # If the replay was cancelled, the next one continues from these checkpoints.
        if new:
            store_checkpoints(table, new)
    return snapshot


def _deal(table: Table, fate: Fate) -> bytes:
    return start(registry()[table.module], list(table.opening_seats), table.options, fate)


def _play_moves(table: Table, snapshot: bytes, numbers: list[int]) -> bytes:
    """Return the state after playing these moves, oldest first, on a snapshot."""
    for move in _move_rows(table, numbers[0], numbers[-1]) if numbers else ():
        if move.number in numbers:
            check_client_waits()
            snapshot = _play_move(table, snapshot, move, Fate(table.secret, move.number))
    return snapshot


def _move_rows(table: Table, first: int, last: int) -> list[Move]:
    rows = list(table.moves.filter(number__gte=first, number__lte=last))
    if [move.number for move in rows] != list(range(first, last + 1)):
        raise ValueError("the log has a hole")
    return rows


def _play_move(table: Table, snapshot: bytes, move: Move, fate: Fate) -> bytes:
    module = registry()[table.module]
    return step(module, snapshot, move.seat, decode_move(module, bytes(move.move)), fate)[0]


def table_at(table: Table, version: int, *, everything: bool = False) -> Table:
    """Return a copy of an ended table as it was shown after its first ``version`` moves; nothing is saved.

    :param everything: True to unmask a move that was taken back in its undo window, which no screen showed.
    """
    shown, past = copy.copy(table), move_history(table, version)
    shown.version, shown.snapshot, shown.veiled_until = version, _snapshot(table, past), None
    if version < table.version:
        shown.ended_at = None
    if version in past.unseen and not everything:
        shown.before, shown.veiled_until = snapshot_before(table, version), undo_window.FOREVER
    return shown


def snapshot_before(table: Table, version: int) -> bytes:
    """Return the snapshot before the newest move of a version that was not taken back; b"" if it has none."""
    past = move_history(table, version)
    return snapshot_at(table, past.before) if past.newest_number else b""


def table_proof(table: Table) -> Proof:
    """Return the commitment and, once it is published, the secret."""
    return Proof(table.commitment, table.own_secret if is_secret_published(table) else None)


def is_secret_published(table: Table) -> bool:
    """True if a table's secret is published: the session has ended, and for a game of the day, that day too.

    An ended table may be rewound while the session runs, and the secret reveals every later shuffle.
    """
    return table.session.ended_at is not None and not is_deal_open(table)


def count_parts(table: Table) -> int:
    """Return the number of parts in which a table's log is checked; each takes about the same time."""
    return max(1, ceil(table.version / SPAN))


def check_log(table: Table) -> ReplayCheck:
    """Return all shuffles and rolls of a table, from all parts of its log."""
    found = [check_part(table, part) for part in range(1, count_parts(table) + 1)]
    return ReplayCheck([one for each in found for one in each.drawn], all(each.holds for each in found))


def check_part(table: Table, part: int) -> ReplayCheck:
    """Replay the moves of a part and return every shuffle and roll; part 1 includes the deal.

    A part begins at a checkpoint. It holds if its moves lead to every stored checkpoint in it, including the
    one at which the next part begins, and the last part to the table's own state. So if all parts hold, the
    whole log leads from the deal to the table. No part holds if the secret does not fit its commitment.
    A part ends early at a move that cannot be replayed.
    """
    module = registry()[table.module]
    first, last = (part - 1) * SPAN, min(part * SPAN, table.version)
    drawn: list[tuple[int, FateRecord]] = []
    holds = shares.is_proven(table.shares, table.secret, table.commitment)
    try:
        kept = checkpoints_between(table, first + 1, last)
        for number, snapshot, fate in _replay_moves(table, first, last):
            drawn += [(number, one) for one in fate.drawn]
            holds = holds and is_same_state(module, snapshot, kept.get(number, snapshot))
        if last == table.version:
            holds = holds and is_same_state(module, snapshot, bytes(table.snapshot))
    except (IllegalMove, ValueError):
        return ReplayCheck(drawn, holds=False)
    return ReplayCheck(drawn, holds)


def _replay_moves(table: Table, first: int, last: int) -> Iterator[tuple[int, bytes, WitnessedFate]]:
    """Yield number, snapshot and fate of version ``first`` (0: the deal) and of each move after it.

    Moves that were taken back are played, too, as players saw their shuffles and rolls. An undo or a rewind
    yields the state that it restores.
    """
    fate = WitnessedFate(table.secret, 0)
    snapshot = snapshot_at(table, first) if first else _deal(table, fate)
    yield first, snapshot, fate
    known = {first: snapshot}
    for move in _move_rows(table, first + 1, last):
        check_client_waits()
        fate = WitnessedFate(table.secret, move.number)
        if move.restores is None:
            snapshot = _play_move(table, snapshot, move, fate)
        else:
            snapshot = known.get(move.restores) or snapshot_at(table, move.restores)
        known[move.number] = snapshot
        yield move.number, snapshot, fate


def checkpoint_at(table: Table, number: int) -> bytes | None:
    """Return the stored snapshot of a version, None if there is none or it is unreadable."""
    return checkpoints_between(table, number, number).get(number)


def checkpoints_between(table: Table, first: int, last: int) -> dict[int, bytes]:
    """Return the stored, readable snapshots of the versions ``first`` to ``last``, by number."""
    rows = Milestone.objects.filter(table=table, number__gte=first, number__lte=last)
    found = {
        number: _read_snapshot(table, packed) for number, packed in rows.values_list("number", "snapshot")
    }
    return {number: snapshot for number, snapshot in found.items() if snapshot is not None}


def store_checkpoints(table: Table, snapshots: Mapping[int, bytes]) -> None:
    """Store the snapshots of these versions; earlier ones, equal or unreadable, are overwritten."""
    rows = [
        Milestone(table=table, number=number, snapshot=zlib.compress(snapshot))
        for number, snapshot in snapshots.items()
    ]
    Milestone.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["table", "number"], update_fields=["snapshot"]
    )


def _read_snapshot(table: Table, packed: bytes | memoryview) -> bytes | None:
    try:
        snapshot = zlib.decompress(packed)
        registry()[table.module].load(snapshot)
    except (zlib.error, ValueError):
        return None
    return snapshot


def local_date() -> date:
    """Return the present day in the server's time zone."""
    return timezone.localdate()


def daily_secret(module_key: str, day: date) -> str:
    """Return the secret of every table of this game and day, 64 hexadecimal digits."""
    return salted_hmac("sessions.daily", f"{module_key} {day.isoformat()}", algorithm="sha256").hexdigest()


def is_deal_open(table: Table) -> bool:
    """True if other people can still play the same deal as this table's, so its secret stays unpublished."""
    return table.daily is not None and table.daily >= local_date()


@dataclass(frozen=True)
class RebuiltTable:
    """A rebuilt table: its snapshots, and for each move its events and the version that it restores."""

    snapshot: bytes
    before: bytes
    events: list[bytes]
    restores: list[int | None]


def rebuild_table(
    module_key: str,
    seats: Sequence[str],
    options: Mapping[str, Any],
    secret: str,
    moves: Iterable[tuple[str, bytes]],
) -> RebuiltTable:
    """Play a table from its opening on, and return its snapshots and events.

    :param moves: seat and encoded move of each, including undos and rewinds.
    :raises IllegalMove: a move is refused, so it was never played, or not by these rules.
    :raises BadTable: the module refuses these seats or options.
    """
    module = registry()[module_key]
    states = [start(module, list(seats), dict(options), Fate(secret, 0))]
    told: list[list[Event]] = []
    restored: dict[int, int] = {}
    for number, (seat, raw) in enumerate(moves, 1):
        check_client_waits()
        match undo.decode_table_move(module, raw):
            case Undo():
                back = undo.undo(History(number - 1, restored), seat, allowed=True)
            case Rewind() as rewind:
                back = undo.rewind(History(number - 1, restored), seat, rewind)
            case move:
                snapshot, events = step(module, states[-1], seat, move, Fate(secret, number))
                states.append(snapshot)
                told.append(events)
                continue
        restored[number] = back.to
        states.append(states[back.to])
        told.append([back.event])
    history = History(len(told), restored)
    return RebuiltTable(
        snapshot=states[-1],
        before=states[history.before] if history.newest_number else b"",
        events=[encode(events) for events in told],
        restores=[restored.get(number) for number in range(1, len(told) + 1)],
    )
