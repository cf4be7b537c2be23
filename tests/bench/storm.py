"""All phones come back at once, and many pages are open without anybody doing anything."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.bench.client import Page
from tests.bench.measuring import REPEATS, Row
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted

#: As in live.js: the first wait, the longest, how far it is spread, and seconds between two signs of life.
FIRST, LONGEST, SPREAD, PING_EVERY = 0.5, 5.0, 0.5, 5.0
PHONES, IDLE, IDLE_FOR = 24, 1000, 60
#: Seconds until what follows from an arrival has followed.
SETTLED = 3
ROOM = b'hx-target="#presence"'


class Phone(Page):
    """A page that knows when it shows both the table and the evening round it."""

    def __init__(self, address: dict[str, str], port: int) -> None:
        super().__init__(address, f"127.0.0.1:{port}", self._changed)
        self.port, self.shows_room = port, False
        loop = asyncio.get_running_loop()
        self.up_to_date: asyncio.Future[float] = loop.create_future()
        self.gone: asyncio.Future[None] = loop.create_future()

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)

    def heard(self, opcode: int, body: bytes) -> None:
        super().heard(opcode, body)
        self.shows_room |= ROOM in body
        if self.shows_room and self.version >= 0 and not self.up_to_date.done():
            self.up_to_date.set_result(time.monotonic())

    def connection_lost(self, problem: Exception | None) -> None:
        self.gone.set_result(None)

    @staticmethod
    def _changed(problem: Exception | None = None) -> None:
        if problem:
            raise problem


class Crowd:
    """Phones that come back as live.js does whenever their line is lost, and say that they live."""

    def __init__(self, addresses: list[dict[str, str]], port: int) -> None:
        self.port, self.lost = port, 0
        self.phones: list[Phone | None] = [None] * len(addresses)
        self._tasks = [asyncio.create_task(self._keep(*one)) for one in enumerate(addresses)]

    async def all_up_to_date(self) -> float:
        """Wait until every phone shows everything; return the moment when the last one did."""
        async with asyncio.timeout(300):
            while not all(phone and phone.up_to_date.done() for phone in self.phones):
                await asyncio.sleep(0.01)
        return max(phone.up_to_date.result() for phone in self.phones if phone)

    def cut(self) -> None:
        """Cut every line at once."""
        for number, phone in enumerate(self.phones):
            if phone:
                phone.transport.abort()
                self.phones[number] = None

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.cut()

    async def _keep(self, number: int, address: dict[str, str]) -> None:
        tries = 0
        while True:
            phone = Phone(address, self.port)
            with suppress(OSError):
                await phone.connect()
                self.phones[number], tries = phone, 0
                await self._live(phone)
                self.lost += 1
            wait = min(LONGEST, FIRST * 2**tries)
            tries += 1
            await asyncio.sleep(wait * random.uniform(1 - SPREAD, 1 + SPREAD))

    @staticmethod
    async def _live(phone: Phone) -> None:
        wait = PING_EVERY * random.random()
        while not phone.gone.done():
            await asyncio.wait([phone.gone], timeout=wait)
            if phone.is_open and not phone.gone.done():
                phone.send(b'{"ping": 1}')
            wait = PING_EVERY


async def storm(folder: Path) -> list[Row]:
    """The phones of a house come back: after their lines were cut, and after the server was killed."""
    seconds, costs = [], []
    one_evening = Wanted(pages=PHONES, people=PHONES)
    with product(folder, [one_evening]) as ours:
        [[room]] = ours.rooms
        crowd = Crowd(room.laid_out["pages"], ours.ports[0])
        await crowd.all_up_to_date()
        await asyncio.sleep(SETTLED)
        for _ in range(REPEATS):
            costs.append(await cost_of_coming_back(ours, crowd))
        for _ in range(REPEATS):
            began = time.monotonic()
            ours.servers[0].kill()
            await asyncio.to_thread(ours.servers[0].start)
            served = time.monotonic()
            crowd.cut()
            last = await crowd.all_up_to_date()
            seconds.append(last - began)
            print(f"  killed: served again after {served - began:.1f} s", file=sys.stderr)
            print(f"  all {PHONES} phones up to date after {last - began:.1f} s", file=sys.stderr)
        crowd.close()
    part, ratios = f"storm, {PHONES} phones", [number / 10 for number in seconds]
    return [
        Row(part, "processor seconds a phone that comes back", costs),
        Row(part, "kill -9 until all are up to date ÷ 10 s", ratios, "below 1"),
    ]


async def cost_of_coming_back(ours: Running, crowd: Crowd) -> float:
    used, began = ours.processor_seconds, time.monotonic()
    crowd.cut()
    last = await crowd.all_up_to_date()
    await asyncio.sleep(SETTLED)
    cost = (ours.processor_seconds - used) / PHONES
    print(f"  cut: back after {last - began:.1f} s, {1000 * cost:.1f} ms a phone", file=sys.stderr)
    return cost


async def idle(folder: Path) -> list[Row]:
    """Many pages are open, and no person does anything."""
    with product(folder, [Wanted(tables=IDLE // 6 + 1)]) as ours:
        [rooms] = ours.rooms
        addresses = [page for room in rooms for page in room.laid_out["pages"]][:IDLE]
        crowd = Crowd(addresses, ours.ports[0])
        await crowd.all_up_to_date()
        await asyncio.sleep(SETTLED)
        shares, lost = [], crowd.lost
        for _ in range(REPEATS):
            used, began = ours.processor_seconds, time.monotonic()
            await asyncio.sleep(IDLE_FOR / REPEATS)
            shares.append((ours.processor_seconds - used) / (time.monotonic() - began))
        lost = crowd.lost - lost
        crowd.close()
    print(f"  {lost} of {IDLE} lines lost", file=sys.stderr)
    assert not lost
    return [Row(f"idle, {IDLE:,} pages", "share of a processor", shares, "below 0.1")]
