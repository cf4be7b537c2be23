"""Forms for moves: what a template writes into a ``<form>``, checked against the move it is to become."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from companion.drawing.scene import of_template
from sessions.engine.forms import Form, forms
from sessions.engine.shelf import shelf
from sessions.engine.undo import Rewind, Undo

IN_AN_ATTRIBUTE = str.maketrans({"&": "&amp;", "'": "&#39;", "<": "&lt;"})


class NoSuchMove(ValueError):
    """A template asks for a move that its game has not, or for a field that the move has not."""


def of_game(key: str) -> Mapping[str, Form]:
    """Return the forms of a game's moves and of those that every table knows.

    Templates that all games share may use what any of them knows.

    :param key: a game's, or anything else for all games together.
    """
    known = shelf()
    own = [known[key]] if key in known else known.values()
    return forms(*(module.move for module in own), Undo, Rewind)


def as_json(key: str) -> str:
    """Return the kinds of the fields of a game's moves, for its pages."""
    kinds = {kind: form.kinds for kind, form in of_game(key).items()}
    return json.dumps(kinds, separators=(",", ":"))


def sends(key: str, kind: str, **fixed: Any) -> SafeString:
    """Return the attribute that makes a form send a move of a game.

    The controls of the form fill in the other fields by their names (static/js/live.js).

    :param fixed: the fields that nobody fills in.
    :raises NoSuchMove:
    """
    form = of_game(key).get(kind)
    if form is None:
        raise NoSuchMove(f"{key} has no move {kind!r}")
    if misfit := form.misfit(fixed):
        raise NoSuchMove(f"{key}: {kind}.{misfit} cannot be {fixed[misfit]!r}")
    move = json.dumps({"type": kind, **fixed}, ensure_ascii=False).translate(IN_AN_ATTRIBUTE)
    return mark_safe(f"data-move='{move}'")  # noqa: S308 (escaped above)


@of_template
def sends_here(template: str, kind: str, **fixed: Any) -> SafeString:
    """Return the same for a game's own template: ``<form {{ sends("deal", seat=other, count=1) }}>``."""
    return sends(template.split("/")[1], kind, **fixed)
