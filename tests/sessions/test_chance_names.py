"""What a proof calls each shuffle and roll, in every complete language."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.utils import translation

from companion import rendering
from sessions import modules
from sessions.engine.registry import registry
from sessions.modules.goodcop.state import Dice
from tests.words import COMPLETE

#: Chance that is no table's own: what a bot makes up its mind with, and states that nobody can tell apart.
ASIDE = {"bot.py", "strong_bot.py", "resample.py", "view.py"}
#: Names that the sources do not say where they shuffle and roll.
BY_VARIABLE = {"goodcop": set(Dice.__args__), "twentyfour": {"green", "red"}}  # type: ignore[attr-defined]


def named(key: str) -> set[str]:
    found = set(BY_VARIABLE.get(key, ()))
    for path in (Path(modules.__path__[0]) / key).glob("*.py"):
        if path.name in ASIDE:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="shuffle" | "roll"), args=[ast.Constant(name), *_]):
                    found.add(str(name))
    return found


@pytest.mark.parametrize("key", registry())
@pytest.mark.parametrize("language", COMPLETE)
def test_every_shuffle_and_roll_of_a_game_has_a_translated_name(key: str, language: str) -> None:
    names, templates = named(key), (f"tables/{key}/_chance.jinja", "tables/_chance.jinja")
    assert names, "nothing found: this test could not have failed"
    with translation.override(language):
        said = {name: str(rendering.render_first(templates, {"name": name})).strip() for name in names}
    assert {name for name, words in said.items() if words == name} == set()
    if language == "ja":
        assert {name for name, words in said.items() if words.isascii()} == set()
