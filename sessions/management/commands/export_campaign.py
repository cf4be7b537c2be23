"""Export a campaign as one file that another server can import."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.server import environment
from sessions.archive import campaign_export, campaign_file
from sessions.models import Campaign


class Command(BaseCommand):
    help = gettext_noop("Write a campaign into a file; its number stands in the address of its page.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", type=int, help="the number of the campaign")
        parser.add_argument("file", type=Path, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, and list on stderr everything that was left out.

        :raises CommandError: there is no such campaign, the file cannot be written, or it is written without
            something that still runs.
        """
        path: Path = options["file"]
        with translation.override(environment.terminal_language()):
            campaign = Campaign.objects.filter(pk=options["campaign"]).first()
            if campaign is None:
                raise CommandError(_("There is no campaign %(number)d.") % {"number": options["campaign"]})
            file = campaign_export.export_campaign(campaign)
            new = path.with_name(f".{path.name}.new")
            try:
                new.touch(mode=0o600)
                new.write_bytes(campaign_file.encode_campaign(file))
                new.replace(path)
            except OSError as problem:
                new.unlink(missing_ok=True)
                raise CommandError(f"{path}: {problem.strerror}") from problem
            for left in file.whole.left_out:
                words = {"what": left.title, "why": _(campaign_export.WHY[left.why])}
                self.stderr.write(_("Not in the file: %(what)s (%(why)s)") % words)
            if any(left.why == campaign_export.RUNNING for left in file.whole.left_out):
                raise CommandError(
                    _("%(file)s is written without what still runs. End it, and export again.")
                    % {"file": path}
                )
