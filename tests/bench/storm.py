"""All phones come back at once, and many pages are open without anybody doing anything."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.bench.client import Page, Room
from tests.bench.measuring import REPEATS, Row, connect, measure
from tests.bench.running import Running, product
from tests.bench.wanted import Wanted

#: What live.js does: the first wait, the longest, how far a wait is spread, and how often a page says it lives.
FIRST, LONGEST, SPREAD, PING_EVERY = 0.5, 10.0, 0.5, 5.0
PHONES, IDLE, IDLE_FOR = 24, 1000, 60
ROOM = b'hx-target="#presence"'


class Phone(Page):
    """A page that keeps its line as live.js does, and knows when it is up to date."""

    def __init__(self, address: dict[str, str], host: str, at_least: int) -> None:
        super().__init__(address, host, lambda problem=None: None)
        self.at_least, self.shows_room = at_least, False
        self.up_to_date = asyncio.get_running_loop().create_future()
        self.gone = asyncio.get_running_loop().create_future()

    def heard(self, opcode: int, body: bytes) -> None:
        super().heard(opcode, body)
        self.shows_room |= ROOM in body
        if self.shows_room and self.version >= self.at_least and not self.up_to_date.done():
            self.up_to_date.set_result(time.monotonic())

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


class Crowd:
    """Phones that come back whenever their line is lost, and say every few seconds that they live."""

    def __init__(self, addresses: list[dict[str, str]], port: int, at_least: int = 0) -> None:
        self.port, self.at_least = port, at_least
        self.phones: dict[int, Phone] = {}
        self.lost = 0
        self._keeping = [asyncio.create_task(self._keep(n, one)) for n, one in enumerate(addresses)]

    async def all_up_to_date(self, within: float = 120) -> float:
        """Wait until every phone shows the newest table and evening; return when the last one did."""
        end = time.monotonic() + within
        while len(self.phones) < len(self._keeping):
            await asyncio.sleep(0.01)
        while not all(phone.up_to_date.done() for phone in self.phones.values()):
            assert time.monotonic() < end, f"{self._behind()} of {len(self._keeping)} phones are still behind"
            await asyncio.sleep(0.01)
        return max(phone.up_to_date.result() for phone in self.phones.values())

    def _behind(self) -> int:
        return sum(not phone.up_to_date.done() for phone in self.phones.values())

    def cut(self) -> None:
        """Cut every line at once; the phones come back."""
        for phone in self.phones.values():
            phone.transport.abort()
        self.phones.clear()

    async def go(self) -> None:
        for task in self._keeping:
            task.cancel()
        for phone in self.phones.values():
            phone.transport.abort()

    async def _keep(self, number: int, address: dict[str, str]) -> None:
        tries = 0
        while True:
            phone = Phone(address, f"127.0.0.1:{self.port}", self.at_least)
            with suppress(OSError):
                loop = asyncio.get_running_loop()
                await loop.create_connection(lambda phone=phone: phone, "127.0.0.1", self.port)
                self.phones[number] = phone
                tries = 0
                pings = asyncio.create_task(self._ping(phone))
                await phone.gone
                pings.cancel()
                self.lost += 1
            tries += 1
            wait = min(LONGEST, FIRST * 2 ** (tries - 1))
            await asyncio.sleep(wait * random.uniform(1 - SPREAD, 1 + SPREAD))

    @staticmethod
    async def _ping(phone: Phone) -> None:
        await asyncio.sleep(PING_EVERY * random.random())
        while True:
            if phone.is_open:
                phone.send(b'{"ping": 1}')
            await asyncio.sleep(PING_EVERY)
