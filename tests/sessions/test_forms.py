"""Forms fit the moves they send: on every screen of random games, and where a template is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine.forms import forms
from sessions.game import Move
from sessions.game_tests.screens import Drawn
from sessions.templatetags.table import NoSuchMove, move_attributes


class Inner(Move, frozen=True, tag="inner"):
    """A move for these tests: one of each kind of field."""

    seat: str
    count: int
    surely: bool
    npc: str | None
    cards: tuple[str, ...]
    loose: int | str
    text: str = ""


def test_a_forms_field_kinds_follow_the_types_of_the_move() -> None:
    form = forms(Inner)["inner"]
    assert form.kinds == {
        "seat": "text",
        "count": "int",
        "surely": "bool",
        "npc": "text?",
        "cards": ["text"],
        "loose": "json",
        "text": "text-",
    }
    assert form.required == {"seat", "count", "surely", "npc", "cards", "loose"}


@pytest.mark.parametrize(
    "given",
    [
        {"sead": "p1"},
        {"count": "1"},
        {"count": True},
        {"seat": None},
        {"surely": 1},
        {"cards": "p1"},
        {"cards": [1]},
    ],
)
def test_a_form_value_that_does_not_fit_the_move_is_named(given: dict[str, Any]) -> None:
    assert forms(Inner)["inner"].misfit({"npc": None, "text": "", **given}) == next(iter(given))


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("shoots", {}, "no move 'shoots'"),
        ("shoot", {"seat": "p1"}, "shoot.seat"),
        ("bite", {"position": "0"}, "bite.position cannot be '0'"),
        ("place", {}, "no move 'place'"),  # another game's
    ],
)
def test_a_form_for_an_unknown_move_or_a_wrong_value_is_not_rendered(
    kind: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(NoSuchMove, match=told):
        move_attributes("goodcop", kind, **given)


def test_html_in_a_forms_values_cannot_leave_the_attribute() -> None:
    drawn = move_attributes("goodcop", "aim", seat="'><script>&amp;\"")
    assert drawn.count("'") == 2
    assert Drawn(f"<form {drawn}></form>").forms == [({"type": "aim", "seat": "'><script>&amp;\""}, set())]
