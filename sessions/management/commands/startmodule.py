"""Write a new game in this repository: ``manage.py startmodule KEY --seats 2-4``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop

from companion.games import OURS, FoundGame
from sessions.management.starting import StartCommand


class Command(StartCommand):
    help = gettext_noop("Write a small game that runs into sessions/modules, to be changed into yours.")

    def handle(self, *args: Any, **options: Any) -> None:
        key = options["key"]
        folder: Path = settings.MODULES_DIR / key
        self.begin(FoundGame(key, f"{OURS}.{key}", folder), options)
        self.stdout.write(f"{folder.relative_to(settings.BASE_DIR)} is a game that runs. Now:")
        self.stdout.write(f"    make test-module KEY={key}")
        self.stdout.write("    make play")
