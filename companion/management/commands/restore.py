"""Replace all data of this server by a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.backups import backup
from companion.command_line import HostCommand
from companion.management.commands.backup import explain_errors
from companion.management.commands.play import lock_data_folder


class Command(HostCommand):
    help = gettext_noop(
        "Put a backup in the place of what this server keeps. The server must not run meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that backup wrote")
        parser.add_argument("--replace", action="store_true", help="even if there are people here already")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        with lock_data_folder(settings.VAR_DIR):
            with explain_errors(file, settings.VAR_DIR):
                backup.restore(file, backup.passphrase_for(file), replace=options["replace"])
            call_command("migrate", verbosity=0, interactive=False)
            self.stdout.write(_("Everything is as it was when the backup was made. Start the server."))
