"""Whether a phone gets through: a page that it opens, and a look every second at whether it has."""

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

from companion.doctor.ports import DIRECT, PATIENCE, Port, State
from companion.pages import reach
from companion.server import serving

EVERY = 1.0
#: So long the page is shown after a phone has opened it: its colours come after its words.
LINGER = 4.0
#: All that the doctor's own server shows.
SHOWN = ("/reach/", "/static/")


class Phone:
    """A page of its own for one phone, and what became of it."""

    def __init__(self, port: int) -> None:
        self._token, self._port = reach.token(), port

    def urls(self, bases: list[str]) -> list[str]:
        """Return the page's address below each of the server's addresses."""
        path = reverse("companion:reach", args=[self._token])
        return [base.rstrip("/") + path for base in bases]

    def wait(self) -> dict[str, str]:
        """Return the phone that opened the page, and the host that it asked for, once it has.

        :raises OSError: the server has gone.
        """
        # At home this very machine is asked; workers behind a proxy are asked as phones ask them.
        base = settings.PUBLIC_URL if settings.HTTPS else f"http://127.0.0.1:{self._port}"
        asked = base + reverse("companion:reach-seen", args=[self._token])
        while True:
            with DIRECT.open(asked, timeout=PATIENCE) as answer:
                seen: dict[str, str] = json.load(answer)
            if seen:
                return seen
            time.sleep(EVERY)


@contextmanager
def shown(port: Port) -> Iterator[None]:
    """Show the page at the port while it is waited for; where Takujō runs already, it does."""
    if port.state is State.OURS:
        yield
        return
    call_command("collectstatic", verbosity=0, interactive=False)
    server = uvicorn.Server(serving.config(_only_what_is_shown(get_asgi_application())))
    sock = serving.listen("0.0.0.0", port.number)  # noqa: S104
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield
        time.sleep(LINGER)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def _only_what_is_shown(app: Any) -> Any:
    async def shown(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(SHOWN):
            scope = {**scope, "path": "/reach/", "raw_path": b"/reach/"}  # where there is nothing
        await app(scope, receive, send)

    return shown
