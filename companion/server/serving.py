"""uvicorn's settings, server class and socket, the same at home, hosted and in tests.

The ASGI lifespan handler runs periodic background work while the server runs.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import socket
from argparse import ArgumentTypeError
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

import uvicorn

from companion.fallback.outages import NO_DATABASE
from companion.server import threads
from companion.server.supervisor import HUNG_AFTER, SIGN_EVERY
from companion.server.uvicorn_protocols import ChunkedReadProtocol, PatientProtocol

#: The largest websocket frame of a phone, in bytes; a move has a few hundred.
LARGEST_FRAME = 64 * 1024
#: The limit of open files to request: each open page is one, and many systems allow 1,024 by default.
FILES = 16_384
LAST_PORT = 65_535
#: Seconds that a server which ends waits for its pages (closed with 1012) and answers; less than GOODBYE.
GRACE = 4
#: uvicorn's ticks per second.
TICKS = 10
logger = logging.getLogger(__name__)


def config(app: Any = "companion.asgi:application") -> uvicorn.Config:
    """Websocket messages are not compressed: on a local network that costs more time than it saves."""
    allow_many_pages()
    return uvicorn.Config(
        app,
        loop="auto",  # uvloop if it is installed (not on Windows), else asyncio's own loop
        http=PatientProtocol,
        ws=ChunkedReadProtocol,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        # Phones send heartbeats themselves; pings only detect dead connections. The times are long, because a
        # server that is busy, or was suspended, must not mistake its own delay for a dead client.
        ws_ping_interval=60,
        ws_ping_timeout=120,
        lifespan="auto",  # apps in tests have no lifespan
        log_level="warning",
        log_config=None,  # our settings configure logging, with redaction of keys
        # companion.requests.throttle decides itself which forwarded addresses to trust.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )


class Server(uvicorn.Server):
    """uvicorn's server that sends heartbeats to systemd and to ``play``, and exits when it hangs.

    No data is lost by that: confirmed moves are in the database, and clients resend the others.
    """

    def __init__(self, config: uvicorn.Config, signs: int | None = None) -> None:
        """``signs`` is a file descriptor that gets one byte per heartbeat."""
        super().__init__(config)
        self._signs = signs

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _notify(b"READY=1")

    async def on_tick(self, counter: int) -> bool:
        if counter % (SIGN_EVERY * TICKS) == 0:
            self._send_heartbeat()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        faulthandler.cancel_dump_traceback_later()
        await super().shutdown(sockets)

    def _send_heartbeat(self) -> None:
        """If a thread hangs, exit instead."""
        if threads.WATCH.is_hung:
            logger.critical("a thread does not come back: the process ends")
            faulthandler.dump_traceback()
            os._exit(1)
        # If the event loop blocks, dump where it does, and exit if no supervisor would end this process.
        is_alone = self._signs is None and "NOTIFY_SOCKET" not in os.environ
        faulthandler.dump_traceback_later(HUNG_AFTER - SIGN_EVERY, exit=is_alone)
        _notify(b"WATCHDOG=1")
        if self._signs is not None:
            os.write(self._signs, b".")


def _notify(words: bytes) -> None:
    """Send a message to systemd if it supervises this process."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes, suppress(BlockingIOError):
            notes.setblocking(False)  # if systemd is busy, drop this message: another one follows
            notes.sendto(words, address.replace("@", "\0", 1))


def allow_many_pages() -> None:
    """Raise the limit of open files as far as the system allows."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no resource module; the system may refuse
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= LAST_PORT):
        raise ArgumentTypeError(f"0 to {LAST_PORT}")
    return int(text)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that no other program takes the port before the server starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=1024, dualstack_ipv6=both)


class Chore(NamedTuple):
    """Periodic background work of the server, and its interval in seconds."""

    work: Callable[[], Awaitable[None]]
    every: float
    before_requests: bool = False  #: also once before the first request is served


class Lifespan:
    def __init__(self, *chores: Chore) -> None:
        self._chores = chores

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        for chore in self._chores:
            if chore.before_requests:
                await _do(chore)
        tasks = [asyncio.create_task(_repeat(chore)) for chore in self._chores]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await send({"type": "lifespan.shutdown.complete"})


async def _repeat(chore: Chore) -> None:
    while True:
        await asyncio.sleep(chore.every)
        await _do(chore)


async def _do(chore: Chore) -> None:
    try:
        await chore.work()
    except NO_DATABASE:
        pass  # requests that fail for the same reason log it
    except Exception:
        logger.exception("a chore was not done")
