"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` where a wheel is installed."""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser

from companion.games import NAMED
from companion.version import version


def main() -> None:
    """Run a command; ``play`` if none is named."""
    speak()
    if sys.argv[1:] == ["--version"]:
        print(version())  # noqa: T201
        return
    name_games()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line([*sys.argv, *([] if sys.argv[1:] else ["play"])])
    except OSError as problem:
        if settings.configured:
            raise
        # Settings make the data folder; without them there is no language yet.
        sys.exit(f"データのフォルダーに書き込めません。 Takujō cannot write to its data folder: {problem}")


def speak() -> None:
    """Let no letter stop a command: a terminal that knows no Japanese shows question marks.

    Windows has an encoding of each country for what goes into a file or a pipe; there it is UTF-8, too.
    """
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def name_games() -> None:
    """Take ``--games-dir`` of any command into the environment: settings ask for games before commands do."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--games-dir", action="append", default=[])
    named, rest = parser.parse_known_args(sys.argv[1:])
    if named.games_dir:
        os.environ[NAMED] = os.pathsep.join([os.environ.get(NAMED, ""), *named.games_dir])
        sys.argv[1:] = rest
