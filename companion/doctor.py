"""The checks of ``takujo doctor`` and their findings.

Whether a phone reaches the port is tried: a phone opens a page, and the doctor polls whether it has.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

import uvicorn
from django.conf import settings
from django.core import checks
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from companion.backups import retention
from companion.management.commands.play import FIRST_PORT, lock_data_folder
from companion.observability import health
from companion.pages import reach
from companion.server import network, serving, storage

#: With less free space than this plus the size of the database, a session or a backup may fill the disk.
LITTLE = 200 * 1024 * 1024
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


class Severity(Enum):
    GOOD = "✓"
    LOOK = "!"
    BAD = "✗"


@dataclass(frozen=True)
class Finding:
    mark: Severity
    said: str
    remedy: str = ""


good, look, bad = (partial(Finding, mark) for mark in Severity)


def disk() -> Iterator[Finding]:
    """Check that the data folder can be written, and its free space."""
    folder = settings.VAR_DIR
    try:
        storage.check_disk(folder, to_the_end=True)
    except OSError as problem:
        yield bad(storage.explain_problem(problem, folder) or str(problem))
        return
    free = shutil.disk_usage(folder).free
    words = {"folder": folder, "free": filesizeformat(free)}
    size_of_database = sum(file.stat().st_size for file in folder.glob("*.sqlite3*"))
    if free < LITTLE + size_of_database:
        yield look(
            _("The disk that holds %(folder)s has little room left: %(free)s.") % words,
            _("Make room before the evening; a backup needs as much again as the database."),
        )
    else:
        said = _("The data are in %(folder)s, and there is room: %(free)s are free.")
        yield good(said % words)


def database() -> Iterator[Finding]:
    """Check the database and its schema: read all of an SQLite file, or connect to PostgreSQL."""
    try:
        storage.check_database()
        connection.ensure_connection()
        yield good(_("The database answers and is whole."))
        yield _schema()
    except DatabaseError as problem:
        yield bad(storage.explain_problem(problem, settings.VAR_DIR) or str(problem))


def _schema() -> Finding:
    differs = storage.schema_difference()
    if differs == "newer":
        return bad(
            _("The database was used with a newer version of Takujō than this one."),
            _("Update Takujō first."),
        )
    if differs == "older":
        return Finding(
            # At home "takujo play" migrates the database by itself.
            Severity.LOOK if connection.vendor == "sqlite" else Severity.BAD,
            _("The database is of an older version of Takujō than this one, or empty."),
            _("Make a backup; then “takujo play” brings it up to date, or “takujo prepare” where hosted."),
        )
    return good(_("The database is of this version of Takujō."))


def backup() -> Iterator[Finding]:
    newest = retention.newest_backup()
    remedy = _("“takujo backup” makes one; keep a copy on another disk.")
    if newest is None:
        none = _("There is no backup in %(folder)s.") % {"folder": settings.BACKUP_DIR}
        yield look(none, remedy)
        return
    day = date_format(localtime(newest.made_at), "DATE_FORMAT")
    said = _("The newest backup is of %(day)s.") % {"day": day}
    yield look(said, remedy) if retention.is_old(newest) else good(said)


def wrong_settings() -> Iterator[Finding]:
    """Run Django's system checks; the deployment checks for a hosted server are in English only."""
    hosted = settings.HTTPS or not settings.DATABASE_URL.startswith("sqlite")
    # No database is queried here: another check reports one that does not answer.
    found = checks.run_checks(include_deployment_checks=hosted, databases=())
    found = [problem for problem in found if not problem.is_silenced()]
    for problem in found:
        mark = Severity.BAD if problem.is_serious() else Severity.LOOK
        yield Finding(mark, _(str(problem.msg)), _(str(problem.hint)) if problem.hint else "")
    if not found:
        yield good(_("The settings are in order."))


def redis() -> Iterator[Finding]:
    if not settings.REDIS_URL:
        return
    if health.redis() == health.OK:
        yield good(_("Redis answers."))
    else:
        yield bad(
            _("Redis does not answer: phones on different processes hear of each other late."),
            _("Start Redis, or mend REDIS_URL."),
        )


def port(found: Port, wanted: int | None) -> Iterator[Finding]:
    """Report on the port that Takujō uses, or would use; ``wanted`` is the host's choice."""
    words = {"port": found.number, "taken": ", ".join(map(str, found.taken))}
    if found.state is PortState.OURS and is_ready(found.number):
        yield good(_("Takujō runs at port %(port)d and is ready.") % words)
    elif found.state is PortState.OURS:
        yield bad(
            _("Takujō runs at port %(port)d and is not ready: it cannot use its database.") % words,
            _("Mend what is said of the database; then start it again."),
        )
    elif found.state is PortState.TAKEN:
        yield bad(
            _("Port %(taken)s is not free: another program has it.") % words,
            _("End that program, or choose another port with --port."),
        )
    elif is_held():
        yield look(
            _("Takujō runs with these data, at a port that the doctor does not know."),
            _("Say which: takujo doctor --port NUMBER"),
        )
    elif found.taken and wanted is None:
        yield look(
            _("Other programs have port %(taken)s, so Takujō will take %(port)d.") % words,
            _("Nothing needs to be done; only bookmarks of the usual port lead elsewhere."),
        )
    else:
        yield good(_("Port %(port)d is free for Takujō.") % words)


def addresses(port: int) -> Iterator[Finding]:
    """List the addresses that phones can open, and those that they cannot."""
    if settings.PUBLIC_URL:
        yield good(_("Phones open %(url)s.") % {"url": settings.PUBLIC_URL})
        return
    if network.is_in_wsl_apart():
        yield bad(
            _("This is a Linux under Windows (WSL) with a network of its own: no phone reaches it."),
            _("Write networkingMode=mirrored under [wsl2] in .wslconfig, then run “wsl --shutdown”."),
        )
    if network.is_in_container():
        yield look(
            _("This is a container: phones need the address of the computer around it."),
            _("Publish the port, and set PUBLIC_URL to that computer’s address."),
        )
    found = network.local_addresses()
    lan = [place for place in found if place.kind is network.NetworkKind.LAN]
    for place in lan:
        words = {"name": place.name, "url": f"http://{place.address}:{port}/"}
        said = _("Phones in the same network as %(name)s open %(url)s")
        yield good(said % words)
    if not lan:
        yield bad(
            _("This computer is in no network in which phones could be."),
            _("Connect it to the Wi-Fi that the phones use, by cable or without."),
        )
    if len(lan) > 1:
        yield look(
            _("This computer is in several networks; a phone reaches the address of its own alone."),
            _("If the first address does not open on a phone, try the next."),
        )
    yield from _other_networks(found)


def _other_networks(found: list[network.LocalAddress]) -> Iterator[Finding]:
    """List the addresses through which no phone comes, or perhaps none."""
    for place in found:
        words = {"name": place.name, "address": place.address}
        if place.kind is network.NetworkKind.TUNNEL:
            yield look(
                _("A VPN is on (%(name)s, %(address)s); many of them keep phones out.") % words,
                _("If no phone gets through, let the VPN allow the local network, or switch it off."),
            )
        if place.kind is network.NetworkKind.BRIDGE:
            said = _("%(address)s (%(name)s) is for containers and virtual machines, not for phones.")
            yield good(said % words)


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
        path = reverse("companion:reach", args=[self._token])
        return [base.rstrip("/") + path for base in bases]

    def wait(self) -> dict[str, str]:
        """Wait until a phone has opened the page; return its name and the host that it requested."""
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
    """Serve the page while the block runs. If Takujō runs there already, it serves the page."""
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
