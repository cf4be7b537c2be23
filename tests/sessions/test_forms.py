"""Forms fit the moves they send: on every screen of random games, and where a template is wrong."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from sessions.engine.forms import Form, forms
from sessions.engine.shelf import shelf
from sessions.game import Move
from sessions.screen.forms import NoSuchMove, of_game, sends
from sessions.screen.sights import Extra, Sight, everybodys
from tests.seeds import seeds
from tests.sessions.test_remembered import game, screens

CONTROLS = ("input", "select", "textarea", "button")


class Drawn(HTMLParser):
    """The forms of a screen: the move each sends, with the names of its controls."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[dict[str, Any], set[str]]] = []
        self.within = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.within = "data-move" in given
            if self.within:
                self.forms.append((json.loads(given["data-move"] or ""), set()))
        elif self.within and tag in CONTROLS and given.get("name"):
            self.forms[-1][1].update((given["name"] or "").split())

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.within = False


def kind_of(form: Form, control: str) -> Any:
    kind: Any = form.kinds
    for part in control.split("."):
        kind = kind.get(part) if isinstance(kind, dict) else None
    return kind


@pytest.mark.parametrize("seed", seeds(1, of=3))
@pytest.mark.parametrize("key", shelf())
def test_every_form_fills_in_its_move(key: str, seed: int) -> None:
    seen = set()
    for held in game(shelf()[key], seed):
        with translation.override(settings.LANGUAGE_CODE):
            shared = everybodys(held)
            for screen in screens(shelf()[key], held):
                sight = Sight(held, screen, Extra(can_undo=True), shared)
                for move, names in Drawn("".join(map(sight.draw, sight.every))).forms:
                    kind = move.pop("type")
                    form = of_game(key)[kind]
                    assert not form.misfit(move), (kind, move)
                    assert all(kind_of(form, name) for name in names), (kind, names)
                    filled = {name.partition(".")[0] for name in [*names, *move]}
                    assert form.required <= filled, (kind, names, move)
                    assert not names & set(move), (kind, "is given and asked for")
                    seen.add(kind)
    assert seen


class Inner(Move, frozen=True, tag="inner"):
    """A move for these tests: one of each kind of field."""

    seat: str
    count: int
    surely: bool
    npc: str | None
    cards: tuple[str, ...]
    loose: int | str
    text: str = ""


def test_kinds_are_those_of_the_move() -> None:
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
def test_what_does_not_fit_is_named(given: dict[str, Any]) -> None:
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
def test_a_wrong_form_is_not_drawn(kind: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(NoSuchMove, match=told):
        sends("goodcop", kind, **given)


def test_texts_cannot_leave_the_attribute() -> None:
    drawn = sends("goodcop", "aim", seat="'><script>&amp;\"")
    assert drawn.count("'") == 2
    assert Drawn(f"<form {drawn}></form>").forms == [({"type": "aim", "seat": "'><script>&amp;\""}, set())]
