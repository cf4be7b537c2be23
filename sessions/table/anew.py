"""Rebuild a table from its opening and its moves: snapshots and events are calculated by playing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.fate import Fate
from companion.pacing.heavy import go_on
from sessions.engine import undo
from sessions.engine.history import History
from sessions.engine.shelf import registry
from sessions.engine.step import encode, start, step
from sessions.engine.undo import Rewind, Undo
from sessions.game import Event


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
        go_on()
        match undo.decode(module, raw):
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
