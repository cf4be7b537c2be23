"""Prepare the update of a hosted server while its workers still run; they restart afterwards."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext_noop

from companion.server import terminal
from companion.server.updating import update


class Command(BaseCommand):
    help = gettext_noop(
        "Gather static files and bring the database up to date, with a copy of before; play does it, too."
    )
    requires_system_checks: list[str] = []  # some query the database, which is migrated first

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(terminal.terminal_language()):
            update(self.stdout.write)
