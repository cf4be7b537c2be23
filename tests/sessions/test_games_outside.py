"""Games that come from outside: installed packages and named folders, and those that cannot be played."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from companion.games import NAMED, FoundGame, folder_of, games
from companion.server.environment import DATABASE_FILE
from sessions.engine import registry
from sessions.management import starting
from tests.home import Terminal, surroundings

#: What a process says of its games: those on the shelf, how a player reads the title, a page of the book.
ASK = """
import django; django.setup()
from django.test import Client
from companion.rendering.engine import render_first
from sessions.engine.registry import registry
print(*registry())
print(render_first(("tables/quoits/_title.jinja",), {}))
page = Client().get("/rules/quoits/")
print(page.status_code, "QU-1.1" in page.content.decode())
"""
#: A game for a contract of later, which has fields that nobody knows yet.
TOMORROWS = """
from sessions.game import Module
module = Module(contract=9, key="tomorrows", smells=True)
"""


def written(folder: Path, key: str = "quoits") -> Path:
    """Write a small game into a folder, as its own package."""
    starting.write_game(folder / key, "輪投げ", range(2, 5), gm=False, kind=starting.KINDS["hand"])
    return folder / key


def asked(tmp_path: Path, *command: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "companion.settings",
            "TAKUJO_VAR": str(tmp_path / "var"),
            **environment,
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def installed(folder: Path) -> dict[str, str]:
    """Install a game as a package manager would; return the environment that has it."""
    written(folder)
    about = folder / "quoits-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: quoits\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[takujo.games]\nquoits = quoits\n")
    return {"PYTHONPATH": str(folder)}


def in_a_named_folder(folder: Path) -> dict[str, str]:
    written(folder)
    return {NAMED: str(folder)}


def named_itself(folder: Path) -> dict[str, str]:
    return {NAMED: str(written(folder))}


@pytest.mark.parametrize("brought", [installed, in_a_named_folder, named_itself])
def test_an_external_game_is_registered_translated_and_served(
    tmp_path: Path, migrated_database: Path, brought: Callable[[Path], dict[str, str]]
) -> None:
    home, var = tmp_path / "elsewhere", tmp_path / "var"
    home.mkdir()
    var.mkdir()
    shutil.copyfile(migrated_database, var / DATABASE_FILE)
    environment = brought(home)
    terminal = Terminal(surroundings(TAKUJO_VAR=str(var), **environment))
    terminal.run_each("compile_catalogues", "collectstatic -v0 --no-input")
    keys, title, page = asked(tmp_path, "-c", ASK, **environment).splitlines()[:3]
    assert keys.split() == sorted([*registry.registry(), "quoits"])
    assert title == "輪投げ"
    assert page == "200 True"


def test_the_option_games_dir_adds_the_games_of_a_folder(tmp_path: Path) -> None:
    written(tmp_path)
    told = asked(tmp_path, "manage.py", "playthrough", "--random", "quoits", "--games-dir", str(tmp_path))
    assert '"module":"quoits"' in told


def broken(folder: Path, code: str) -> FoundGame:
    (folder / "__init__.py").write_text(code)
    return FoundGame(folder.name, folder.name, folder)


@pytest.mark.parametrize(
    ("key", "spoilt", "why"),
    [
        ("lacksone", lambda home: FoundGame("lacksone", "lacksone", None), "no such package"),
        ("stumbles", lambda home: broken(written(home, "stumbles"), "1 / 0"), "ZeroDivisionError"),
        (
            "wantsmore",
            lambda home: broken(written(home, "wantsmore"), "import nothing_like_it"),
            "nothing_like_it",
        ),
        ("holdsnone", lambda home: broken(written(home, "holdsnone"), ""), "no module of the class Module"),
        (
            "twonames",
            lambda home: FoundGame("another", "twonames", written(home, "twonames")),
            "the key twonames, not another",
        ),
        (
            "tomorrows",
            lambda home: broken(written(home, "tomorrows"), TOMORROWS),
            "written for contract 9, and this Takujō has 2",
        ),
        (
            "journey",
            lambda home: FoundGame("journey", "mine", written(home, "mine")),
            "sessions.modules.journey",
        ),
    ],
)
def test_a_broken_game_is_left_out_and_the_others_are_played(
    key: str, spoilt: Callable[[Path], FoundGame], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    found = registry.load_games([*games(), game := spoilt(tmp_path)])
    assert list(found.modules) == list(registry.registry())
    assert why in found.left_out[game.package]


@pytest.mark.parametrize("template", ["_title.jinja", "phone.html"])
def test_a_game_without_a_required_template_is_left_out(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = f"bare{template.strip('_')[:5]}"
    folder = written(tmp_path, key)
    (folder / "templates" / "tables" / key / template).unlink()
    monkeypatch.syspath_prepend(tmp_path)
    found = registry.load_games([FoundGame(key, key, folder)])
    assert found.modules == {}
    assert template in found.left_out[key]


def test_the_command_check_names_a_broken_game_and_its_error(tmp_path: Path) -> None:
    broken(written(tmp_path), "1 / 0")
    told = asked(tmp_path, "manage.py", "check", "--games-dir", str(tmp_path))
    assert "The game quoits stays off the shelf: ZeroDivisionError: division by zero" in told


def test_a_game_in_a_broken_package_does_not_stop_the_server(tmp_path: Path) -> None:
    environment = installed(tmp_path)
    (tmp_path / "outer").mkdir()
    (tmp_path / "outer" / "__init__.py").write_text("1 / 0")
    (tmp_path / "quoits-1.0.dist-info" / "entry_points.txt").write_text(
        "[takujo.games]\nquoits = outer.quoits\n"
    )
    assert "The game outer.quoits stays off the shelf" in asked(tmp_path, "manage.py", "check", **environment)


def test_all_games_of_this_repository_are_registered() -> None:
    assert registry.left_out() == {}
    assert folder_of("journey") == settings.BASE_DIR / "sessions" / "modules" / "journey"
