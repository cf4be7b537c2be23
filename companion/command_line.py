"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` where a wheel is installed."""

from __future__ import annotations

import io
import logging
import os
import sqlite3
import sys
from argparse import ArgumentParser

from django.core.management import BaseCommand, ManagementUtility
from django.db import DatabaseError
from django.utils import translation

from companion.games import NAMED
from companion.server.environment import WrongSetting
from companion.server.home_folder import RESTORING
from companion.version import version


def main() -> None:
    """Run a command; ``play`` if none is named."""
    speak()
    if sys.argv[1:] == ["--version"]:
        print(version())  # noqa: T201
        return
    name_games()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    if sys.argv[1:2] != ["serve"]:
        # A server tries again until the database is back, and logs that; a command ends with a sentence.
        logging.getLogger("companion.steady.outages").setLevel(logging.CRITICAL)
    try:
        finish_restoring()
        CommandLine([*sys.argv, *([] if sys.argv[1:] else ["play"])]).execute()
    except WrongSetting as problem:
        sys.exit(str(problem))
    except (OSError, DatabaseError, sqlite3.Error) as problem:
        if "--traceback" in sys.argv or not (said := sentence(problem)):
            raise
        sys.exit(said)


def sentence(problem: OSError | DatabaseError | sqlite3.Error) -> str | None:
    """Return what to tell the host in the language of the terminal; None for a fault of ours."""
    from django.conf import settings

    from companion.server import storage, terminal

    if not settings.configured:
        # Settings make the data folder; without them there is no language yet.
        return f"データのフォルダーに書き込めません。 Takujō cannot write to its data folder: {problem}"
    with translation.override(terminal.language()):
        return storage.sentence(problem, settings.VAR_DIR)


class CommandLine(ManagementUtility):
    """Django's, with a sentence for a database of another version, and with help that lists our commands."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        from companion.server import schema

        command = super().fetch_command(subcommand)
        if schema.is_needed_by(command):
            # Django would say on the way that migrations are missing, and go on.
            command.requires_migrations_checks = True
            command.check_migrations = schema.demand  # type: ignore[method-assign]
        return command

    def main_help_text(self, commands_only: bool = False) -> str:
        from companion.server.commands_help import overview

        return super().main_help_text(commands_only) if commands_only else overview(self.prog_name)


def speak() -> None:
    """Let no letter stop a command: a terminal that knows no Japanese shows question marks.

    Windows has an encoding of each country for what goes into a file or a pipe; there it is UTF-8, too.
    """
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def finish_restoring() -> None:
    """Go on with a restore that was ended in its middle, before anybody uses what it was to replace."""
    from django.conf import settings

    if not (settings.VAR_DIR / RESTORING).is_dir():
        return
    import django

    django.setup()
    from django.core.management import CommandError
    from django.utils import translation
    from django.utils.translation import gettext as _

    from companion.backups import whole
    from companion.files.unusable_files import Unusable
    from companion.management.commands.play import hold
    from companion.server import terminal

    with translation.override(terminal.language()):
        try:
            with hold(settings.VAR_DIR):
                whole.finish()
        except (CommandError, Unusable) as problem:
            sys.exit(str(problem))
        said = _("The restore that was interrupted is finished: everything is as the backup has it.")
        print(said, file=sys.stderr)  # noqa: T201


def name_games() -> None:
    """Take ``--games-dir`` of any command into the environment: settings ask for games before commands do."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--games-dir", action="append", default=[])
    named, rest = parser.parse_known_args(sys.argv[1:])
    if named.games_dir:
        os.environ[NAMED] = os.pathsep.join([os.environ.get(NAMED, ""), *named.games_dir])
        sys.argv[1:] = rest
