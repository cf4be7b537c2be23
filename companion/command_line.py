"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` if a wheel is installed."""

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
        # A server retries until the database is back, and logs outages. A command ends with one sentence.
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
    """Return an explanation for the host in the terminal's language; None for a bug in our code."""
    from django.conf import settings

    from companion.server import storage, terminal

    if not settings.configured:
        # The settings create the data folder; if that failed, no language is configured yet.
        return f"データのフォルダーに書き込めません。 Takujō cannot write to its data folder: {problem}"
    with translation.override(terminal.terminal_language()):
        return storage.explain_problem(problem, settings.VAR_DIR)


class CommandLine(ManagementUtility):
    """Django's command line. It refuses a database of another version, and its help lists our commands."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        from companion.server import schema

        command = super().fetch_command(subcommand)
        if schema.is_needed_by(command):
            # Django would only warn that migrations are missing, and continue.
            command.requires_migrations_checks = True
            command.check_migrations = schema.demand_schema  # type: ignore[method-assign]
        return command

    def main_help_text(self, commands_only: bool = False) -> str:
        from companion.server.commands_help import overview

        return super().main_help_text(commands_only) if commands_only else overview(self.prog_name)


def speak() -> None:
    """Make output never fail on a character: a terminal without Japanese shows question marks.

    On Windows, files and pipes would get the code page of the country; they get UTF-8 instead.
    """
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def finish_restoring() -> None:
    """Finish an interrupted restore before a command uses the data that it was to replace."""
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

    with translation.override(terminal.terminal_language()):
        try:
            with hold(settings.VAR_DIR):
                whole.finish_restore()
        except (CommandError, Unusable) as problem:
            sys.exit(str(problem))
        said = _("The restore that was interrupted is finished: everything is as the backup has it.")
        print(said, file=sys.stderr)  # noqa: T201


def name_games() -> None:
    """Move ``--games-dir`` of any command into the environment: settings need it before commands parse it."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--games-dir", action="append", default=[])
    named, rest = parser.parse_known_args(sys.argv[1:])
    if named.games_dir:
        os.environ[NAMED] = os.pathsep.join([os.environ.get(NAMED, ""), *named.games_dir])
        sys.argv[1:] = rest
