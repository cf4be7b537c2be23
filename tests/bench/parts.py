"""The parts of the benchmark. Each measures by turns what it compares, and returns ratios."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from sessions.engine import bots
from tests.bench import running
from tests.bench.attack import attack
from tests.bench.client import Room
from tests.bench.many import many, workers
from tests.bench.measuring import PAUSE, REPEATS, Measured, Row, connect, measure
from tests.bench.painted import painted
from tests.bench.reading import reading
from tests.bench.running import Running, product
from tests.bench.soak import soak
from tests.bench.storm import idle, storm
from tests.bench.wanted import Wanted
from tests.servers import PostgresServer, RedisServer

WARM_UP = 40
#: Whole games played at once, more of them where they are short, and the bots that play. The best bot of
#: journey thinks for so long that nobody would want to wait for the script.
GAMES = {
    "uroboros": Wanted("uroboros", tables=2, games=bots.RANDOM),
    "goodcop": Wanted("goodcop", tables=2, games=bots.STEADY),
    "twentyfour": Wanted("twentyfour", tables=2, games=bots.STEADY),
    "journey": Wanted("journey", tables=4, games=bots.RANDOM),
    "liarmafia": Wanted("liarmafia", tables=6, games=bots.STEADY),
}
#: Moves between two pauses of a game.
BREATH = 75
LENGTHS = (10, 100, 1000, 10_000)
PAGES = (6, 12, 24)
#: Tables that play at the pace of people.
PACED = 10


async def floor(folder: Path) -> list[Row]:
    """The product beside a bare websocket server with one commit a move."""
    rows: list[Row] = []
    with product(folder, [Wanted(tables=20)]) as ours:
        [rooms] = ours.rooms
        await connect(ours, rooms)
        warm = await measure(ours, rooms, moves=5)
        size = warm.received // (warm.moves * len(rooms[0].pages))
        with running.floor(folder, size, rooms) as bare:
            [bare_rooms] = bare.rooms
            await connect(bare, bare_rooms)
            await measure(bare, bare_rooms, moves=5)
            for tables in (1, 20):
                pairs = []
                for _ in range(REPEATS):
                    a = await measure(ours, rooms[:tables], seconds=2)
                    b = await measure(bare, bare_rooms[:tables], seconds=2)
                    pairs.append((a, b))
                rows += beside_floor(tables, pairs)
    return rows


def beside_floor(tables: int, pairs: list[tuple[Measured, Measured]]) -> list[Row]:
    part = f"floor, {tables} {'table' if tables == 1 else 'tables'} of 6 pages"
    return [
        Row(part, "moves a second ÷ the floor's", [a.moves_a_second / b.moves_a_second for a, b in pairs]),
        Row(part, "wait, p50 ÷ the floor's", [a.wait(50) / b.wait(50) for a, b in pairs]),
        Row(part, "wait, p99 ÷ the floor's", [a.wait(99) / b.wait(99) for a, b in pairs]),
        Row(part, "processor time a move ÷ the floor's", [a.cost / b.cost for a, b in pairs]),
    ]


async def games(folder: Path) -> list[Row]:
    """Whole games at each module, a GM and the players, with watchers where these are fewer than five."""
    wanted = [replace(at_once, tables=at_once.tables * (1 + REPEATS)) for at_once in GAMES.values()]
    played: dict[str, list[Measured]] = {module: [] for module in GAMES}
    with product(folder, wanted) as ours:
        rooms = dict(zip(GAMES, ours.rooms, strict=True))
        for _ in range(1 + REPEATS):
            for module, at_once in GAMES.items():
                together = [rooms[module].pop(0) for _ in range(at_once.tables)]
                played[module].append(await play_games(ours, together))
    rows = []
    for module, (_, *measured) in played.items():
        base = played["uroboros"][1:]
        costs = [a.cost / b.cost for a, b in zip(measured, base, strict=True)]
        pauses = [a.pause_cost / a.cost for a in measured]
        part = f"games, {module}"
        if module != "uroboros":
            rows.append(Row(part, "processor time a move ÷ uroboros'", costs, "2.0 at most"))
        rows.append(Row(part, "what follows a move after a pause ÷ the move", pauses))
    return rows


async def play_games(ours: Running, rooms: list[Room]) -> Measured:
    """Play games to their ends, now and then with a second without moves."""
    await connect(ours, rooms)
    await asyncio.sleep(PAUSE)
    measured = await measure(ours, rooms, moves=BREATH)
    while going_on := [room for room in rooms if room.rest]:
        measured += await measure(ours, going_on, moves=BREATH)
    for room in rooms:
        room.close()
    return measured


async def log(folder: Path) -> list[Row]:
    """The same moves at tables with short and long logs."""
    wanted = [Wanted(), *(Wanted(tables=4, log=length) for length in LENGTHS)]
    with product(folder, wanted) as ours:
        await warm_up(ours)
        costs = await by_turns(ours, ours.rooms[1:], moves=12)
    return [
        row
        for length, measured in zip(LENGTHS[1:], costs[1:], strict=True)
        for row in beside_first(f"log of {length:,} moves", "of 10 moves", costs[0], measured, "0.9 to 1.1")
    ]


def beside_first(part: str, other: str, first: list[Measured], now: list[Measured], goal: str) -> list[Row]:
    pairs = list(zip(now, first, strict=True))
    return [
        Row(part, f"processor time a move ÷ that {other}", [a.cost / b.cost for a, b in pairs], goal),
        Row(
            part,
            f"what follows after a pause ÷ that {other}",
            [a.pause_cost / b.pause_cost for a, b in pairs],
        ),
    ]


async def pages(folder: Path) -> list[Row]:
    """The same moves at tables that more pages look at: watchers, faces, second devices."""
    with product(folder, [Wanted(), *(Wanted(pages=number) for number in PAGES)]) as ours:
        await warm_up(ours)
        first, *others = await by_turns(ours, ours.rooms[1:], moves=WARM_UP)
    return [
        Row(
            f"pages, {number} at a table",
            f"processor time a move ÷ that of {PAGES[0]} pages",
            [a.cost / b.cost for a, b in zip(measured, first, strict=True)],
            f"below {number // PAGES[0]}",
        )
        for number, measured in zip(PAGES[1:], others, strict=True)
    ]


async def paced(folder: Path) -> list[Row]:
    """Moves with a pause after each, as people play, beside the same moves at full speed."""
    with product(folder, [Wanted(), Wanted(tables=PACED)]) as ours:
        await warm_up(ours)
        rooms = ours.rooms[1]
        await connect(ours, rooms)
        await measure(ours, rooms, moves=5)
        turns = []
        for _ in range(REPEATS):
            fast = await measure(ours, rooms, moves=5)
            slow = await measure(ours, rooms, moves=1)
            for _ in range(4):
                slow += await measure(ours, rooms, moves=1)
            turns.append((fast, slow))
    part = f"paced, {PACED} tables"
    whole = [(slow.processor + slow.pause) / slow.moves for _, slow in turns]
    return [
        Row(
            part,
            "processor time a move with its pause ÷ at full speed",
            [cost / fast.cost for cost, (fast, _) in zip(whole, turns, strict=True)],
        ),
        Row(part, "share of the pause", [slow.pause / (slow.processor + slow.pause) for _, slow in turns]),
    ]


async def warm_up(ours: Running) -> None:
    """Play at the first table, which nothing is measured at."""
    await connect(ours, ours.rooms[0])
    await measure(ours, ours.rooms[0], moves=WARM_UP)


async def by_turns(ours: Running, kinds: list[list[Room]], *, moves: int) -> list[list[Measured]]:
    """Measure the tables of each kind in turn, several times; the first time does not count."""
    for rooms in kinds:
        await connect(ours, rooms)
        await measure(ours, rooms, moves=5)
    turns = [[await measure(ours, rooms, moves=moves) for rooms in kinds] for _ in range(REPEATS)]
    return [list(measured) for measured in zip(*turns, strict=True)]


async def hosted(folder: Path) -> list[Row]:
    """PostgreSQL and Redis, one process and two, beside SQLite and one process."""
    with ExitStack() as stack:
        postgres, redis = PostgresServer(), RedisServer()
        stack.callback(postgres.stop)
        stack.callback(redis.stop)

        def run(name: str, processes: int, *wanted: Wanted) -> Running:
            env = {"DATABASE_URL": postgres.database(name), "REDIS_URL": redis.url} if processes else None
            return stack.enter_context(product(folder, list(wanted), env, processes or 1))

        four = Wanted(tables=4)
        home, one, two = run("home", 0, four), run("one", 1, four), run("two", 2, four, four)
        kept, spread = two.rooms
        for number, room in enumerate(kept):
            await room.connect([two.ports[number % 2]])
        for room in spread:
            await room.connect(two.ports)
        await connect(home, home.rooms[0])
        await connect(one, one.rooms[0])
        kinds = [(home, home.rooms[0]), (one, one.rooms[0]), (two, kept), (two, spread)]
        _, *turns = [
            [await measure(at, rooms, moves=WARM_UP) for at, rooms in kinds] for _ in range(1 + REPEATS)
        ]
    return [
        Row(
            "hosted, 1 process",
            "moves by the processor second ÷ SQLite's",
            [a.cost / b.cost for a, b, _, _ in turns],
            "0.5 at least",
        ),
        Row("hosted, 1 process", "wait, p50 ÷ SQLite's", [b.wait(50) / a.wait(50) for a, b, _, _ in turns]),
        Row(
            "hosted, 2 processes, a table's pages at one",
            "moves ÷ those of one process",
            [2 * b.cost / c.cost for _, b, c, _ in turns],
            "1.6 at least",
        ),
        Row(
            "hosted, 2 processes, a table's pages at both",
            "moves ÷ those of one process",
            [2 * b.cost / d.cost for _, b, _, d in turns],
            "1.6 at least",
        ),
    ]


PARTS: dict[str, Callable[[Path], Awaitable[list[Row]]]] = {
    "floor": floor,
    "games": games,
    "log": log,
    "pages": pages,
    "paced": paced,
    "many": many,
    "hosted": hosted,
    "workers": workers,
    "reading": reading,
    "painted": painted,
    "storm": storm,
    "idle": idle,
    "attack": attack,
    "soak": partial(soak, GAMES),
}
