"""``docs/games.md`` tells of the whole public face, and our own games use nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games import games
from sessions.live.screen_view import ScreenView
from tests.games_page import PAGE, made
from tests.servers import ROOT

FOLDERS = {game.key: game.folder for game in games() if game.folder}


@pytest.fixture(params=FOLDERS)
def folder(request: pytest.FixtureRequest) -> Path:
    return FOLDERS[request.param]


@cache
def page() -> str:
    return PAGE.read_text("utf-8")


def read(folder: Path, pattern: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.glob(pattern)) if path.is_file())


def told(names: Iterator[str] | set[str]) -> set[str]:
    """The names that the page does not tell of."""
    return {name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page())}


def test_generated_parts_of_the_games_page_match_the_code() -> None:
    assert made() == page(), "python -m tests.games_page writes it anew"


def test_the_games_page_names_every_value_of_a_region() -> None:
    assert told(set(ScreenView.SHOWN)) == set()


def test_a_game_imports_only_the_public_modules(folder: Path) -> None:
    code = "\n".join(
        path.read_text("utf-8")
        for path in folder.rglob("*.py")
        if "tests" not in path.relative_to(folder).parts
    )
    imported = set(
        re.findall(r"^\s*(?:from|import) ((?:companion|sessions|characters)[\w.]*)", code, re.MULTILINE)
    )
    assert imported <= {"sessions.game", "companion.cards"}


def test_the_games_page_names_attributes_read_by_shared_scripts(folder: Path) -> None:
    shared = read(ROOT / "static" / "js", "*.js")
    written = set(re.findall(r"data-[a-z]+(?:-[a-z]+)*", read(folder, "templates/**/*.*")))
    own = read(folder, "static/**/*.js")
    assert told({name for name in written if reads(shared, name) and not reads(own, name)}) == set()


def reads(script: str, attribute: str) -> bool:
    """True if a script knows the attribute, in a selector or as a property."""
    words = attribute.removeprefix("data-").split("-")
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    return re.search(rf"{attribute}(?![\w-])|dataset\.{camel}(?!\w)", script) is not None


def test_the_games_page_names_shared_scripts_and_templates(folder: Path) -> None:
    scripts = set(re.findall(r'import "\.\./\.\./js/(\w+)\.js"', read(folder, "static/**/*.js")))
    templates = read(folder, "templates/**/*.*")
    kit = set(re.findall(r'from "tables/(kit/\w+\.jinja)"', templates))
    assert told({f"{name}.js" for name in scripts} | kit) == set()


def test_the_games_page_names_shared_css_properties(folder: Path) -> None:
    styles = read(folder, "static/**/*.css")
    own = read(folder, "templates/**/*.*") + read(folder, "static/**/*.js")
    used = set(re.findall(r"var\((--[\w-]+)", styles)) - set(re.findall(r"(--[\w-]+)\s*:", styles))
    assert told({name for name in used if name not in own}) == set()
