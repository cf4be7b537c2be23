"""The lines from a machine to PostgreSQL and Redis, which a fault interrupts as a broken network does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

from tests.servers import listen

CHUNK = 65_536


class Line:
    """Passes connections on to a service of this machine, on a port of its own.

    While it is interrupted, connections stay open and nobody hears anything. After that all bytes go on, as
    TCP sends again what was lost.
    """

    def __init__(self, service: str) -> None:
        """``service`` is its URL."""
        self._service = urlsplit(service)
        self._socket = listen()
        port = self._socket.getsockname()[1]
        self.url = service.replace(f":{self._service.port}", f":{port}", 1)
        self._loop = asyncio.new_event_loop()
        self._works = asyncio.Event()
        self._works.set()

    @contextmanager
    def held(self) -> Iterator[Line]:
        """Pass connections on in a thread."""
        thread = Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._pass_on, sock=self._socket), self._loop
        ).result()
        yield self
        self._loop.call_soon_threadsafe(server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        thread.join()

    def interrupt(self) -> None:
        self._loop.call_soon_threadsafe(self._works.clear)

    def repair(self) -> None:
        self._loop.call_soon_threadsafe(self._works.set)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._works.wait()
        with suppress(OSError):
            there = await asyncio.open_connection(self._service.hostname, self._service.port)
            await asyncio.gather(self._pump(reader, there[1]), self._pump(there[0], writer))
        writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._works.wait()
                writer.write(data)
                await writer.drain()
        await self._works.wait()
        writer.close()
