"""Checkpoints (``Milestone`` rows): stored snapshots, so that every version is few moves away from one.

They belong to rows of the log, which never change: an undo or a rewind makes none of them wrong, and none is
deleted while its table exists. ``engine/history.py`` decides which versions get one. Tables without
checkpoints, or with snapshots that the present rules cannot read, get them when they are needed (replay.py).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from sessions.engine.shelf import registry
from sessions.models import Milestone, Table


def checkpoint_at(table: Table, number: int) -> bytes | None:
    """Return the stored snapshot of a version, None if there is none or it is unreadable."""
    return checkpoints_between(table, number, number).get(number)


def checkpoints_between(table: Table, first: int, last: int) -> dict[int, bytes]:
    """Return the stored, readable snapshots of the versions ``first`` to ``last``, by number."""
    rows = Milestone.objects.filter(table=table, number__gte=first, number__lte=last)
    found = {number: _read(table, packed) for number, packed in rows.values_list("number", "snapshot")}
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


def _read(table: Table, packed: bytes | memoryview) -> bytes | None:
    try:
        snapshot = zlib.decompress(packed)
        registry()[table.module].load(snapshot)
    except (zlib.error, ValueError):
        return None
    return snapshot
