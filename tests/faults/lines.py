"""The lines from a machine to PostgreSQL and Redis, which a fault interrupts as a broken network does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.servers import listen

CHUNK = 65_536


class Line:
    """Passes connections on to a service of this machine, on a port of its own.

    While it is interrupted, connections stay open and nobody hears anything. After that all bytes go on, as
    TCP sends again what was lost.
    """

    def __init__(self, service: str, address: str = "127.0.0.1") -> None:
        """``service`` is a URL on 127.0.0.1, and ``address`` is where this line listens."""
        self._service = urlsplit(service)
        self._socket = listen(address)
        port = self._socket.getsockname()[1]
        self.url = service.replace(f"127.0.0.1:{self._service.port}", f"{address}:{port}", 1)

    @contextmanager
    def held(self) -> Iterator[Line]:
        """Pass connections on, in a thread."""
        is_up = threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(self._serve(is_up)))
        thread.start()
        is_up.wait()
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._ends.set)
            thread.join()

    def interrupt(self) -> None:
        self._loop.call_soon_threadsafe(self._works.clear)

    def repair(self) -> None:
        self._loop.call_soon_threadsafe(self._works.set)

    async def _serve(self, is_up: threading.Event) -> None:
        self._loop, self._works, self._ends = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self._works.set()
        server = await asyncio.start_server(self._pass_on, sock=self._socket)
        is_up.set()
        await self._ends.wait()
        server.close()  # and what is open ends with the loop

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._works.wait()
        try:
            there = await asyncio.open_connection(self._service.hostname, self._service.port)
            await asyncio.gather(self._pump(reader, there[1]), self._pump(there[0], writer))
        except OSError:
            pass  # The service is away, and so is this line.
        finally:
            writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(CHUNK):
                await self._works.wait()
                writer.write(data)
                await writer.drain()
            await self._works.wait()
        finally:
            writer.close()
