"""Serve with the settings that live tables want: ``manage.py serve``."""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser
from contextlib import suppress
from threading import Thread
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext_noop

from companion.management.commands.play import listen
from companion.server import serving


class Command(BaseCommand):
    help = gettext_noop(
        "Serve in this process, with what migrate and collectstatic prepared; at home, play does it all."
    )
    requires_system_checks: list[str] = []  # play and migrate make them; some ask the database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="listen here (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="(default: 8000)")
        parser.add_argument("--fd", type=int, help="serve on this socket, and only until standard input ends")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["fd"] is None:
            sock = listen(options["host"], options["port"])
        else:
            sock = socket.socket(fileno=options["fd"])
            Thread(target=end_with_standard_input, daemon=True).start()
        app = ":".join(settings.ASGI_APPLICATION.rsplit(".", 1))
        with suppress(KeyboardInterrupt):
            uvicorn.Server(serving.config(app)).run(sockets=[sock])


def end_with_standard_input() -> None:
    """Wait until whoever started this process has gone, and go too: nobody could end it any more."""
    os.read(0, 1)
    os._exit(1)
