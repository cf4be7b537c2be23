"""Write a new game outside this repository, as a package of its own: ``takujo startgame KEY``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_noop

from companion.games import FoundGame
from companion.wording.catalogues import compile_catalogue
from sessions.management.starting import StartCommand

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{key}"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["takujo"]

[project.optional-dependencies]
test = ["takujo[game-tests]"]

[project.entry-points."takujo.games"]
{key} = "{key}"

[tool.hatch.build.targets.wheel]
packages = ["{key}"]
artifacts = ["*.mo"]

[tool.pytest.ini_options]
DJANGO_SETTINGS_MODULE = "companion.game_test_settings"
takujo_games = ["{key}"]
"""


class Command(StartCommand):
    help = gettext_noop(
        "Write a small game that runs into a folder of its own, as a package that stands alone."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        key = options["key"]
        project = Path.cwd() / key
        folder = project / key
        sys.path.append(str(project))  # at the end, so that the game shadows no other package
        self.begin(FoundGame(key, key, folder), options)
        (project / "pyproject.toml").write_text(PROJECT.format(key=key), encoding="utf-8")
        for catalogue in folder.glob("locale/*/LC_MESSAGES/*.po"):
            compile_catalogue(catalogue)
        self.stdout.write(f"{project} is a game that runs. Now, in that folder:")
        self.stdout.write("    pip install -e '.[test]'")
        self.stdout.write("    pytest")
        self.stdout.write("    takujo play")
