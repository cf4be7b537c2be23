"""A websocket client that costs next to nothing, so that the server is what a benchmark measures."""

from __future__ import annotations

import asyncio
import json
import struct
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
VERSION = b'data-version="'
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class Page(asyncio.Protocol):
    """One open page. It reads nothing of a push but the version that the push shows."""

    def __init__(self, address: dict[str, str], host: str, changed: Any) -> None:
        self.address, self.host, self.changed = address, host, changed
        self.version, self.received = -1, 0
        self.buffer, self.is_open = b"", False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        lines = [
            f"GET {self.address['path']} HTTP/1.1",
            f"Host: {self.host}",
            f"Origin: http://{self.host}",
            f"Cookie: takujo={self.address['cookie']}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {KEY}",
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.is_open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head, head
            self.is_open, self.buffer = True, rest
        while len(self.buffer) >= 2:
            start, size = 2, self.buffer[1]
            if size >= 126:
                start, kind = (4, "!H") if size == 126 else (10, "!Q")
                if len(self.buffer) < start:
                    return
                (size,) = struct.unpack_from(kind, self.buffer, 2)
            if len(self.buffer) < start + size:
                return
            opcode, body = self.buffer[0] & 15, self.buffer[start : start + size]
            self.buffer = self.buffer[start + size :]
            self.heard(opcode, body)

    def heard(self, opcode: int, body: bytes) -> None:
        if opcode == PING:
            self.send(body, PONG)
        elif opcode == CLOSE or body.startswith(b'{"refused"'):
            self.changed(AssertionError(f"{self.address['path']}: {body.decode(errors='replace')}"))
        elif (place := body.rfind(VERSION)) >= 0:
            self.received += len(body)
            place += len(VERSION)
            self.version = max(self.version, int(body[place : body.index(b'"', place)]))
            self.changed()
        else:
            self.received += len(body)

    def send(self, body: bytes, opcode: int = TEXT) -> None:
        size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack("!H", len(body))
        # A mask of zeros leaves the bytes as they are.
        self.transport.write(bytes([0x80 | opcode]) + size + bytes(4) + body)


@dataclass
class Room:
    """A table with its pages and the moves that are left of its script."""

    laid_out: dict[str, Any]
    pages: list[Page] = field(default_factory=list)
    version: int = 0
    played: int = 0
    waits: list[float] = field(default_factory=list)
    _seen: asyncio.Future[None] | None = None

    async def connect(self, ports: list[int], source: str = "127.0.0.1") -> None:
        """Open the pages, spread over these ports in turn, and wait until all show the table.

        :param source: the address that they come from.
        """
        self.version = self.laid_out["version"]
        loop = asyncio.get_running_loop()
        for number, address in enumerate(self.laid_out["pages"]):
            port = ports[number % len(ports)]
            page = Page(address, f"127.0.0.1:{port}", self._changed)
            self.pages.append(page)
            self._seen = loop.create_future()
            await loop.create_connection(lambda page=page: page, "127.0.0.1", port, local_addr=(source, 0))
            await asyncio.wait_for(self._seen, 30)

    def close(self) -> None:
        for page in self.pages:
            page.transport.close()

    @property
    def received(self) -> int:
        return sum(page.received for page in self.pages)

    async def play(self, moves: int) -> None:
        """Play moves, each as soon as every page shows the one before; fewer if the script ends."""
        for _ in range(moves):
            if not self.rest:
                return
            await self.move()

    async def play_until(self, end: float) -> None:
        """Play the script over and over until a time of ``time.perf_counter``."""
        while time.perf_counter() < end:
            await self.move()

    async def move(self) -> None:
        """Play the next move of the script."""
        script = self.laid_out["moves"]
        number, move = script[self.played % len(script)]
        frame = {"id": str(uuid.uuid4()), "version": self.version, "asked": "", "move": move}
        raw = json.dumps(frame).encode()
        self._seen, began = asyncio.get_running_loop().create_future(), time.perf_counter()
        self.version += 1
        self.played += 1
        self.pages[number].send(raw)
        await asyncio.wait_for(self._seen, 30)
        self.waits.append(time.perf_counter() - began)

    @property
    def rest(self) -> int:
        """The number of moves of the script that have not been played."""
        return max(0, len(self.laid_out["moves"]) - self.played)

    def _changed(self, problem: Exception | None = None) -> None:
        if not self._seen or self._seen.done():
            return
        if problem:
            self._seen.set_exception(problem)
        elif all(page.version >= self.version for page in self.pages):
            self._seen.set_result(None)
