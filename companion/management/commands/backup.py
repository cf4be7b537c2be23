"""Write all data of this server into one file while it runs."""

from __future__ import annotations

import sqlite3
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.backups import backup, retention
from companion.command_line import HostCommand
from companion.files import Unusable
from companion.server import storage


class Command(HostCommand):
    help = gettext_noop("Write everything that this server keeps into one file, while it runs; see restore.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="the file to write; one that is there is replaced. Without it, a new one in BACKUP_DIR, "
            "and old ones there go",
        )
        parser.add_argument(
            "--days",
            type=int,
            default=retention.DAYS,
            help="in BACKUP_DIR, keep one of each of so many days (default: %(default)s)",
        )
        parser.add_argument(
            "--weeks",
            type=int,
            default=retention.WEEKS,
            help="and one of each of so many weeks (default: %(default)s)",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing: restore the file (or the newest in BACKUP_DIR) into a scratch database, "
            "and play every table again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path | None = options["file"] and options["file"].absolute()
        written = file or settings.BACKUP_DIR
        # --check unpacks the backup into the data folder.
        disk = settings.VAR_DIR if options["check"] else file.parent if file else settings.BACKUP_DIR
        with explain_errors(written, disk):
            if options["check"]:
                self.check_newest(file)
            else:
                self.back_up(file, options["days"], options["weeks"])

    def back_up(self, file: Path | None, days: int, weeks: int) -> None:
        if file:
            backup.back_up(file, settings.BACKUP_PASSPHRASE)
        else:
            file = retention.make_backup(days=days, weeks=weeks)
        said = _("Everything is in %(file)s. It opens every account and every hand: keep it like a key.")
        self.stdout.write(said % {"file": file})

    def check_newest(self, file: Path | None) -> None:
        """Test the restore of a file, or of the newest backup, and print the result."""
        if file is None:
            if not (newest := retention.newest_backup()):
                raise Unusable(_("There is no backup in %(folder)s.") % {"folder": settings.BACKUP_DIR})
            file = newest.file
        said = backup.check_restore(file, backup.passphrase_for(file))
        self.stdout.write(_("%(file)s can be restored.") % {"file": file} + f" {said}")


@contextmanager
def explain_errors(path: Path, disk: Path) -> Iterator[None]:
    """Turn errors about ``path`` into a CommandError of one sentence; ``disk`` is written to."""
    try:
        yield
    except Unusable as problem:
        raise CommandError(str(problem)) from problem
    except (OSError, DatabaseError, sqlite3.Error) as problem:
        if storage.is_full(problem, disk):
            said = _("The disk that holds %(folder)s is full. Make room, and try again: nothing was changed.")
            raise CommandError(said % {"folder": disk}) from problem
        if not isinstance(problem, OSError):
            raise
        raise CommandError(f"{problem.filename or path}: {problem.strerror}") from problem
