"""One command for a session at home: prepare what is missing, print the addresses, and serve."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import socket
import webbrowser
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import IO, Any

import segno
from django.conf import settings
from django.core.files import locks
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.command_line import HostCommand
from companion.identity import gm_link
from companion.management.commands.prepare import update
from companion.models import User
from companion.server import network, serving, storage
from companion.server.supervisor import ServerSupervisor

FIRST_PORT = 8000


class Command(HostCommand):
    help = gettext_noop(
        "Prepare everything, print the address and a QR code for the phones, and serve until Ctrl-C."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="listen only here (default: everywhere)")  # noqa: S104
        parser.add_argument(
            "--port", type=serving.port, help=f"exactly this port (default: the first free from {FIRST_PORT})"
        )
        parser.add_argument("--no-qr", action="store_true", help="print no QR code")
        parser.add_argument(
            "--open", action="store_true", help="open the GM's page in this machine's browser, too"
        )
        parser.add_argument(
            "--in-container",
            action="store_true",
            help="this machine does not know its address: print the GM's link, with a gap, and no QR code",
        )
        bench = parser.add_argument_group("the bench, for the author of a game")
        bench.add_argument(
            "--game", metavar="KEY", help="show all seats of this game side by side, and nothing else"
        )
        bench.add_argument("--seats", type=int, help="so many players (default: as few as play it)")
        bench.add_argument(
            "--secret", help="all that is dealt follows from it (default: one that nobody has seen)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["game"]:
            wanted = {name: options[name] for name in ("seats", "secret", "port")}
            call_command("bench", options["game"], **wanted, stdout=self.stdout)
            return
        if options["seats"] is not None or options["secret"] is not None:
            raise CommandError("--seats and --secret are for --game KEY.")
        try:
            self.play(options)
        except KeyboardInterrupt:
            self.stdout.write("")

    def play(self, options: dict[str, Any]) -> None:
        with lock_data_folder(settings.VAR_DIR) as lock:
            prepare(self.tell)
            self.check()
            with listen(options["host"], options["port"]) as sock:
                port = sock.getsockname()[1]
                contained = options["in_container"]
                urls = [url_outside_container(port)] if contained else addresses(options["host"], port)
                enter = urls[0].rstrip("/") + reverse("companion:gm-enter", args=[gm_link.issue()])
                # Only the server process keeps the database open.
                connections.close_all()
                # A join code shown on this machine must lead phones to its LAN address, not to localhost.
                public = settings.PUBLIC_URL or ("" if contained else urls[0].rstrip("/"))
                server = ServerSupervisor(sock, lock, os.environ | {"PUBLIC_URL": public})

                def ready() -> None:
                    self.greet(urls, enter, qr=not options["no_qr"] and not contained)
                    if options["open"]:
                        # webbrowser.open blocks if the browser runs in the terminal.
                        Thread(target=webbrowser.open, args=[enter], daemon=True).start()

                asyncio.run(server.run_until_stopped(ready, self.tell_of_death))
        self.stdout.write("")

    def tell(self, words: str) -> None:
        self.stdout.write(f"  {words}")
        self.stdout.flush()

    def tell_of_death(self, pause: int, hung: bool) -> None:
        """Print that the server ended, why, and when it restarts."""
        again = (
            _("It starts again in %(seconds)d s.") % {"seconds": pause} if pause else _("It starts again.")
        )
        why = _("The server no longer answered.") if hung else _("The server ended by itself.")
        kept = _("Nothing is lost; addresses and links stay as they are.")
        self.tell(f"{why} {kept} {again}")

    def greet(self, urls: list[str], enter: str, *, qr: bool) -> None:
        lines = [
            "",
            _("Takujō is open. Phones on the same Wi-Fi:"),
            *[f"    {self.style.SUCCESS(url)}" for url in urls],
            "",
            *(qr_code(urls[0], colours=self.stdout.isatty()) if qr else []),
            _("Nothing opens? Is the phone on the same Wi-Fi, and not on its guest network?"),
            "",
            _("The GM opens this once, in the browser to run the table from:"),
            f"    {self.style.WARNING(enter)}",
            "",
            _("Ctrl-C ends the server; nothing is lost."),
            "",
        ]
        for line in lines:
            self.stdout.write(f"  {line}".rstrip())
        self.stdout.flush()


def lock_data_folder(var: Path, *, shared: bool = False) -> IO[str]:
    """Lock a data folder and return the lock file. The lock ends when the file is closed or the process dies.

    Without Redis, a second server on the same data would miss the first one's moves, and its new GM link
    would invalidate the older one. The workers of a hosted server share one lock.

    :raises CommandError: another process serves the same data.
    """
    lock = (var / "play.lock").open("w")
    if not locks.lock(lock, (locks.LOCK_SH if shared else locks.LOCK_EX) | locks.LOCK_NB):
        lock.close()
        said = _(
            "Takujō already runs with the data in %(folder)s. Use it there, or end it first, with Ctrl-C in "
            "its window. For a second one beside it, set TAKUJO_VAR to another folder."
        )
        raise CommandError(said % {"folder": var})
    return lock


def prepare(tell: Callable[[str], None]) -> None:
    """Update translations, static files and the database; ``tell`` gets a message before that changes."""
    call_command("compile_catalogues", verbosity=0)
    storage.check_database()
    update(tell)
    if not User.objects.exists():
        call_command("demo")


def qr_code(url: str, *, colours: bool) -> list[str]:
    """Return a QR code in block characters; with ``colours`` it is always light on dark."""
    drawing = io.StringIO()
    # Correction level L keeps it small enough for a small terminal.
    segno.make(url, error="l", micro=False).terminal(out=drawing, border=2, compact=True)
    before, after = ("\033[97;40m", "\033[0m") if colours else ("", "")
    return [*[f"{before}{line}{after}" for line in drawing.getvalue().splitlines()], ""]


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket on the wanted port, or on the first free one."""
    for candidate in [port] if port is not None else range(FIRST_PORT, FIRST_PORT + 100):
        try:
            return serving.listen(host, candidate)
        except OSError as error:
            reason = error
    if reason.errno == errno.EADDRINUSE:
        ports = {"taken": candidate if port is not None else f"{FIRST_PORT}–{candidate}"}
        said = _("Port %(taken)s is not free: another program has it.") % ports
        raise CommandError(said + " " + _("End that program, or choose another port with --port."))
    raise CommandError(f"Port {candidate} of {host}: {reason.strerror}")


def url_outside_container(port: int) -> str:
    """Return ``PUBLIC_URL``, or a URL with a placeholder for the host, which a container cannot know."""
    name = _("<this server>")
    return f"{settings.PUBLIC_URL or f'http://{name}:{port}'}/"


def addresses(host: str, port: int) -> list[str]:
    """Return the addresses to open, the best for phones first."""
    hosts = (network.lan_addresses() or ["localhost"]) if host in ("0.0.0.0", "::") else [host]  # noqa: S104
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}/" for name in hosts]
