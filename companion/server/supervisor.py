"""Supervise the server of a session at home: run it in a child process, and restart it when that dies.

Why not uvicorn's ``Multiprocess``: it restarts without a pause and stops after a failed start, its children
outlive a parent that is killed, and a thread answers its pings although the event loop hangs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from socket import socket
from typing import IO

#: Seconds before the restart after the first death, the second, and so on; the last one for all later ones.
PAUSES = [0, 1, 2, 5, 10, 30]
#: Seconds of uptime after which the count of deaths starts again at zero.
WELL_AFTER = 60
#: Seconds without a heartbeat after which a server counts as hung, and seconds between two heartbeats.
HUNG_AFTER, SIGN_EVERY = 10, 1
#: Seconds for a graceful shutdown, before the server is killed.
GOODBYE = 5
#: True if a child process can inherit open files. On Windows it cannot, so the server listens itself:
#: requests during a restart are refused there and retried; elsewhere they only wait.
HANDS_OVER = os.name == "posix"
#: The loopback address for each wildcard address.
HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
#: Seconds between two checks whether the server listens.
ASKED_EVERY = 0.1
#: Ctrl-C, a request to terminate, and a closed window; no platform has all of them.
ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]


def this_program() -> list[str]:
    """Return the arguments that run Takujō's command line again, as ``manage.py`` or as installed."""
    # A module, or an archive such as the programs that pip creates on Windows, has a spec; a script has none.
    script = sys.modules["__main__"].__spec__ is None
    return [sys.executable, *([sys.argv[0]] if script else ["-P", "-m", "companion"])]


#: A callback with the seconds until the next start, and whether the server hung.
Died = Callable[[int, bool], None]


@dataclass(frozen=True)
class ServerSupervisor:
    """The server process: ``serve`` on a socket that outlives it, or on the same address (Windows)."""

    sock: socket
    #: Inherited by the server process, so that the lock is held until both processes have ended.
    lock: IO[str]
    environment: dict[str, str]

    async def run_until_stopped(self, ready: Callable[[], None], died: Died) -> None:
        """Serve until SIGINT or SIGTERM. Restart the server whenever it ends by itself or hangs.

        :param ready: called once, when requests are accepted or at least queued by the socket.
        :param died: called after each such end.
        """
        host, port = self.sock.getsockname()[:2]
        if HANDS_OVER:
            files = [self.sock.fileno(), self.lock.fileno()]
            ready()
            await _keep_running(["--fd", str(files[0])], files, self.environment, died)
            return
        self.sock.close()
        waiting = asyncio.create_task(_call_when_listening(HERE.get(host, host), port, ready))
        await _keep_running(["--host", host, "--port", str(port)], [], self.environment, died)
        waiting.cancel()


async def _call_when_listening(host: str, port: int, ready: Callable[[], None]) -> None:
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(host, port)
            writer.close()
            return ready()
        await asyncio.sleep(ASKED_EVERY)


async def _keep_running(where: list[str], files: list[int], environment: dict[str, str], died: Died) -> None:
    ending = asyncio.Event()
    deaths = 0
    with _set_on_signals(ending):
        while True:
            started = time.monotonic()
            process = await asyncio.create_subprocess_exec(
                *[*this_program(), "serve", "--kept", *where],
                stdin=PIPE,  # one byte ends the server, and so does the end of this process
                stdout=PIPE,  # heartbeats
                env=environment,
                pass_fds=files,
                # Ctrl-C must reach only this process, which ends the server. Each platform has one of these.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            hung = await _wait_for_end(process, ending)
            if ending.is_set():
                return
            deaths = 0 if time.monotonic() - started > WELL_AFTER else deaths
            pause = PAUSES[min(deaths, len(PAUSES) - 1)]
            deaths += 1
            died(pause, hung)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), pause)
                return


@contextmanager
def _set_on_signals(ending: asyncio.Event) -> Iterator[None]:
    """Set the event on the signals in ``ENDINGS``. ``loop.add_signal_handler`` does not exist on Windows."""
    loop = asyncio.get_running_loop()

    def hear(*_: object) -> None:
        loop.call_soon_threadsafe(ending.set)

    before = {number: signal.signal(number, hear) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _wait_for_end(process: Process, ending: asyncio.Event) -> bool:
    """Wait until the server process has ended. End it if it hangs or ``ending`` is set. True if it hung."""
    gone, told = asyncio.create_task(process.wait()), asyncio.create_task(ending.wait())
    hung = asyncio.create_task(_hangs(process))
    await asyncio.wait([gone, told, hung], return_when=asyncio.FIRST_COMPLETED)
    if told.done() and not gone.done() and process.stdin:
        process.stdin.write(b".")
        await asyncio.wait([gone], timeout=GOODBYE)
    if not gone.done():
        process.kill()
    await gone
    told.cancel()
    return await hung


async def _hangs(process: Process) -> bool:
    """Return True once a running server sends no more heartbeats, False once it has ended.

    This counts timeouts instead of reading a clock, which may advance while a laptop sleeps.
    """
    assert process.stdout
    signs, silent = await process.stdout.read(1), 0
    while signs:
        try:
            signs, silent = await asyncio.wait_for(process.stdout.read(100), SIGN_EVERY), 0
        except TimeoutError:
            silent += 1
        if silent == HUNG_AFTER:
            return True
    await process.wait()
    return False
