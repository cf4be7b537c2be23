"""Jinja renders nothing for an undefined name: here such names are found."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from jinja2 import Environment, meta, nodes

from companion.rendering.expressions import SENTENCES
from sessions.live.screen_view import ScreenView

ROOT: Path = settings.BASE_DIR
TEMPLATES = [
    path.relative_to(ROOT)
    for folder in ("templates", "sessions", "characters", "companion", "tests")
    for path in sorted((ROOT / folder).rglob("*.jinja"))
]
#: The values of templates that are drawn for once, besides those of a sight.
GIVEN = {
    "_bot_played": {"event"},
    "_card": {"named", "decorative"},
    "_card_back": {"decorative"},
    "_entry": {"move", "back", "anchor"},
    "_event": {"event"},
    "_first_game_over": {"end"},
    "_highlight": {"event"},
    "_option": {"option", "value"},
    "_outcome": {"outcome", "winners"},
    "_refusal": {"code", "details"},
    "_sent": {"outcome", "highlights"},
    "_sheet_head": {"id", "title"},
    "_stood_in": {"event"},
    "_undo_event": {"event"},
}


@pytest.fixture(scope="module")
def env() -> Environment:
    found: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    return found


@pytest.fixture(scope="module")
def passed_on(env: Environment) -> set[str]:
    """The names that some template sets: those it includes may read them."""
    found: set[str] = set()
    for path in TEMPLATES:
        tree = env.parse((ROOT / path).read_text())
        found |= {name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"}
    return found


@pytest.mark.parametrize("path", TEMPLATES, ids=str)
def test_a_template_reads_no_name_that_nobody_gives_it(
    path: Path, env: Environment, passed_on: set[str]
) -> None:
    read = meta.find_undeclared_variables(env.parse((ROOT / path).read_text()))
    assert read <= {*env.globals, *SENTENCES, *ScreenView.SHOWN, *passed_on, *GIVEN.get(path.stem, ())}
