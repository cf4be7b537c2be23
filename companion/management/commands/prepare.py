"""An update of a hosted server: all that must be done before its workers start again, while they go on."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import translation

from companion.server import storage, terminal
from companion.server.updating import update


class Command(BaseCommand):
    help = "Gather static files and bring the database up to date, with a copy of before; play does it, too."
    requires_system_checks: list[str] = []  # some ask the database: first it is brought up to date

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(terminal.language()):
            try:
                update(self.stdout.write)
            except (OSError, DatabaseError) as problem:
                if said := storage.sentence(problem, settings.VAR_DIR):
                    raise CommandError(said) from problem
                raise
