"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` where a wheel is installed."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser

from companion import __version__
from companion.games import NAMED
from companion.server.home_folder import RESTORING


def main() -> None:
    """Run a command; ``play`` if none is named."""
    if sys.argv[1:] == ["--version"]:
        print(__version__)  # noqa: T201
        return
    name_games()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line

    try:
        finish_restoring()
        execute_from_command_line([*sys.argv, *([] if sys.argv[1:] else ["play"])])
    except OSError as problem:
        if settings.configured:
            raise
        # Settings make the data folder; without them there is no language yet.
        sys.exit(f"データのフォルダーに書き込めません。 Takujō cannot write to its data folder: {problem}")


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
