"""The servers of a benchmark, each on a processor of its own where there are two."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.bench.client import Room
from tests.bench.wanted import Wanted
from tests.servers import ROOT, ProcessServer, answers, free_port, wait_until

PROCESSORS = sorted(os.sched_getaffinity(0))
CLIENTS = PROCESSORS[-1]
SECRET_KEY = "a benchmark has a key of its own, long enough to be no warning"


@dataclass(frozen=True)
class Running:
    """Servers that run, and the tables that were laid out for them: a list for each kind that was wanted."""

    servers: list[ProcessServer]
    pids: list[int]
    ports: list[int]
    rooms: list[list[Room]]

    @property
    def processor_seconds(self) -> float:
        """The processor time that the servers have used so far, in user and system mode."""
        # Linux numbers the clock of another process so; /proc/PID/stat counts the same in steps of 10 ms.
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self.pids)


@contextmanager
def pinned(processor: int) -> Iterator[None]:
    """Let processes that are started in this block run on one processor only."""
    os.sched_setaffinity(0, {processor})
    try:
        yield
    finally:
        os.sched_setaffinity(0, {CLIENTS})


@contextmanager
def product(
    folder: Path, wanted: list[Wanted], env: dict[str, str] | None = None, processes: int = 1
) -> Iterator[Running]:
    """Run the product with these tables.

    :param env: where its data are; without, in SQLite in the folder.
    """
    settings = {"TAKUJO_VAR": str(folder), "SECRET_KEY": SECRET_KEY, "ALLOWED_HOSTS": "127.0.0.1"}
    settings |= env or {"DATABASE_URL": f"sqlite:///{folder / 'product.sqlite3'}"}
    servers = [ProcessServer(settings) for _ in range(processes)]
    servers[0].manage("migrate", "--verbosity", "0")
    rooms = lay_out(servers[0], wanted)
    with ExitStack() as stack:
        for number, server in enumerate(servers):
            with pinned(PROCESSORS[number % len(PROCESSORS)]):
                server.start()
            stack.callback(server.kill)
        pids = [server.process.pid for server in servers if server.process]
        yield Running(servers, pids, [server.port for server in servers], rooms)


def lay_out(server: ProcessServer, wanted: list[Wanted]) -> list[list[Room]]:
    asked = json.dumps([asdict(one) for one in wanted])
    code = f"from tests.bench.lay_out import print_tables; print_tables({asked!r})"
    printed = server.manage("shell", "-v0", "-c", code)
    tables = iter([Room(json.loads(line)) for line in printed.splitlines() if line.startswith("{")])
    return [[next(tables) for _ in range(one.tables)] for one in wanted]


@contextmanager
def floor(folder: Path, size: int, like: list[Room]) -> Iterator[Running]:
    """Run the floor for the same numbers of tables, pages, moves, and bytes to a page."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.floor", str(folder / "floor.sqlite3"), str(port), str(size)]
    with pinned(PROCESSORS[0]):
        process = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_until(lambda: answers(port))
        yield Running([], [process.pid], [port], [[Room(bare(room, n)) for n, room in enumerate(like)]])
    finally:
        process.kill()
        process.wait(10)


def bare(room: Room, number: int) -> dict[str, Any]:
    pages = [{"path": f"/{number}", "cookie": ""} for _ in room.laid_out["pages"]]
    return {"version": 0, "pages": pages, "moves": room.laid_out["moves"]}
