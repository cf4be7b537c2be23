"""The shape of the project: labels, tables, imports, migrations, and complete game folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command

ROOT = settings.BASE_DIR
#: What ``:has()`` may look for in the styles of a table: a control inside its label, and a thing on its way.
HAS = re.compile(r":has\((?:(?::checked|:focus-visible|:disabled|> label|\.is-travelling))\)(?:::\w+)?$")
#: So many selectors of a page with ``:has()``, at most.
MOST_HAS = 17
#: What a page of a table says of itself, above all of its regions.
PAGE_STATE = re.compile(r"\[data-shows~=|\.is-coming|\.is-moment|\.own-moment|\.cards?-raised")
GAMES = sorted(path for path in settings.MODULES_DIR.iterdir() if (path / "__init__.py").exists())


def test_our_sessions_app_has_the_label_play() -> None:
    assert apps.get_app_config("play").name == "sessions"
    assert apps.get_app_config("sessions").name == "django.contrib.sessions"


@pytest.mark.parametrize("label", ["companion", "characters", "play"])
def test_database_tables_are_named_after_their_app(label: str) -> None:
    for model in apps.get_app_config(label).get_models():
        assert model._meta.db_table.startswith(f"{label}_")


def test_every_module_imports_only_modules_it_may_import() -> None:
    # A process of its own: the linter puts the project first on the path and keeps a cache.
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, env={**os.environ, "COLUMNS": "120"}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_migration_is_missing(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
@pytest.mark.parametrize(
    "part",
    [
        "RULES.md",
        "rules/ja.md",
        "rules/en.md",
        "templates/tables/{key}/*.html",
        "locale/ja/LC_MESSAGES/django.po",
        "playthroughs/*.json",
        "tests/test_*.py",
    ],
)
def test_every_game_folder_is_complete(game: Path, part: str) -> None:
    assert list(game.glob(part.format(key=game.name))), f"sessions/modules/{game.name} lacks {part}"


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_game_keeps_its_files_under_its_own_name(game: Path) -> None:
    for kind in ("templates", "static"):
        strangers = [
            path
            for path in (game / kind).glob("*/*")
            if path.parent.name != "tables" or path.name != game.name
        ]
        assert strangers == [], "other games would be shadowed"


#: The one that guards storage, and one that runs before it.
GUARDS = {"stored.js", "cover.js"}
UNGUARDED = re.compile(
    r"\b(?:localStorage|sessionStorage|indexedDB)\b|\bDate\.now\b|[-+] ?new Date\b|\.getTime\("
)


def test_no_template_reads_the_state_or_secret_of_a_table() -> None:
    """Pages have the row of their table for its addresses; state and secret are not for templates."""
    secrets = re.compile(r"\b(?:table|session)\.(?:secret|snapshot|before|options)\b")
    pages = [path for name in ("templates", "characters", "sessions") for path in (ROOT / name).rglob("*.*")]
    assert [
        (path.name, hit[0])
        for path in pages
        if path.suffix in (".html", ".jinja")
        for hit in secrets.finditer(path.read_text())
    ] == []


def test_scripts_do_not_depend_on_storage_or_the_wall_clock() -> None:
    folders = ("static/js", "characters/static", "sessions/modules")
    scripts = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.js"))]
    held = {path: UNGUARDED.findall(path.read_text("utf-8")) for path in scripts if path.name not in GUARDS}
    assert {path: found for path, found in held.items() if found} == {}


def styles_of_tables() -> list[Path]:
    """Return the style sheets that a page of a table loads, of all games together."""
    files = [ROOT / "static/css" / f"{name}.css" for name in ("table-page", "gm", "face", "speaker")]
    for file in files:  # grows while it is read
        files += [
            file.with_name(name) for name in re.findall(r'@import url\("(.+?)"\)', file.read_text("utf-8"))
        ]
    return files + [file for game in GAMES for file in sorted(game.rglob("*.css"))]


def selectors_of_tables() -> list[tuple[str, str]]:
    """Return each selector of these, with the name of its file."""
    sheets = {
        file: re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S) for file in styles_of_tables()
    }
    return [
        (file.name, one.strip())
        for file, sheet in sheets.items()
        for rule in re.findall(r"([^{};]+)\{", sheet)
        for one in re.split(r",(?![^(]*\))", rule)
    ]


def test_styles_of_a_table_use_has_for_its_controls_alone() -> None:
    """Each push would restyle the page: a region says its state by ``data-shows`` (docs/games.md)."""
    found = [(name, one) for name, one in selectors_of_tables() if ":has(" in one]
    assert [(name, one) for name, one in found if not HAS.search(one)] == []
    assert 0 < len(found) <= MOST_HAS


def test_a_state_of_the_page_styles_named_elements_alone() -> None:
    """A rule for any element would let browsers restyle all of the page whenever one of these changes."""
    found = [(name, one) for name, one in selectors_of_tables() if PAGE_STATE.search(one)]
    subjects = [(name, one, re.split(r"[ >+~]+(?![^(\[]*[)\]])", one)[-1]) for name, one in found]
    assert [
        (name, one) for name, one, last in subjects if not re.sub(r"::?(?!is\()[a-z-]+|\*", "", last)
    ] == []
    assert len(found) > 30
