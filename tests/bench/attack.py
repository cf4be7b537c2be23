"""A table plays on while a stranger asks for much of everything at once."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path

from tests.bench.client import Page
from tests.bench.measuring import REPEATS, Row, connect, measure
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted

SPAWN = get_context("spawn")
#: So much of each is asked for at once.
PROOFS = PAGES = 60
FRAMES, SOCKETS = 10_000, 10
SLOW_BODIES, BODY = 300, 1_000
#: Seconds between an answer and the next question.
REST = 0.2
#: Seconds of play, in peace and under attack.
PEACE, ATTACK = 3, 5
#: Moves at each table before it is measured.
WARM_UP = 40
#: A server is quiet below this share of a processor; it is waited for so many seconds at most.
QUIET, PATIENCE = 0.2, 10


class Stranger:
    """The GM of an evening that has ended, with a script."""

    def __init__(self, page: dict[str, str], port: int) -> None:
        self.page, self.port = page, port
        self.table = page["path"].split("/")[3]
        self.answers = Counter[str]()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Work in a process of one's own: what it costs to ask is no wait of the innocent's."""
        ready, go = SPAWN.Event(), SPAWN.Event()
        process = SPAWN.Process(target=self._work, args=(ready, go), daemon=True)
        process.start()
        ready.wait()
        go.set()
        yield
        process.join()

    def _work(self, ready: Event, go: Event) -> None:
        ready.set()
        go.wait()
        asyncio.run(self._all_at_once())
        print(f"  answers to the stranger: {dict(self.answers)}", file=sys.stderr)

    async def _all_at_once(self) -> None:
        tasks = [asyncio.create_task(job) for job in self._jobs()]
        await asyncio.sleep(ATTACK)
        for task in tasks:
            task.cancel()

    def _jobs(self) -> Iterator[Coroutine[None, None, None]]:
        yield from (self._ask(f"/t/{self.table}/verify/facts/") for _ in range(PROOFS))
        yield from (self._ask(f"/t/{self.table}/log/") for _ in range(PAGES))
        yield from (self._flood(FRAMES // SOCKETS) for _ in range(SOCKETS))
        yield from (self._dawdle() for _ in range(SLOW_BODIES))

    async def _ask(self, path: str) -> None:
        """Ask, and again as soon as there is an answer."""
        while True:
            reader, writer = await self._begin(f"GET {path} HTTP/1.1", "Connection: close")
            try:
                status = (await reader.readline()).decode()[9:12]
                self.answers[f"{path.split('/')[-2]} {status}"] += 1
                await reader.read()
            finally:
                writer.transport.abort()
            await asyncio.sleep(REST)

    async def _dawdle(self) -> None:
        """Send a body, a byte a second."""
        _, writer = await self._begin("POST /j/ HTTP/1.1", f"Content-Length: {BODY}")
        try:
            for _ in range(ATTACK):
                writer.write(b"x")
                await asyncio.sleep(1)
        finally:
            writer.transport.abort()

    async def _begin(self, *lines: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = [*lines, f"Host: 127.0.0.1:{self.port}", f"Cookie: takujo={self.page['cookie']}", "", ""]
        writer.write("\r\n".join(head).encode())
        return reader, writer

    async def _flood(self, frames: int) -> None:
        page = Page(self.page, f"127.0.0.1:{self.port}", lambda problem=None: None)
        transport, _ = await asyncio.get_running_loop().create_connection(
            lambda: page, "127.0.0.1", self.port
        )
        try:
            while not page.is_open:
                await asyncio.sleep(0.01)
            for _ in range(frames):
                frame = {"id": str(uuid.uuid4()), "version": 0, "asked": "", "move": {"type": "bogus"}}
                page.send(json.dumps(frame).encode())
            await asyncio.sleep(ATTACK)
        finally:
            transport.abort()


async def attack(folder: Path) -> list[Row]:
    """The moves of a table while a stranger floods the server, beside the same moves in peace."""
    with product(folder, [Wanted(tables=REPEATS), Wanted(log=2_000, ended=True)]) as ours:
        innocents, [ended] = ours.rooms
        stranger, pairs = Stranger(ended.laid_out["pages"][0], ours.ports[0]), []
        await connect(ours, innocents)
        with stranger.at_work():  # the first time does not count
            await asyncio.gather(*(innocent.play(WARM_UP) for innocent in innocents))
        await quiet(ours)
        # Another table each time: nobody plays so fast for ever, and who tries to is held back.
        for innocent in innocents:
            peace = await measure(ours, [innocent], seconds=PEACE)
            with stranger.at_work():
                attacked = await measure(ours, [innocent], seconds=ATTACK)
            pairs.append((peace, attacked))
            await quiet(ours)
    part = "attack"
    return [
        Row(part, "wait, p50 ÷ that in peace", [b.wait(50) / a.wait(50) for a, b in pairs]),
        Row(part, "wait, p99 ÷ that in peace", [b.wait(99) / a.wait(99) for a, b in pairs], "2 at most"),
    ]


async def quiet(ours: Running) -> None:
    """Wait until the server has done what it does for those who have left, if that ever ends."""
    for _ in range(PATIENCE):
        used = ours.processor_seconds
        await asyncio.sleep(1)
        if ours.processor_seconds - used < QUIET:
            return
    print("  the server is still busy", file=sys.stderr)
