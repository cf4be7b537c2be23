"""The server of an evening at home runs in a process of its own, and is started again when that dies."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from socket import socket
from typing import IO

#: Seconds until the next start after one death, two, and so on; the last one from then on.
PAUSES = [0, 1, 2, 5, 10, 30]
#: Whoever ran for so many seconds was well: counting begins anew.
WELL_AFTER = 60
#: What a server may take to say goodbye to its pages.
GOODBYE = 5


@dataclass(frozen=True)
class Server:
    """How the server process is started: ``serve`` on a socket that outlives it."""

    sock: socket
    #: Open in the server process too, so that the lock holds as long as any of the two lives.
    lock: IO[str]
    environment: dict[str, str]

    async def start(self) -> Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, sys.argv[0], "serve", "--fd", str(self.sock.fileno())),
            stdin=PIPE,  # never written to: it ends with this process, and the server with it
            env=self.environment,
            pass_fds=(self.sock.fileno(), self.lock.fileno()),
            # Ctrl-C is for this process, which tells the server.
            start_new_session=True,
        )


async def keep_serving(server: Server, died: Callable[[int], None]) -> None:
    """Run a server until SIGINT or SIGTERM, and start it again whenever it ends by itself.

    :param died: is told of each such end, and in how many seconds the next start is.
    """
    ending = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    deaths = 0
    while True:
        started = time.monotonic()
        await _run(server, ending)
        if ending.is_set():
            return
        deaths = 0 if time.monotonic() - started > WELL_AFTER else deaths
        pause = PAUSES[min(deaths, len(PAUSES) - 1)]
        deaths += 1
        died(pause)
        with suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), pause)
            return


async def _run(server: Server, ending: asyncio.Event) -> None:
    """Run the server process until it ends or is to end."""
    process = await server.start()
    gone, told = asyncio.create_task(process.wait()), asyncio.create_task(ending.wait())
    await asyncio.wait([gone, told], return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not gone.done():
        process.terminate()
        await asyncio.wait([gone], timeout=GOODBYE)
    if not gone.done():
        process.kill()
    await gone
