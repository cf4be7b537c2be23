"""The doctor's checks, and their findings: a sentence and its remedy each.

They check the stored data (the disk, the database and its schema, the last backup) and the environment
(settings, Redis, the port, and the networks that phones may use).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from companion.backups import retention
from companion.doctor import ports
from companion.observability import health
from companion.server import network, storage

#: With less free space than this plus the size of the database, a session or a backup may fill the disk.
LITTLE = 200 * 1024 * 1024


class Severity(Enum):
    """The mark of a finding in a terminal."""

    GOOD = "✓"
    LOOK = "!"
    BAD = "✗"


@dataclass(frozen=True)
class Finding:
    """One sentence, and a remedy if there is a problem."""

    mark: Severity
    said: str
    remedy: str = ""


def disk() -> Iterator[Finding]:
    """Check that the disk of the data folder can be written, and how much space is free."""
    folder = settings.VAR_DIR
    try:
        storage.check_disk(folder, to_the_end=True)
    except OSError as problem:
        yield Finding(Severity.BAD, storage.explain_problem(problem, folder) or str(problem))
        return
    free = shutil.disk_usage(folder).free
    words = {"folder": folder, "free": filesizeformat(free)}
    size_of_database = sum(file.stat().st_size for file in folder.glob("*.sqlite3*"))
    if free < LITTLE + size_of_database:
        yield Finding(
            Severity.LOOK,
            _("The disk that holds %(folder)s has little room left: %(free)s.") % words,
            _("Make room before the evening; a backup needs as much again as the database."),
        )
    else:
        said = _("The data are in %(folder)s, and there is room: %(free)s are free.")
        yield Finding(Severity.GOOD, said % words)


def database() -> Iterator[Finding]:
    """Check the database and its schema: read all of an SQLite file, or connect to PostgreSQL."""
    try:
        storage.check_database()
        connection.ensure_connection()
        yield Finding(Severity.GOOD, _("The database answers and is whole."))
        yield _schema()
    except DatabaseError as problem:
        yield Finding(Severity.BAD, storage.explain_problem(problem, settings.VAR_DIR) or str(problem))


def _schema() -> Finding:
    differs = storage.schema_difference()
    if differs == "newer":
        return Finding(
            Severity.BAD,
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
    return Finding(Severity.GOOD, _("The database is of this version of Takujō."))


def backup() -> Iterator[Finding]:
    """Check the age of the newest backup in ``BACKUP_DIR``."""
    newest = retention.newest_backup()
    remedy = _("“takujo backup” makes one; keep a copy on another disk.")
    if newest is None:
        none = _("There is no backup in %(folder)s.") % {"folder": settings.BACKUP_DIR}
        yield Finding(Severity.LOOK, none, remedy)
        return
    day = date_format(localtime(newest.made_at), "DATE_FORMAT")
    said = _("The newest backup is of %(day)s.") % {"day": day}
    yield Finding(Severity.LOOK, said, remedy) if retention.is_old(newest) else Finding(Severity.GOOD, said)


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
        yield Finding(Severity.GOOD, _("The settings are in order."))


def redis() -> Iterator[Finding]:
    """Check that Redis answers, if this server uses it."""
    if not settings.REDIS_URL:
        return
    if health.redis() == health.OK:
        yield Finding(Severity.GOOD, _("Redis answers."))
    else:
        yield Finding(
            Severity.BAD,
            _("Redis does not answer: phones on different processes hear of each other late."),
            _("Start Redis, or mend REDIS_URL."),
        )


def port(found: ports.Port, wanted: int | None) -> Iterator[Finding]:
    """Report on the port that Takujō uses, or would use.

    :param wanted: the port that the host chose.
    """
    words = {"port": found.number, "taken": ", ".join(map(str, found.taken))}
    if found.state is ports.PortState.OURS and ports.is_ready(found.number):
        yield Finding(Severity.GOOD, _("Takujō runs at port %(port)d and is ready.") % words)
    elif found.state is ports.PortState.OURS:
        yield Finding(
            Severity.BAD,
            _("Takujō runs at port %(port)d and is not ready: it cannot use its database.") % words,
            _("Mend what is said of the database; then start it again."),
        )
    elif found.state is ports.PortState.TAKEN:
        yield Finding(
            Severity.BAD,
            _("Port %(taken)s is not free: another program has it.") % words,
            _("End that program, or choose another port with --port."),
        )
    elif ports.is_held():
        yield Finding(
            Severity.LOOK,
            _("Takujō runs with these data, at a port that the doctor does not know."),
            _("Say which: takujo doctor --port NUMBER"),
        )
    elif found.taken and wanted is None:
        yield Finding(
            Severity.LOOK,
            _("Other programs have port %(taken)s, so Takujō will take %(port)d.") % words,
            _("Nothing needs to be done; only bookmarks of the usual port lead elsewhere."),
        )
    else:
        yield Finding(Severity.GOOD, _("Port %(port)d is free for Takujō.") % words)


def addresses(port: int) -> Iterator[Finding]:
    """List the addresses that phones can open, and those that they cannot."""
    if settings.PUBLIC_URL:
        yield Finding(Severity.GOOD, _("Phones open %(url)s.") % {"url": settings.PUBLIC_URL})
        return
    if network.is_in_wsl_apart():
        yield Finding(
            Severity.BAD,
            _("This is a Linux under Windows (WSL) with a network of its own: no phone reaches it."),
            _("Write networkingMode=mirrored under [wsl2] in .wslconfig, then run “wsl --shutdown”."),
        )
    if network.is_in_container():
        yield Finding(
            Severity.LOOK,
            _("This is a container: phones need the address of the computer around it."),
            _("Publish the port, and set PUBLIC_URL to that computer’s address."),
        )
    found = network.local_addresses()
    lan = [place for place in found if place.kind is network.NetworkKind.LAN]
    for place in lan:
        words = {"name": place.name, "url": f"http://{place.address}:{port}/"}
        said = _("Phones in the same network as %(name)s open %(url)s")
        yield Finding(Severity.GOOD, said % words)
    if not lan:
        yield Finding(
            Severity.BAD,
            _("This computer is in no network in which phones could be."),
            _("Connect it to the Wi-Fi that the phones use, by cable or without."),
        )
    if len(lan) > 1:
        yield Finding(
            Severity.LOOK,
            _("This computer is in several networks; a phone reaches the address of its own alone."),
            _("If the first address does not open on a phone, try the next."),
        )
    yield from _other_networks(found)


def _other_networks(found: list[network.LocalAddress]) -> Iterator[Finding]:
    """List the addresses of this computer through which no phone comes, or perhaps none."""
    for place in found:
        words = {"name": place.name, "address": place.address}
        if place.kind is network.NetworkKind.TUNNEL:
            yield Finding(
                Severity.LOOK,
                _("A VPN is on (%(name)s, %(address)s); many of them keep phones out.") % words,
                _("If no phone gets through, let the VPN allow the local network, or switch it off."),
            )
        if place.kind is network.NetworkKind.BRIDGE:
            said = _("%(address)s (%(name)s) is for containers and virtual machines, not for phones.")
            yield Finding(Severity.GOOD, said % words)
