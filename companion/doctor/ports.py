"""The port that Takujō uses on this machine, or would use, and whether a phone reaches it.

A phone opens a page, and the doctor polls whether it has.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import uvicorn
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from companion.management.commands.play import FIRST_PORT, lock_data_folder
from companion.pages import reach
from companion.server import serving

#: Seconds after which a program on this machine that does not answer is not ours.
PATIENCE = 3
#: The number of ports to check, from the usual one on.
LOOKED_AT = 10
#: Requests to this machine go through no proxy.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
EVERY = 1.0
#: Seconds that the page is served after a phone has opened it: its stylesheet is requested after the HTML.
LINGER = 4.0
#: The only paths that the doctor's own server serves.
SHOWN = ("/reach/", "/static/")


class PortState(Enum):
    """A port is used by a Takujō with our secret key, is free, or is taken by another program; best first."""

    OURS, FREE, TAKEN = auto(), auto(), auto()


@dataclass(frozen=True)
class Port:
    """A port of this machine; ``taken`` are the ports up to it that other programs use."""

    number: int
    state: PortState
    taken: list[int]


def find_port(wanted: int | None) -> Port:
    """Return the port of our running server, else the first free port, else the first taken one."""
    numbers = [wanted] if wanted is not None else range(FIRST_PORT, FIRST_PORT + LOOKED_AT)
    states = {number: _state(number) for number in numbers}
    # The first port with the best state.
    number = min(states, key=lambda number: states[number].value)
    taken = [other for other in states if states[other] is PortState.TAKEN and other <= number]
    return Port(number, states[number], taken)


def _state(port: int) -> PortState:
    try:
        serving.listen("0.0.0.0", port).close()  # noqa: S104
    except OSError:
        pass
    else:
        return PortState.FREE
    path = reverse("companion:reach-seen", args=[reach.token()])
    try:
        with DIRECT.open(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE):
            return PortState.OURS
    except (OSError, ValueError):
        return PortState.TAKEN


def is_ready(port: int) -> bool:
    try:
        with DIRECT.open(f"http://127.0.0.1:{port}/health/ready/", timeout=PATIENCE):
            return True
    except OSError:
        return False


def is_held() -> bool:
    """True if a server runs with our data folder."""
    try:
        lock_data_folder(settings.VAR_DIR).close()
    except CommandError:
        return True
    except OSError:  # the folder is not writable; the check of the disk reports it
        return False
    return False


class Phone:
    """A page with a token for one phone, and whether the phone has opened it."""

    def __init__(self, port: int) -> None:
        self._token, self._port = reach.token(), port

    def urls(self, bases: list[str]) -> list[str]:
        """Return the page's address below each of the server's addresses."""
        path = reverse("companion:reach", args=[self._token])
        return [base.rstrip("/") + path for base in bases]

    def wait(self) -> dict[str, str]:
        """Wait until a phone has opened the page. Return its name and the host that it requested.

        :raises OSError: the server does not answer any more.
        """
        # At home poll this machine; where hosted, poll through the proxy as phones do.
        base = settings.PUBLIC_URL if settings.HTTPS else f"http://127.0.0.1:{self._port}"
        asked = base + reverse("companion:reach-seen", args=[self._token])
        while True:
            with DIRECT.open(asked, timeout=PATIENCE) as answer:
                seen: dict[str, str] = json.load(answer)
            if seen:
                return seen
            time.sleep(EVERY)


@contextmanager
def serve_page(port: Port) -> Iterator[None]:
    """Serve the page at the port while the block runs. If Takujō runs there already, it serves the page."""
    if port.state is PortState.OURS:
        yield
        return
    call_command("collectstatic", verbosity=0, interactive=False)
    server = uvicorn.Server(serving.config(_restrict_paths(get_asgi_application())))
    sock = serving.listen("0.0.0.0", port.number)  # noqa: S104
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield
        time.sleep(LINGER)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def _restrict_paths(app: Any) -> Any:
    async def restricted_app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(SHOWN):
            scope = {**scope, "path": "/reach/", "raw_path": b"/reach/"}  # this path is a 404
        await app(scope, receive, send)

    return restricted_app
