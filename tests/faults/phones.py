"""Phones that play on through all faults: a websocket that reconnects, and an outbox, as in live.js."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import uuid
from contextlib import suppress
from typing import Any

import websockets

from tests.faults.ledger import Ledger

#: As in live.js: seconds between two signs of life, until a silent line is dead, and between two tries.
PING_EVERY, DEAD_AFTER, FIRST, LONGEST, SPREAD = 5.0, 12.0, 0.5, 5.0, 0.5
#: Seconds between two moves of a phone.
SOONEST, LATEST = 0.05, 0.5


class Phone:
    """One seat's phone. It has at most one move on its way, and sends it again until it is answered."""

    def __init__(
        self, seat: str, address: dict[str, str], ports: list[int], ledger: Ledger, seed: int
    ) -> None:
        self.seat, self.address, self.ports, self.ledger = seat, address, ports, ledger
        self.chance = random.Random(seed)
        self.version, self.asked, self.heard_at = -1, "", 0.0
        self.outbox: dict[str, Any] | None = None
        self.socket: websockets.ClientConnection | None = None
        self.plays, self.sends_twice, self.lines_lost = False, False, 0
        #: What it says in its next move.
        self.next_words = ""
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(work()) for work in (self._keep_line, self._play, self._ping)]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    @property
    def is_calm(self) -> bool:
        """True if the line stands and nothing waits for an answer."""
        return self.socket is not None and self.outbox is None

    def cut(self) -> None:
        """Let the line end without a word."""
        if self.socket:
            self.socket.transport.abort()

    async def _keep_line(self) -> None:
        tries = 0
        while True:
            with suppress(OSError, TimeoutError, websockets.WebSocketException):
                port = self.chance.choice(self.ports)
                async with self._line(port) as self.socket:
                    tries, self.version, self.heard_at = 0, -1, time.monotonic()
                    await self._post()
                    async for text in self.socket:
                        await self._hear(str(text))
            self.socket = None
            self.lines_lost += 1
            wait = min(LONGEST, FIRST * 2**tries)
            tries += 1
            await asyncio.sleep(wait * self.chance.uniform(1 - SPREAD, 1 + SPREAD))

    def _line(self, port: int) -> websockets.connect:
        return websockets.connect(
            f"ws://127.0.0.1:{port}{self.address['path']}",
            additional_headers={"Cookie": f"takujo={self.address['cookie']}"},
            origin=f"http://127.0.0.1:{port}",
            proxy=None,
            open_timeout=DEAD_AFTER,
            ping_interval=None,
            close_timeout=1,
            compression=None,
        )

    async def _ping(self) -> None:
        await asyncio.sleep(PING_EVERY * self.chance.random())
        while True:
            if self.socket and time.monotonic() - self.heard_at > DEAD_AFTER:
                self.cut()
            await self._say({"ping": 1})
            await asyncio.sleep(PING_EVERY)

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(SOONEST, LATEST))
            if self.plays and self.outbox is None and self.version >= 0:
                client_id = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
                move = {"type": "declare", "text": self.next_words or client_id}
                self.next_words = ""
                self.outbox = {"id": client_id, "version": self.version, "asked": self.asked, "move": move}
                self.ledger.sent[client_id] = self.seat
                await self._post()

    async def _post(self) -> None:
        for _ in range(1 + self.sends_twice):
            if self.outbox:
                await self._say(self.outbox)

    async def _say(self, frame: dict[str, Any]) -> None:
        if self.socket:
            with suppress(OSError, websockets.WebSocketException):
                await self.socket.send(json.dumps(frame))

    async def _hear(self, text: str) -> None:
        self.heard_at = time.monotonic()
        if not text.startswith("{"):
            if mark := re.search(r'data-version="(\d+)" data-asked="(\w*)"', text):
                self.version, self.asked = int(mark[1]), mark[2]
            return
        answer = json.loads(text)
        if answer.get("data"):
            await self._post()
        if answer.keys() & {"accepted", "refused"} and answer["id"] in self.ledger.sent:
            self.ledger.note(answer["id"], answer)
            if self.outbox and self.outbox["id"] == answer["id"]:
                self.outbox = None
