"""The server of an evening at home runs in a process of its own, and is started again when that dies."""

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

#: Seconds until the next start after one death, two, and so on; the last one from then on.
PAUSES = [0, 1, 2, 5, 10, 30]
#: Whoever ran for so many seconds was well: counting begins anew.
WELL_AFTER = 60
#: Seconds without a sign of life after which a server counts as hung, and those between two signs.
HUNG_AFTER, SIGN_EVERY = 10, 1
#: What a server may take to say goodbye to its pages.
GOODBYE = 5


#: True if a process can be handed what another has open. On Windows it cannot, and the server listens itself:
#: phones that ask while it starts again are refused and ask again; elsewhere they only wait.
HANDS_OVER = os.name == "posix"
#: Where this machine reaches what listens everywhere.
HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
#: Seconds after which it asks again whether the server listens.
ASKED_EVERY = 0.1
#: Ctrl-C, the polite end, and a window that is closed; no system has all of them.
ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]


def this_program() -> list[str]:
    """Return the words that run Takujō's command line once more, as ``manage.py`` or as it is installed."""
    # What runs as a module, or out of an archive like the programs that pip makes on Windows, is no script.
    script = sys.modules["__main__"].__spec__ is None
    return [sys.executable, *([sys.argv[0]] if script else ["-P", "-m", "companion"])]


#: Takes the seconds until the next start, and whether the server hung.
Died = Callable[[int, bool], None]


@dataclass(frozen=True)
class Server:
    """How the server process is started: ``serve`` on a socket that outlives it, or on the same address."""

    sock: socket
    #: Open in the server process too, so that the lock holds as long as any of the two lives.
    lock: IO[str]
    environment: dict[str, str]

    async def keep(self, ready: Callable[[], None], died: Died) -> None:
        """Serve until SIGINT or SIGTERM, starting again whenever the server ends by itself or hangs.

        :param ready: is told once that whoever asks is answered, if not at once then soon.
        :param died: is told of each such end: in how many seconds the next start is, and whether it hung.
        """
        host, port = self.sock.getsockname()[:2]
        if HANDS_OVER:
            files = [self.sock.fileno(), self.lock.fileno()]
            ready()
            await _keep_running(["--fd", str(files[0])], files, self.environment, died)
            return
        self.sock.close()
        waiting = asyncio.create_task(_told_when_it_answers(HERE.get(host, host), port, ready))
        await _keep_running(["--host", host, "--port", str(port)], [], self.environment, died)
        waiting.cancel()


async def _told_when_it_answers(host: str, port: int, ready: Callable[[], None]) -> None:
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(host, port)
            writer.close()
            return ready()
        await asyncio.sleep(ASKED_EVERY)


async def _keep_running(where: list[str], files: list[int], environment: dict[str, str], died: Died) -> None:
    ending = asyncio.Event()
    deaths = 0
    with _heard(ending):
        while True:
            started = time.monotonic()
            process = await asyncio.create_subprocess_exec(
                *[*this_program(), "serve", "--kept", *where],
                stdin=PIPE,  # one letter ends the server, and so does the end of this process
                stdout=PIPE,  # signs of life
                env=environment,
                pass_fds=files,
                # Ctrl-C is for this process, which tells the server; each kind of system has one of the two.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            hung = await _gone(process, ending)
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
def _heard(ending: asyncio.Event) -> Iterator[None]:
    """Let signals set the event. A loop's own way of hearing them is not there on Windows."""
    loop = asyncio.get_running_loop()

    def hear(*_: object) -> None:
        loop.call_soon_threadsafe(ending.set)

    before = {number: signal.signal(number, hear) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _gone(process: Process, ending: asyncio.Event) -> bool:
    """Wait until the server process has ended, and end it when that is to be; return whether it hung."""
    gone, told = asyncio.create_task(process.wait()), asyncio.create_task(ending.wait())
    hung = asyncio.create_task(_hung(process))
    await asyncio.wait([gone, told, hung], return_when=asyncio.FIRST_COMPLETED)
    if told.done() and not gone.done() and process.stdin:
        process.stdin.write(b".")
        await asyncio.wait([gone], timeout=GOODBYE)
    if not gone.done():
        process.kill()
    await gone
    told.cancel()
    return await hung


async def _hung(process: Process) -> bool:
    """Return True once a server that serves gives no sign of life any more, False once it has ended.

    What counts is how often this waits in vain, not a clock: that may go on while a laptop sleeps.
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
