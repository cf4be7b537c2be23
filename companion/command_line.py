"""The command line of Takujō: ``manage.py`` in a checkout, ``takujo`` where a wheel is installed."""

from __future__ import annotations

import os
import sys

from companion import __version__


def main() -> None:
    """Run a command; ``play`` if none is named."""
    if sys.argv[1:] == ["--version"]:
        print(__version__)  # noqa: T201
        return
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
