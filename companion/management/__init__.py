from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from companion.server import environment


class HostCommand(BaseCommand):
    """A command that speaks the terminal's language.

    Django's checks do not run before it: some query the database, which may be broken or of another version.
    """

    requires_system_checks: list[str] = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        with translation.override(environment.terminal_language()):
            return super().execute(*args, **options)
