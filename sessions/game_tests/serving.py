"""The real web server in a thread of a test."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn

from companion.server import serving

#: A name that Chromium maps to this machine: plain http on it is no secure context, as at home.
LAN_NAME = "takujo.test"
#: Seconds that cost nothing where all is well; a busy machine needs many.
PATIENCE = 40
#: Ports that nobody's outgoing connection can hold, so many for each process of a test run.
LOWEST, EACH, PROCESSES = 20_000, 500, 24


def ports_of(worker: str) -> range:
    """Return the ports of a process of a test run, by the name that pytest-xdist gives it: "gw0", "gw1"."""
    first = LOWEST + int(worker.removeprefix("gw")) % PROCESSES * EACH
    return range(first, first + EACH)


def _in_turns() -> Iterator[int]:
    """Yield ports reserved for this process, so that no other process takes one between check and use."""
    mine = ports_of(os.environ.get("PYTEST_XDIST_WORKER", "gw0"))
    first = random.randrange(EACH)  # another run on this machine begins elsewhere
    return itertools.cycle([*mine[first:], *mine[:first]])


_PORTS = _in_turns()


def missing(what: str) -> Any:
    """Skip a test for want of a program; with STRICT=1, as in CI, fail it."""
    if os.environ.get("STRICT") == "1":
        pytest.fail(f"STRICT: {what} is not installed", pytrace=False)
    pytest.skip(f"{what} is not installed")


def program(*names: str) -> str:
    """Return the first of these programs that is installed."""
    for name in names:
        if path := shutil.which(name):
            return path
    return str(missing(names[0]))


def listen(address: str = "127.0.0.1") -> Any:
    """Return a listening socket on the next port of this process that is free."""
    for port in itertools.islice(_PORTS, EACH):
        try:
            return serving.listen(address, port)
        except OSError:
            continue
    raise RuntimeError("no free port")


def wait_until(ready: Callable[[], object], seconds: float = PATIENCE, what: str = "the server") -> None:
    """Ask again and again until the answer is yes."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} was not ready within {seconds} s")
        time.sleep(0.02)


class Addresses:
    """The addresses of a server; for every kind of server below."""

    address = "127.0.0.1"
    port: int

    @property
    def host(self) -> str:
        return f"{self.address}:{self.port}"

    @property
    def url(self) -> str:
        """For Python clients."""
        return f"http://{self.host}"

    @property
    def lan_url(self) -> str:
        """For browsers: plain http and not localhost."""
        return f"http://{LAN_NAME}:{self.port}"

    def ws(self, path: str) -> str:
        """For Python websocket clients; send ``origin=server.url`` with it."""
        return f"ws://{self.host}{path}"


class ThreadServer(Addresses):
    """The real ASGI app served by uvicorn in a thread, on the test's own database and settings."""

    def __init__(self, app: Any = "companion.asgi:application") -> None:
        self.app = app
        self.port = 0
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve, on the same port as before when it was stopped in between."""
        sock = serving.listen("127.0.0.1", self.port) if self.port else listen()
        self.port = sock.getsockname()[1]
        server = self._server = uvicorn.Server(serving.config(self.app))
        self._thread = threading.Thread(
            target=server.run, kwargs={"sockets": [sock]}, daemon=True, name=f"server-{self.port}"
        )
        self._thread.start()
        wait_until(lambda: server.started)

    def stop(self) -> None:
        """End politely: sockets are closed with 1012, which phones answer by coming back."""
        if self._server and self._thread:
            self._server.should_exit = True
            self._thread.join(PATIENCE)
            self._server = self._thread = None
