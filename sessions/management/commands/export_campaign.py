"""A campaign as one file that another server takes."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_noop

from sessions.keeping import campaign_file, exporting
from sessions.models import Campaign


class Command(BaseCommand):
    help = gettext_noop("Write a campaign into a file; its number stands in the address of its page.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", type=int, help="the number of the campaign")
        parser.add_argument("file", type=Path, help="the file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(pk=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']}.")
        file = exporting.export(campaign)
        path: Path = options["file"]
        try:
            path.touch(mode=0o600)
            path.write_bytes(campaign_file.written(file))
        except OSError as problem:
            raise CommandError(f"{path}: {problem.strerror}") from problem
        for left in file.whole.left_out:
            self.stderr.write(f"left out: {left.title} ({left.why})")
