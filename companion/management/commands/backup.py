"""One file with everything that this server keeps, made while it runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.backups import whole
from companion.files.unusable_files import Unusable
from companion.server import terminal


class Command(BaseCommand):
    help = gettext_noop("Write everything that this server keeps into one file, while it runs; see restore.")
    # Some ask the database, which may be broken: that may be why.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; one that is there is replaced")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        with translation.override(terminal.language()):
            try:
                whole.back_up(file)
            except Unusable as problem:
                raise CommandError(str(problem)) from problem
            except OSError as problem:
                raise CommandError(f"{file}: {problem.strerror}") from problem
            self.stdout.write(
                _("Everything is in %(file)s. It opens every account and every hand: keep it like a key.")
                % {"file": file}
            )
