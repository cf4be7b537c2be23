"""Run the server with the settings that live tables need: ``manage.py serve``."""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser
from contextlib import suppress
from threading import Thread
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django.utils import translation
from django.utils.translation import gettext_noop

from companion.management.commands.play import listen, lock_data_folder
from companion.server import environment, serving, storage


class Command(BaseCommand):
    help = gettext_noop(
        "Serve in this process, with what migrate and collectstatic prepared; at home, play does it all."
    )
    requires_system_checks: list[str] = []  # play and migrate run them; some query the database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="listen here (default: this machine only)")
        parser.add_argument("--port", type=serving.port, default=8000, help="(default: 8000)")
        parser.add_argument("--fd", type=int, help="serve on this socket, which is open already")
        parser.add_argument("--kept", action="store_true", help="end with standard input, as play wants it")

    def handle(self, *args: Any, **options: Any) -> None:
        # The lock lasts as long as this process. The server of play has that of its parent.
        _lock = None if options["kept"] else lock_as_worker()
        if options["fd"] is None:
            with suppress(DatabaseError):  # not reachable yet: the health endpoint reports it
                storage.demand_schema()
            connection.close()
            with translation.override(environment.terminal_language()):
                sock = listen(options["host"], options["port"])
        else:
            sock = socket.socket(fileno=options["fd"])
        signs = None
        if options["kept"]:
            # Standard output carries only heartbeats; prints of a game are redirected to standard error.
            signs = os.dup(1)
            os.dup2(2, 1)
        app = ":".join(settings.ASGI_APPLICATION.rsplit(".", 1))
        server = serving.Server(serving.config(app), signs)
        if options["kept"]:
            Thread(target=watch_parent, args=[server], daemon=True).start()
        with suppress(KeyboardInterrupt):
            server.run(sockets=[sock])


def lock_as_worker() -> IO[str] | None:
    """Lock the data folder; the workers of a hosted server share the lock.

    :raises CommandError: play runs with these data, or another server of a home.
    """
    is_home = connection.vendor == "sqlite" and not settings.REDIS_URL
    # Beside a folder that cannot be written, play does not run either.
    with suppress(OSError), translation.override(environment.terminal_language()):
        return lock_data_folder(settings.VAR_DIR, shared=not is_home)
    return None


def watch_parent(server: serving.Server) -> None:
    """Shut down gracefully on a byte from standard input. Exit at once if it closes: the parent has died."""
    while os.read(0, 1):
        server.should_exit = True
    os._exit(1)
