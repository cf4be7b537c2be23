"""The server's settings and socket, the same at home, hosted and in the tests."""

from __future__ import annotations

import faulthandler
import logging
import os
import socket
from argparse import ArgumentTypeError
from contextlib import suppress
from typing import Any

import uvicorn

from companion.server import threads
from companion.server.restarting import HUNG_AFTER, SIGN_EVERY
from companion.server.slow_requests import PatientProtocol
from companion.server.websocket_sips import SippingProtocol

#: The largest frame a phone may send; moves are a few hundred bytes.
LARGEST_FRAME = 64 * 1024
#: The most files that a process asks to hold open: each page is one, and many systems allow 1,024 unasked.
FILES = 16_384
LAST_PORT = 65_535
#: uvicorn's ticks in a second.
TICKS = 10

logger = logging.getLogger(__name__)


def config(app: Any = "companion.asgi:application") -> uvicorn.Config:
    """Return uvicorn's settings for one process.

    Pushes are not compressed: on a local network that costs more time than it saves.
    """
    allow_many_pages()
    return uvicorn.Config(
        app,
        loop="auto",  # uvloop wherever there is one (not on Windows), else asyncio's own
        http=PatientProtocol,
        ws=SippingProtocol,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        # Phones say by themselves that they live; this finds lines whose other end has gone. Slowly, because
        # a server that is busy, or was stopped for a while, must not take its own delay for theirs.
        ws_ping_interval=60,
        ws_ping_timeout=120,
        lifespan="auto",  # apps of tests have none
        log_level="warning",
        log_config=None,  # that of our settings, which keeps keys out
        # companion.limits.throttle decides itself whose forwarded addresses to believe.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )


class Server(uvicorn.Server):
    """Tells systemd and ``play`` that it lives, and ends when it hangs.

    Nothing is lost by that: what was answered is in the database, and what was not is sent again.
    """

    def __init__(self, config: uvicorn.Config, signs: int | None = None) -> None:
        """Serve by these settings.

        :param signs: a file that gets a byte with each sign of life.
        """
        super().__init__(config)
        self._signs = signs

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _notify(b"READY=1")

    async def on_tick(self, counter: int) -> bool:
        if counter % (SIGN_EVERY * TICKS) == 0:
            self._live()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        faulthandler.cancel_dump_traceback_later()
        await super().shutdown(sockets)

    def _live(self) -> None:
        """Give a sign of life, unless a thread hangs: then end."""
        if threads.WATCH.is_hung:
            logger.critical("a thread does not come back: the process ends")
            faulthandler.dump_traceback()
            os._exit(1)
        # If the event loop stands still, this tells where, and ends a process that nobody else would end.
        is_alone = self._signs is None and "NOTIFY_SOCKET" not in os.environ
        faulthandler.dump_traceback_later(HUNG_AFTER - SIGN_EVERY, exit=is_alone)
        _notify(b"WATCHDOG=1")
        if self._signs is not None:
            os.write(self._signs, b".")


def _notify(words: bytes) -> None:
    """Tell systemd, if it wants to know."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes, suppress(BlockingIOError):
            notes.setblocking(False)  # it may be busy, and reads the next one
            notes.sendto(words, address.replace("@", "\0", 1))


def allow_many_pages() -> None:
    """Let this process hold more pages open than systems allow unasked, as far as this one lets it."""
    with suppress(ImportError, OSError, ValueError):  # not on Windows; not more than the system has
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def port(text: str) -> int:
    """Return the number of a port that a command was given."""
    if not (text.isdecimal() and int(text) <= LAST_PORT):
        raise ArgumentTypeError(f"0 to {LAST_PORT}")
    return int(text)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that nobody else takes the port before the server starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=1024, dualstack_ipv6=both)
