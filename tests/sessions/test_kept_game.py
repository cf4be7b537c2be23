"""Games as they were written for earlier versions of Takujō, and kept as they were packed.

A change here that such a game cannot live with breaks the games of people whom nobody can ask. From the first
tagged release on, wheels are never built again, and a new contract adds another one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.server.environment import DATABASE_FILE
from tests.servers import ROOT

WHEELS = sorted((ROOT / "tests" / "kept_games").glob("*.whl"))

#: The pages of the game as a stranger asks for them.
PAGES = """
import django; django.setup()
from django.test import Client
for page in ("/games/{key}/", "/rules/{key}/"):
    print(page, Client().get(page).status_code)
"""


@pytest.fixture(params=WHEELS, ids=lambda wheel: wheel.stem)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of the game, unpacked as pip would."""
    with zipfile.ZipFile(request.param) as wheel:
        wheel.extractall(tmp_path)
    return tmp_path / request.param.name.split("-")[0]


def run(game: Path, *command: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "DJANGO_SETTINGS_MODULE": "companion.game_test_settings",
            "PYTHONPATH": str(game.parent),
            "TAKUJO_VAR": str(game.parent / "var"),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_for_an_earlier_version_plays_as_it_did(game: Path) -> None:
    script = game / "playthroughs" / "first_game.json"
    assert run(game, "manage.py", "playthrough", script) == script.with_suffix(".golden").read_text("utf-8")
    assert '"finished":20' in run(game, "manage.py", "playthrough", "--random", game.name, "--games", "20")


def test_a_game_for_an_earlier_version_has_its_pages(game: Path, migrated_database: Path) -> None:
    (game.parent / "var").mkdir()
    shutil.copyfile(migrated_database, game.parent / "var" / DATABASE_FILE)
    assert run(game, "-c", PAGES.format(key=game.name)).count(" 200") == 2


def test_a_game_for_an_earlier_version_passes_its_own_tests(game: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "markers=rule: as the game has it"]
    run(game, "-m", "pytest", *options, f"--rootdir={game.parent}", "-c", os.devnull, game)
