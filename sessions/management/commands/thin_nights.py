"""Drops moves and messages of old evenings, as KEEP_NIGHTS_DAYS says."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext_noop

from sessions.keeping import thinning


class Command(BaseCommand):
    help = gettext_noop(
        "Drop the moves and messages of evenings that ended KEEP_NIGHTS_DAYS ago; a timer may run this daily."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.KEEP_NIGHTS_DAYS:
            self.stdout.write("KEEP_NIGHTS_DAYS is not set: everything is kept.")
            return
        self.stdout.write(f"{thinning.thin(settings.KEEP_NIGHTS_DAYS)} evenings thinned.")
