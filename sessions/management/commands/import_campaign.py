"""Import a campaign from a file that another server exported."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.files import Unusable
from companion.models import Person, User
from companion.requests.quotas import QuotaExceeded
from companion.server import environment
from sessions.archive import campaign_file, campaign_import


class Command(BaseCommand):
    help = gettext_noop("Make a campaign of a file that export_campaign or a campaign's page wrote.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file")
        parser.add_argument("--gm", required=True, help="the name of the account that runs the campaign here")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the campaign, and a person for the account if it has none yet.

        :raises CommandError: there is no such account, or the file cannot be read or used.
        """
        file: Path = options["file"]
        with translation.override(environment.terminal_language()):
            user = User.objects.filter(username=options["gm"]).first()
            if user is None:
                raise CommandError(_("There is no account %(name)s.") % {"name": options["gm"]})
            gm, _is_new = Person.objects.get_or_create(user=user)
            try:
                campaign = campaign_import.import_campaign(campaign_file.read(file.read_bytes()), gm=gm)
            except (Unusable, QuotaExceeded) as problem:
                raise CommandError(str(problem)) from problem
            except OSError as problem:
                raise CommandError(f"{file}: {problem.strerror}") from problem
        self.stdout.write(f"{campaign} {campaign.pk}")
