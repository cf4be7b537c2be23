"""As many live tables as one process may have to hold, beside a few."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path

from tests.bench.client import Room
from tests.bench.measuring import REPEATS, Measured, Row, measure
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted

FEW, MANY = 50, 1000
#: So many play at the same time, and so many moves each until it is others' turn.
AT_ONCE, MOVES = 50, 4
#: So many tables come from one address, which may hold open a limited number of pages.
OF_AN_ADDRESS = 200


async def many(folder: Path) -> list[Row]:
    """Fifty tables at a time play the same moves: where there are no others, and among a thousand."""
    few_at, many_at = folder / "few", folder / "many"
    few_at.mkdir()
    many_at.mkdir()
    with product(few_at, [Wanted(tables=FEW)]) as few, product(many_at, [Wanted(tables=MANY)]) as lots:
        empty = memory(lots)
        await settle(few)
        await settle(lots)
        pairs = [(await in_turns(lots), await in_turns(few) + await in_turns(few)) for _ in range(REPEATS)]
        size = (memory(lots) - empty) / MANY
    part = f"many, {MANY:,} tables of 6 pages"
    return [
        Row(
            part,
            f"processor time a move ÷ that at {FEW}",
            [a.cost / b.cost for a, b in pairs],
            "1.2 at most",
        ),
        Row(
            part,
            f"what follows a move after a pause ÷ that at {FEW}",
            [a.pause_cost / b.pause_cost for a, b in pairs],
        ),
        Row(part, "megabytes a table", [size]),
    ]


async def settle(running: Running) -> None:
    """Open all pages, and play the first moves: templates and drawings are made for the first time."""
    [rooms] = running.rooms
    for number, room in enumerate(rooms):
        await room.connect(running.ports, f"127.0.1.{1 + number // OF_AN_ADDRESS}")
    await in_turns(running)


async def in_turns(running: Running) -> Measured:
    """Let all tables play, some at a time."""
    [rooms] = running.rooms
    measured = [await measure(running, together, moves=MOVES) for together in slices(rooms)]
    return reduce(add, measured)


def slices(rooms: list[Room]) -> list[list[Room]]:
    return [rooms[first : first + AT_ONCE] for first in range(0, len(rooms), AT_ONCE)]


def memory(running: Running) -> float:
    """Return the megabytes that a server has in memory."""
    [pid] = running.pids
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1_000_000
