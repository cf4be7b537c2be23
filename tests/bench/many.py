"""As many live tables as one process may have to hold, beside a few, and the same at four processes."""

from __future__ import annotations

import sys
from functools import reduce
from operator import add
from pathlib import Path

from tests.bench.client import Room
from tests.bench.measuring import REPEATS, Measured, Row, measure
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted
from tests.servers import PostgresServer, RedisServer

FEW, MANY = 50, 1000
#: So many play at the same time, and so many moves each until it is others' turn.
AT_ONCE, MOVES = 50, 4
#: The tables that one process has on PostgreSQL and Redis, and four processes together; and those whose pages
#: lie at all four.
SHARED, SPREAD, WORKERS = 50, 5, 4
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


async def workers(folder: Path) -> list[Row]:
    """The same tables at one process and at four, each table at one of them; and some at all four."""
    postgres, redis = PostgresServer(), RedisServer()
    cost, size = dict[int, float](), dict[int, float]()
    try:
        for processes in (1, WORKERS):
            env = {"DATABASE_URL": postgres.database(f"workers{processes}"), "REDIS_URL": redis.url}
            wanted = [Wanted(tables=SHARED), Wanted(tables=SPREAD)]
            with product(folder, wanted, env, processes) as running:
                _, spread = running.rooms
                empty = memory(running)
                await settle(running)
                cost[processes] = (await in_turns(running)).cost
                size[processes] = (memory(running) - empty) / SHARED
                print(f"  {processes} processes: {size[processes]:.2f} MB a table", file=sys.stderr)
                if processes > 1:
                    for room in spread:
                        await room.connect(running.ports)
                    await measure(running, spread, moves=MOVES)
                    at_all = (await measure(running, spread, moves=MOVES)).cost
    finally:
        redis.stop()
        postgres.stop()
    part = f"workers, {SHARED} tables of 6 pages"
    return [
        Row(f"{part} at 1", "megabytes a table", [size[1]]),
        Row(f"{part} at {WORKERS}", "megabytes a table, all processes together", [size[WORKERS]]),
        Row(f"{part} at {WORKERS}", "processor time a move ÷ that at 1", [cost[WORKERS] / cost[1]]),
        Row(
            f"workers, {SPREAD} tables whose pages lie at all {WORKERS}",
            "processor time a move ÷ that at 1",
            [at_all / cost[1]],
        ),
    ]


async def settle(running: Running) -> None:
    """Open all pages, and play the first moves: templates and drawings are made for the first time."""
    for number, room in enumerate(running.rooms[0]):
        port = running.ports[number % len(running.ports)]
        await room.connect([port], f"127.0.1.{1 + number // OF_AN_ADDRESS}")
    await in_turns(running)


async def in_turns(running: Running) -> Measured:
    """Let all tables play, some at a time."""
    measured = [await measure(running, together, moves=MOVES) for together in slices(running.rooms[0])]
    return reduce(add, measured)


def slices(rooms: list[Room]) -> list[list[Room]]:
    return [rooms[first : first + AT_ONCE] for first in range(0, len(rooms), AT_ONCE)]


def memory(running: Running) -> float:
    """Return the megabytes that the servers have in memory."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in running.pids)
    return pages * 4096 / 1_000_000
