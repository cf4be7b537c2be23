"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` if a wheel is installed.

``takujo help`` lists our commands, and the few of Django's that a host needs.
"""

from __future__ import annotations

import io
import logging
import os
import sqlite3
import sys
from argparse import ArgumentParser
from typing import Any

import django
from django.conf import settings
from django.core.management import (
    BaseCommand,
    CommandError,
    ManagementUtility,
    get_commands,
    load_command_class,
)
from django.db import DatabaseError
from django.utils import translation
from django.utils.translation import gettext as _

from companion.files import Unusable
from companion.games import NAMED
from companion.server import environment, storage
from companion.version import version

#: The commands that are listed first, and those that only authors need (a wheel has no startmodule). Our
#: other commands are listed between them.
FIRST = ["play", "doctor"]
FOR_AUTHORS = [
    *("startgame", "startmodule", "bench", "playthrough", "lab"),
    *("makemessages", "compile_catalogues"),
]
OUR_APPS = {"companion", "sessions"}


def main() -> None:
    """Run a command; ``play`` if none is named."""
    make_output_tolerant()
    if sys.argv[1:] == ["--version"]:
        print(version())  # noqa: T201
        return
    name_games()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    if sys.argv[1:2] != ["serve"]:
        # A server retries until the database is back, and logs outages. A command ends with one sentence.
        logging.getLogger("companion.fallback.outages").setLevel(logging.CRITICAL)
    try:
        finish_restoring()
        CommandLine([*sys.argv, *([] if sys.argv[1:] else ["play"])]).execute()
    except environment.WrongSetting as problem:
        sys.exit(str(problem))
    except (OSError, DatabaseError, sqlite3.Error) as problem:
        if "--traceback" in sys.argv or not (said := explain(problem)):
            raise
        sys.exit(said)


def explain(problem: OSError | DatabaseError | sqlite3.Error) -> str | None:
    """Return a sentence for the host; None for a bug in our code."""
    if not settings.configured:
        # The settings create the data folder; if that failed, no language is configured yet.
        return f"データのフォルダーに書き込めません。 Takujō cannot write to its data folder: {problem}"
    with translation.override(environment.terminal_language()):
        return storage.explain_problem(problem, settings.VAR_DIR)


class HostCommand(BaseCommand):
    """A command that speaks the terminal's language.

    Django's checks do not run before it: some query the database, which may be broken or of another version.
    """

    requires_system_checks: list[str] = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        with translation.override(environment.terminal_language()):
            return super().execute(*args, **options)


class CommandLine(ManagementUtility):
    """Django's command line. It refuses a database of another version, and its help lists our commands."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        if storage.is_needed_by(command):
            # Django would only warn that migrations are missing, and continue.
            command.requires_migrations_checks = True
            command.check_migrations = storage.demand_schema  # type: ignore[method-assign]
        return command

    def main_help_text(self, commands_only: bool = False) -> str:
        return super().main_help_text(commands_only) if commands_only else overview(self.prog_name)


def make_output_tolerant() -> None:
    """Make output never fail on a character: a terminal without Japanese shows question marks.

    On Windows, files and pipes would get the code page of the country; they get UTF-8 instead.
    """
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def finish_restoring() -> None:
    """Finish an interrupted restore before a command uses the data that it was to replace."""
    if not (settings.VAR_DIR / environment.RESTORING).is_dir():
        return
    django.setup()
    from companion.backups import backup
    from companion.management.commands.play import lock_data_folder

    with translation.override(environment.terminal_language()):
        try:
            with lock_data_folder(settings.VAR_DIR):
                backup.finish_restore()
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


def overview(program: str) -> str:
    """Return the list of commands in the terminal's language."""
    apps = get_commands()
    ours = sorted(name for name, app in apps.items() if app in OUR_APPS)
    with translation.override(environment.terminal_language()):
        of_django = {
            "migrate": _("Bring the database up to date with this version; at home, play does it."),
            "createsuperuser": _("Make an account that runs evenings and sees the admin: a hosted GM’s."),
            "changepassword": _("Give an account a new password when its own is forgotten."),
            "makemessages": _("Write new words of the sources into the catalogues."),
        }
        between = [name for name in ours if name not in [*FIRST, *FOR_AUTHORS, *of_django]]
        for_hosts = [*FIRST, *between, *(name for name in of_django if name not in FOR_AUTHORS)]

        def line(name: str) -> str:
            about = of_django.get(name) or _(str(load_command_class(apps[name], name).help))
            return f"  {name:20}{about}"

        return "\n".join(
            [
                _("Commands for an evening and for a host:"),
                *map(line, for_hosts),
                "",
                _("For authors of games and for developers:"),
                *(line(name) for name in FOR_AUTHORS if name in apps),
                "",
                _("%(command)s help NAME tells all about one of them.") % {"command": program},
            ]
        )
