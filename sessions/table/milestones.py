"""Milestones: snapshots beside the log of a table, so that every version is few moves away from one.

They belong to rows of the log, which never change: an undo or a rewind makes none of them wrong, and none is
deleted while its table is there. ``engine/history.py`` says where one is due. A table from before there were
any, or one whose snapshots the present rules cannot read, gets them when they are needed (replay.py).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from sessions.engine.shelf import shelf
from sessions.models import Milestone, Table


def at(table: Table, number: int) -> bytes | None:
    """Return the snapshot that is kept of a version, None if there is none that can be read."""
    return kept(table, number, number).get(number)


def kept(table: Table, first: int, last: int) -> dict[int, bytes]:
    """Return the readable snapshots that are kept of these versions, by number."""
    rows = Milestone.objects.filter(table=table, number__gte=first, number__lte=last)
    found = {number: _read(table, packed) for number, packed in rows.values_list("number", "snapshot")}
    return {number: snapshot for number, snapshot in found.items() if snapshot is not None}


def keep(table: Table, snapshots: Mapping[int, bytes]) -> None:
    """Keep the snapshots of these versions. What was kept of them before is the same, or unreadable."""
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
        shelf()[table.module].load(snapshot)
    except (zlib.error, ValueError):
        return None
    return snapshot
