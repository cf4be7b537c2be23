"""Jinja renders nothing for an undefined name: here such names are found."""

from __future__ import annotations

from pathlib import Path

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


def test_every_name_that_a_template_reads_is_defined() -> None:
    env: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    trees = {path: env.parse((ROOT / path).read_text()) for path in TEMPLATES}
    # What some template sets, those it includes may read.
    names = [name for tree in trees.values() for name in tree.find_all(nodes.Name)]
    known = {
        *env.globals,
        *SENTENCES,
        *ScreenView.SHOWN,
        *(name.name for name in names if name.ctx != "load"),
    }
    read = {path: meta.find_undeclared_variables(tree) - known for path, tree in trees.items()}
    assert {path: left for path, found in read.items() if (left := found - GIVEN.get(path.stem, set()))} == {}
