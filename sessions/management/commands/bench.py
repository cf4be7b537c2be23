"""Start a bench, which shows an author all seats of one game side by side: ``play --game KEY``."""

from __future__ import annotations

import asyncio
import os
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.games import folder_of, games
from companion.management.commands.play import listen, lock_data_folder
from companion.server import environment, serving
from companion.server.supervisor import ServerSupervisor, this_program
from sessions.bench.watch import HOST, VARIABLE, BenchConfig, new_secret
from sessions.engine.registry import registry


class Command(BaseCommand):
    help = gettext_noop(
        "Show all seats of a game side by side, and every saved change of it at once: play --game KEY."
    )
    requires_system_checks: list[str] = []  # the bench has a database of its own

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="KEY")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--secret")
        parser.add_argument("--port", type=serving.port)

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(environment.terminal_language()):
            chosen = setting(options["game"], options["seats"], options["secret"])
            # Nothing of a bench is kept: its data folder is deleted when it ends.
            with (
                TemporaryDirectory(prefix="takujo-bench-") as var,
                listen("127.0.0.1", options["port"]) as sock,
            ):
                address = f"http://{HOST}:{sock.getsockname()[1]}"
                variables = os.environ | {
                    "TAKUJO_VAR": var,
                    "DATABASE_URL": "",
                    "REDIS_URL": "",
                    "HTTPS": "",
                    "PUBLIC_URL": address,
                    "DJANGO_SETTINGS_MODULE": "sessions.bench.settings",
                    VARIABLE: msgspec.json.encode(chosen).decode(),
                    # After two saves within a second, Python could run the compiled file of the first one.
                    "PYTHONDONTWRITEBYTECODE": "1",
                }
                subprocess.run(  # noqa: S603 (this very program)
                    [*this_program(), "migrate", "--verbosity", "0"], env=variables, check=True
                )
                with lock_data_folder(Path(var)) as lock:
                    server = ServerSupervisor(sock, lock, variables)
                    asyncio.run(
                        server.run_until_stopped(lambda: self.greet(f"{address}/bench/"), self.tell_of_death)
                    )
        self.stdout.write("")

    def greet(self, url: str) -> None:
        opened = _("The bench is open, in Chromium or Firefox on this machine:")
        ending = _("Ctrl-C ends it, and nothing of it is kept.")
        self.stdout.write(f"\n  {opened}\n      {self.style.SUCCESS(url)}\n\n  {ending}\n\n", ending="")
        self.stdout.flush()

    def tell_of_death(self, pause: int, hung: bool) -> None:
        self.stdout.write("  " + _("It starts again in %(seconds)d s.") % {"seconds": pause})
        self.stdout.flush()


def setting(game: str, seats: int | None, secret: str | None) -> BenchConfig:
    """Return the setting of a bench. A broken game is accepted: its author can repair it on the bench.

    :raises CommandError: there is no such game, or not for this number of players.
    """
    if folder_of(game) is None:
        keys = ", ".join(each.key for each in games() if each.folder)
        raise CommandError(
            _("There is no game %(game)s here. There are: %(keys)s") % {"game": game, "keys": keys}
        )
    module = registry().get(game)
    able = module.seats if module else range(1, 9)
    players = able.start if seats is None else seats
    if players not in able:
        few_and_many = {"game": game, "least": able.start, "most": able.stop - 1}
        raise CommandError(_("%(game)s is for %(least)d to %(most)d players.") % few_and_many)
    return BenchConfig(game, players, (secret or new_secret())[:64])
