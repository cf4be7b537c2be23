"""``manage.py startmodule``: what it writes runs, is clean, and passes what every module must pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from sessions.management.starting import STARTER
from tests.home import Terminal, surroundings
from tests.servers import program

ROOT: Path = settings.BASE_DIR
#: A game of each kind, and one with a GM at its table.
DUEL, RACE, FIBS, QUEST = NEW = ("duel", "race", "fibs", "quest")
GENERIC = ("tests/sessions", "sessions/game_tests", "tests/test_layout.py", "tests/test_words.py")


def run(copy: Path, *command: str | Path) -> str:
    """Run something in the copy, as if it were a checkout of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [*command],
        cwd=copy,
        env={**environment, "TAKUJO_VAR": str(copy / "var"), "COLUMNS": "120"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def manage(copy: Path, *arguments: str) -> str:
    return run(copy, sys.executable, "manage.py", *arguments)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the new games."""
    copy = tmp_path_factory.mktemp("house") / "takujo"
    ignored = shutil.ignore_patterns("__pycache__", "*.mo")
    for folder in ("companion", "characters", "sessions", "templates", "static", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for file in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / file, copy)
    Terminal(surroundings(TAKUJO_VAR=str(copy / "var")), folder=copy).run_each(
        f"startmodule {DUEL} --seats 2-4",
        f"startmodule {RACE} --seats 3-5 --kind simultaneous",
        f"startmodule {FIBS} --seats 2-8 --kind bluff",
        f"startmodule {QUEST} --seats 1 --gm --name 小さな冒険",
    )
    return copy


@pytest.fixture
def games(copy: Path) -> dict[str, Path]:
    return {key: copy / "sessions" / "modules" / key for key in NEW}


def written(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".mo")]
    return "".join(path.read_text("utf-8") for path in files)


@pytest.mark.long
def test_a_new_game_passes_its_own_tests_and_those_of_every_module(copy: Path) -> None:
    """They open tables, play at random, and draw every page for everybody."""
    own = [f"sessions/modules/{key}" for key in NEW]
    options = [
        "-q",
        "-m",
        "not long",
        "-k",
        " or ".join(NEW),
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    passed = re.search(r"(\d+) passed", run(copy, sys.executable, "-m", "pytest", *options, *GENERIC, *own))
    assert passed
    assert int(passed[1]) > 200, "hardly any test looked at the new games"


def test_a_new_game_passes_the_linters_and_needs_no_migration(copy: Path, games: dict[str, Path]) -> None:
    run(copy, Path(sys.executable).with_name("ruff"), "check", "--no-cache", *games.values())
    run(copy, Path(sys.executable).with_name("lint-imports"), "--no-cache")
    manage(copy, "makemigrations", "--check", "--dry-run")


def test_a_new_game_has_no_names_of_the_starter(games: dict[str, Path]) -> None:
    assert "[gm]" in written(STARTER), "this test could not have failed"
    for folder in games.values():
        text = written(folder)
        assert re.findall(r"starter|Starter|\bST-\d|\[/?gm\]", text) == []
        assert not [path for path in folder.rglob("*") if "starter" in path.name]


def test_a_new_game_without_a_gm_does_not_mention_one(games: dict[str, Path]) -> None:
    assert not re.search(r"\bgm\b|\bGM\b|\bStop\b", written(games[DUEL]))
    desk = games[QUEST] / "templates" / "tables" / QUEST / "gm.html"
    assert "tables/gm.html" in desk.read_text("utf-8"), "a GM has a desk, not a phone"
    assert "小さな冒険" in written(games[QUEST])


def test_a_new_catalogue_has_as_many_plural_forms_as_its_language(copy: Path) -> None:
    program("xgettext")
    program("msgmerge")
    catalogue = copy / "sessions" / "modules" / DUEL / "locale" / "ja" / "LC_MESSAGES" / "django.po"
    translated = catalogue.read_text("utf-8")
    catalogue.unlink()
    try:
        manage(copy, "makemessages")
        made = catalogue.read_text("utf-8")
        manage(copy, "compile_catalogues")
    finally:
        catalogue.write_text(translated, "utf-8")
    assert "msgid_plural" in made
    assert "msgstr[1]" not in made


@pytest.mark.parametrize(
    "arguments",
    [
        ["journey"],
        ["My Game"],
        ["../up"],
        ["class"],
        ["fresh", "--seats", "4-2"],
        ["fresh", "--seats", "2-9"],
        ["fresh", "--seats", "0"],
        ["fresh", "--name", 'a "quoted" one'],
        ["fresh", "--name", " "],
        ["fresh", "--kind", "simultaneous", "--gm"],
        ["fresh", "--kind", "bluff", "--gm"],
        ["fresh", "--kind", "bluff", "--seats", "1-4"],
    ],
    ids=" ".join,
)
def test_startmodule_refuses_invalid_arguments(arguments: list[str]) -> None:
    before = sorted(settings.MODULES_DIR.iterdir())
    with pytest.raises(CommandError):
        call_command("startmodule", *arguments)
    assert sorted(settings.MODULES_DIR.iterdir()) == before
