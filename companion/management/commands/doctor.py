"""Check everything that a session needs, and print each problem with its remedy."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion import doctor
from companion.command_line import HostCommand
from companion.doctor import Finding, Phone, Port, PortState, Severity, serve_page
from companion.management.commands.play import addresses, qr_code
from companion.server import serving


class Command(HostCommand):
    # The doctor runs Django's checks itself, and continues after errors.
    help = gettext_noop("Look at all that an evening needs, and say what is wrong and what to do about it.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=serving.port, help="the port of the server (default: the usual ones)"
        )
        parser.add_argument(
            "--phone",
            action=BooleanOptionalAction,
            default=sys.stdout.isatty(),
            help="show a page for a phone and wait until it is opened (default: in a terminal)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # Problems are printed as findings, not logged.
        logging.disable()
        try:
            bad = self.examine(options["port"], with_phone=options["phone"])
        finally:
            logging.disable(logging.NOTSET)
        if bad:
            sys.exit(1)

    def examine(self, wanted: int | None, *, with_phone: bool) -> int:
        """Print every finding, and return the number of bad ones."""
        port = doctor.find_port(wanted)
        findings = chain(
            doctor.wrong_settings(),
            doctor.disk(),
            doctor.database(),
            doctor.redis(),
            doctor.port(port, wanted),
            doctor.addresses(port.number),
            doctor.backup(),
            self.phone(port) if with_phone and port.state is not PortState.TAKEN else (),
        )
        marks = [self.tell(finding) for finding in findings]
        bad, look = marks.count(Severity.BAD), marks.count(Severity.LOOK)
        self.stdout.write("")
        if bad or look:
            self.stdout.write(_("Wrong: %(bad)d. Worth a look: %(look)d.") % {"bad": bad, "look": look})
        else:
            self.stdout.write(_("All is well. Have a good evening!"))
        return bad

    def tell(self, finding: Finding) -> Severity:
        """Print a finding at once; return its mark."""
        good, look, bad = self.style.SUCCESS, self.style.WARNING, self.style.ERROR
        style = {Severity.GOOD: good, Severity.LOOK: look, Severity.BAD: bad}[finding.mark]
        self.stdout.write(f"{style(finding.mark.value)} {finding.said}")
        if finding.remedy:
            self.stdout.write(f"    → {finding.remedy}")
        self.stdout.flush()
        return finding.mark

    def phone(self, port: Port) -> Iterator[Finding]:
        """Print the address of a page, and wait until the host's own phone has opened it."""
        phone = Phone(port.number)
        bases = [settings.PUBLIC_URL] if settings.PUBLIC_URL else addresses("0.0.0.0", port.number)  # noqa: S104
        urls = phone.urls(bases)
        seen: dict[str, str] = {}
        try:
            with serve_page(port):
                lines = ["", _("Open this on your own phone; the page turns green when it gets through:"), ""]
                lines += [*qr_code(urls[0], colours=self.stdout.isatty()), *urls, ""]
                lines.append(_("Waiting for the phone … Ctrl-C ends it."))
                self.stdout.write("\n".join(lines))
                self.stdout.flush()
                seen = phone.wait()
        except KeyboardInterrupt:
            self.stdout.write("")
        except OSError as problem:
            said = _("The page for the phone cannot be shown: %(why)s")
            yield doctor.bad(said % {"why": problem})
            return
        if seen:
            yield doctor.good(_("A phone (%(phone)s) got through to %(host)s.") % seen)
        else:
            yield doctor.bad(_("No phone has opened the page."), firewall(port.number))


def firewall(port: int) -> str:
    """Return instructions for letting phones through the firewall."""
    network = _("Is the phone in the same Wi-Fi, and not in one for guests?")
    match sys.platform:
        case "win32":
            allowed = _(
                "Let Python through Windows’ firewall for private networks, and call this network private."
            )
        case "darwin":
            allowed = _("Let Python accept connections: System Settings, Network, Firewall, Options.")
        case _other:
            allowed = _(
                "A firewall may be in the way: “sudo ufw allow %(port)d/tcp” or "
                "“sudo firewall-cmd --add-port=%(port)d/tcp” opens it."
            ) % {"port": port}
    return f"{network} {allowed}"
