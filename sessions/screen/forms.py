"""Forms for moves: what a template writes into a ``<form>``, checked against the move it is to become."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from companion.drawing.scene import of_template
from sessions.engine.forms import Form, Kind, forms
from sessions.engine.shelf import shelf
from sessions.engine.undo import Undo

#: So many forms are remembered: most stand on several pages of a table, and stay for many moves.
KEPT = 4096
IN_AN_ATTRIBUTE = str.maketrans({"&": "&amp;", "'": "&#39;", "<": "&lt;"})


class NoSuchMove(ValueError):
    """A template asks for a move that its game has not, or for a field that the move has not."""


def of_game(key: str) -> Mapping[str, Form]:
    """Return the forms of a game's moves, and of taking one back.

    Templates that all games share may use what any of them knows.

    :param key: a game's, or anything else for all games together.
    """
    known = shelf()
    own = [known[key]] if key in known else known.values()
    return forms(*(module.move for module in own), Undo)


@lru_cache(maxsize=KEPT, typed=True)
def sends(key: str, kind: str, **fixed: str | int | bool | None) -> SafeString:
    """Return the attributes that make a form send a move of a game.

    The controls of the form fill in the other fields by their names; static/js/live.js is told the kinds of
    those that are more than texts.

    :param fixed: the fields that nobody fills in, plain values; structures are what a control fills in.
    :raises NoSuchMove:
    """
    form = of_game(key).get(kind)
    if form is None:
        raise NoSuchMove(f"{key} has no move {kind!r}")
    if misfit := form.misfit(fixed):
        raise NoSuchMove(f"{key}: {kind}.{misfit} cannot be {fixed[misfit]!r}")
    move = _attribute("data-move", {"type": kind, **fixed})
    kinds = _but_texts({name: each for name, each in form.kinds.items() if name not in fixed})
    return move + _attribute(" data-kinds", kinds) if kinds else move


def _but_texts(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    return {name: _told(kind) for name, kind in kinds.items() if kind != "text"}


def _told(kind: Kind) -> Kind:
    if isinstance(kind, list):  # A structure in a list is filled in whole.
        return kind if isinstance(kind[0], str) else ["json"]
    return _but_texts(kind) if isinstance(kind, dict) else kind


def _attribute(name: str, value: Mapping[str, Any]) -> SafeString:
    escaped = json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(IN_AN_ATTRIBUTE)
    return mark_safe(f"{name}='{escaped}'")  # noqa: S308 (escaped above)


@of_template
def sends_here(template: str, kind: str, **fixed: Any) -> SafeString:
    """Return the same for a game's own template: ``<form {{ sends("deal", seat=other, count=1) }}>``."""
    return sends(template.split("/")[1], kind, **fixed)
