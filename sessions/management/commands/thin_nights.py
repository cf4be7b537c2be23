"""Delete the moves and messages of sessions that ended KEEP_NIGHTS_DAYS ago."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext_noop

from companion.backups import databases
from sessions.archive import erasure


class Command(BaseCommand):
    help = gettext_noop(
        "Drop the moves and messages of evenings that ended KEEP_NIGHTS_DAYS ago; a timer runs this daily."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.KEEP_NIGHTS_DAYS:
            self.stdout.write("KEEP_NIGHTS_DAYS is not set: everything is kept.")
            return
        thinned = erasure.thin_sessions(settings.KEEP_NIGHTS_DAYS)
        if thinned:
            databases.vacuum()
        self.stdout.write(f"{thinned} evenings thinned.")
