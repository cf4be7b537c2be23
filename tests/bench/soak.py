"""Whole games of all kinds, one after the other: what a server holds in memory reaches its end."""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import replace
from pathlib import Path

from tests.bench.client import Room
from tests.bench.many import memory
from tests.bench.measuring import Row
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted

#: Games that are played at the same time, and moves until the first look and until the last one.
AT_ONCE, FIRST, LAST = 10, 10_000, 50_000


async def soak(games: dict[str, Wanted], folder: Path) -> list[Row]:
    """Open tables, play their games to the end and leave them, up to a number of moves.

    :param games: the tables of each game for about 1,000 moves.
    """
    wanted = [replace(kind, tables=kind.tables * LAST // 1_000) for kind in games.values()]
    with product(folder, wanted) as ours:
        rooms = [room for kind in ours.rooms for room in kind]
        random.Random(1).shuffle(rooms)
        moves, megabytes = 0, {FIRST: 0.0, LAST: 0.0}
        while rooms and moves < LAST:
            together, rooms = rooms[:AT_ONCE], rooms[AT_ONCE:]
            moves += await whole_games(ours, together)
            print(f"  {moves:,} moves: {memory(ours):.0f} MB", file=sys.stderr)
            for look in megabytes:
                if moves <= look or not megabytes[look]:
                    megabytes[look] = memory(ours)
    assert moves >= LAST
    part, growth = f"soak, {moves:,} moves", megabytes[LAST] / megabytes[FIRST]
    return [
        Row(part, f"megabytes after them ÷ after {FIRST:,}", [growth], "1.1 at most"),
        Row(part, "megabytes", [megabytes[LAST]]),
    ]


async def whole_games(ours: Running, rooms: list[Room]) -> int:
    for room in rooms:
        await room.connect(ours.ports)
    await asyncio.gather(*(room.play(room.rest) for room in rooms))
    for room in rooms:
        room.close()
    return sum(room.played for room in rooms)
