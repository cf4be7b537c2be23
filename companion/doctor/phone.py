"""Check that a phone reaches this machine: it opens a page, and the doctor polls whether it has."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.urls import reverse

from companion.doctor.ports import DIRECT, PATIENCE, Port, PortState
from companion.pages import reach
from companion.server import serving

EVERY = 1.0
#: Seconds that the page is served after a phone has opened it: its stylesheet is requested after the HTML.
LINGER = 4.0
#: The only paths that the doctor's own server serves.
SHOWN = ("/reach/", "/static/")


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
