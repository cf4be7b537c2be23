"""A campaign that another server wrote into a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext_noop

from companion.files.unusable_files import Unusable
from companion.limits.quotas import Full
from companion.models import Person
from companion.server import terminal
from sessions.keeping import campaign_file, importing


class Command(BaseCommand):
    help = gettext_noop("Make a campaign of a file that export_campaign or a campaign's page wrote.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file")
        parser.add_argument("--gm", required=True, help="the name of the account that runs the campaign here")

    def handle(self, *args: Any, **options: Any) -> None:
        gm = Person.objects.filter(user__username=options["gm"]).first()
        if gm is None:
            raise CommandError(f"Nobody with the account {options['gm']} has been here.")
        try:
            with translation.override(terminal.language()):
                campaign = importing.bring(campaign_file.read(options["file"].read_bytes()), gm=gm)
        except (Unusable, Full) as problem:
            raise CommandError(str(problem)) from problem
        except OSError as problem:
            raise CommandError(f"{options['file']}: {problem.strerror}") from problem
        self.stdout.write(f"{campaign} {campaign.pk}")
