"""``python -m tests.benchmark``: how many moves a second the real server carries to six phones a table.

The real server in a process on SQLite, ``--tables`` tables of a GM and five players with a phone each. At
every table the GM plays the next move as soon as all six phones show the one before. Beside it, in the same
run and to as many sockets, a floor: a bare websocket server that writes one row to SQLite in one commit and
sends to every phone as many bytes as the real server sent. One line of JSON; what counts are the ratios,
the times alone tell more about the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from tests.servers import ROOT, ProcessServer

PHONES = 6

#: Run by ``manage.py shell`` on the server's database: prints each table's path with its six cookies.
LAY_OUT = """
import json
from companion import people
from companion.models import Person
from sessions import nights, tables
from sessions.models import Campaign, Role
gm = Person.objects.create(name="GM")
campaign = Campaign.objects.create(gm=gm, name="benchmark")
for number in range(TABLES):
    session = nights.open_session(campaign=campaign, title=str(number))
    players = [Person.objects.create(name=f"player {n}") for n in range(PLAYERS)]
    seats = [nights.take_seat(session=session, person=p, name=p.name, role=Role.PLAYER) for p in players]
    table = tables.open_table(session=session, module_key="uroboros", players=seats)
    print(json.dumps({"table": table.pk, "cookies": [people.token(p) for p in [gm, *players]]}))
"""


@dataclass
class Tally:
    """The times of a run."""

    waits: list[float] = field(default_factory=list)
    received: int = 0
    seconds: float = 0.0

    @property
    def figures(self) -> dict[str, float]:
        waits = sorted(self.waits)
        return {
            "moves_per_s": round(len(waits) / self.seconds, 1),
            "p50_ms": round(1000 * waits[len(waits) // 2], 2),
            "p99_ms": round(1000 * waits[min(len(waits) - 1, len(waits) * 99 // 100)], 2),
        }


async def see(phone: ClientConnection, mark: str, tally: Tally) -> None:
    """Read until this phone hears of a version."""
    while True:
        text = await phone.recv()
        tally.received += len(text)
        if mark in str(text):
            return


def move(number: int) -> dict[str, Any]:
    """The GM's next move: words on one turn, a figure's HP on the other."""
    if number % 2:
        return {"type": "declare", "text": f"move {number}"}
    return {"type": "set_hp", "who": "p1", "hp": 1 + number // 2 % 2}


async def play_table(phones: list[ClientConnection], moves: int, first: int, tally: Tally) -> None:
    """Let the GM play, each move when all have seen the one before."""
    for number in range(first, first + moves):
        frame = {"id": f"00000000-0000-4000-8000-{number:012}", "version": number - 1, "asked": ""}
        began = time.perf_counter()
        await phones[0].send(json.dumps(frame | {"move": move(number)}))
        await asyncio.gather(*(see(phone, f'data-version="{number}"', tally) for phone in phones))
        tally.waits.append(time.perf_counter() - began)


async def run(url: str, origin: str, tables: list[dict[str, Any]], moves: int) -> Tally:
    """Connect six phones a table, let them warm up, and play at all tables at once."""
    tally, warm_up = Tally(), 3
    async with AsyncExitStack() as stack:
        rooms: list[list[ClientConnection]] = []
        for table in tables:
            rooms.append([])
            for cookie in table["cookies"]:
                address, headers = url.format(table["table"]), {"Cookie": f"takujo={cookie}"}
                opening = connect(address, additional_headers=headers, origin=origin, proxy=None)
                rooms[-1].append(await stack.enter_async_context(opening))
                await see(rooms[-1][-1], 'data-version="0"', tally)
        for room in rooms:
            await play_table(room, warm_up, 1, Tally())
        tally.received, began = 0, time.perf_counter()
        await asyncio.gather(*(play_table(room, moves, warm_up + 1, tally) for room in rooms))
        tally.seconds = time.perf_counter() - began
    return tally


async def real(tables: int, moves: int, folder: Path) -> Tally:
    """Measure the product."""
    key = "a benchmark has a key of its own, long enough to be no warning"
    server = ProcessServer({"DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}", "SECRET_KEY": key})
    server.manage("migrate", "--verbosity", "0")
    code = LAY_OUT.replace("TABLES", str(tables)).replace("PLAYERS", str(PHONES - 1))
    printed = server.manage("shell", "-v0", "-c", code)
    rooms = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    server.start()
    try:
        return await run(server.ws("/ws/tables/{}/"), server.url, rooms, moves)
    finally:
        server.kill()


async def floor(tables: int, moves: int, folder: Path, size: int) -> Tally:
    """Measure the cost of sockets and commits alone."""
    command = [sys.executable, "-m", "tests.benchmark", "--floor", str(folder / "floor.sqlite3"), str(size)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ)
    try:
        assert process.stdout
        port = int(process.stdout.readline())
        rooms = [{"table": number, "cookies": [""] * PHONES} for number in range(tables)]
        return await run(f"ws://127.0.0.1:{port}/{{}}", f"http://127.0.0.1:{port}", rooms, moves)
    finally:
        process.kill()
        process.wait(10)


async def serve_floor(database: str, size: int) -> None:
    """One commit a move and as many bytes to every phone of the table, without rules, views or pages."""
    rows = sqlite3.connect(database, isolation_level=None)
    rows.execute("PRAGMA journal_mode=WAL")
    rows.execute("PRAGMA synchronous=NORMAL")
    rows.execute("CREATE TABLE move (number INTEGER PRIMARY KEY, move TEXT)")
    rooms: dict[str, set[ServerConnection]] = {}

    async def handle(phone: ServerConnection) -> None:
        room = rooms.setdefault(phone.request.path if phone.request else "", set())
        room.add(phone)
        await phone.send('data-version="0"')
        async for text in phone:
            version = json.loads(text)["version"] + 1
            rows.execute("INSERT INTO move (move) VALUES (?)", [text])
            news = f'data-version="{version}"'.ljust(size, ".")
            await asyncio.gather(*(other.send(news) for other in room))

    async with serve(handle, "127.0.0.1", 0, compression=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.Future()


async def compare(tables: int, moves: int) -> dict[str, Any]:
    """Measure both and return what to print."""
    with tempfile.TemporaryDirectory(prefix="takujo-bench-") as name:
        product = await real(tables, moves, Path(name))
        size = product.received // (tables * moves * PHONES)
        bare = await floor(tables, moves, Path(name), size)
    ours, theirs = product.figures, bare.figures
    ratios = {
        "moves_per_s": round(theirs["moves_per_s"] / ours["moves_per_s"], 1),
        "p50": round(ours["p50_ms"] / theirs["p50_ms"], 1),
        "p99": round(ours["p99_ms"] / theirs["p99_ms"], 1),
    }
    ask = {"tables": tables, "phones": tables * PHONES, "moves": tables * moves, "bytes_a_phone": size}
    return ask | {"product": ours, "floor": theirs, "times_the_floor": ratios}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--moves", type=int, default=100, help="at each table")
    parser.add_argument("--floor", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.floor:
        asyncio.run(serve_floor(asked.floor[0], int(asked.floor[1])))
    else:
        print(json.dumps(asyncio.run(compare(asked.tables, asked.moves))))
