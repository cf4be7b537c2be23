"""The doctor's checks of the environment: settings, Redis, the port, and the networks that phones may use."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.core import checks
from django.utils.translation import gettext as _

from companion.doctor import ports
from companion.doctor.findings import Finding, Severity
from companion.doctor.ports import Port, PortState
from companion.server import network
from companion.server.network import NetworkKind
from companion.watching import doors


def wrong_settings() -> Iterator[Finding]:
    """Run Django's system checks; the deployment checks for a hosted server are in English only."""
    hosted = settings.HTTPS or not settings.DATABASE_URL.startswith("sqlite")
    # No database is queried here: another check reports one that does not answer.
    told_all = checks.run_checks(include_deployment_checks=hosted, databases=())
    found = [told for told in told_all if not told.is_silenced()]
    for told in found:
        mark = Severity.BAD if told.is_serious() else Severity.LOOK
        yield Finding(mark, _(str(told.msg)), _(str(told.hint)) if told.hint else "")
    if not found:
        yield Finding(Severity.GOOD, _("The settings are in order."))


def redis() -> Iterator[Finding]:
    """Check that Redis answers, if this server uses it."""
    if not settings.REDIS_URL:
        return
    if doors.redis() == doors.OK:
        yield Finding(Severity.GOOD, _("Redis answers."))
    else:
        yield Finding(
            Severity.BAD,
            _("Redis does not answer: phones on different processes hear of each other late."),
            _("Start Redis, or mend REDIS_URL."),
        )


def port(found: Port, wanted: int | None) -> Iterator[Finding]:
    """Report on the port that Takujō uses, or would use.

    :param wanted: the port that the host chose.
    """
    words = {"port": found.number, "taken": ", ".join(map(str, found.taken))}
    if found.state is PortState.OURS and ports.is_ready(found.number):
        yield Finding(Severity.GOOD, _("Takujō runs at port %(port)d and is ready.") % words)
    elif found.state is PortState.OURS:
        yield Finding(
            Severity.BAD,
            _("Takujō runs at port %(port)d and is not ready: it cannot use its database.") % words,
            _("Mend what is said of the database; then start it again."),
        )
    elif found.state is PortState.TAKEN:
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
    found = network.places()
    lan = [place for place in found if place.kind is NetworkKind.LAN]
    for place in lan:
        url = f"http://{place.address}:{port}/"
        yield Finding(
            Severity.GOOD,
            _("Phones in the same network as %(name)s open %(url)s") % {"name": place.name, "url": url},
        )
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
    for place in found:
        words = {"name": place.name, "address": place.address}
        if place.kind is NetworkKind.TUNNEL:
            yield Finding(
                Severity.LOOK,
                _("A VPN is on (%(name)s, %(address)s); many of them keep phones out.") % words,
                _("If no phone gets through, let the VPN allow the local network, or switch it off."),
            )
        if place.kind is NetworkKind.BRIDGE:
            yield Finding(
                Severity.GOOD,
                _("%(address)s (%(name)s) is for containers and virtual machines, not for phones.") % words,
            )
