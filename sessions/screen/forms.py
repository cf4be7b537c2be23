"""Attributes that a template writes into a ``<form>`` to send a move, checked against the move's type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from companion.drawing.scene import of_template
from sessions.engine.forms import Form, Kind, forms
from sessions.engine.shelf import registry
from sessions.engine.undo import Undo

#: Cached forms. Most appear on several pages of a table and stay the same for many moves.
FORMS_KEPT = 4096
IN_AN_ATTRIBUTE = str.maketrans({"&": "&amp;", "'": "&#39;", "<": "&lt;"})


class NoSuchMove(ValueError):
    """A template names a move that its game does not have, or a field or value that the move lacks."""


def forms_of_game(key: str) -> Mapping[str, Form]:
    """Return the forms of a game's moves, and of the undo move.

    Templates that all games share may use the moves of every game.

    :param key: the key of a game; any other string selects all games together.
    """
    known = registry()
    own = [known[key]] if key in known else known.values()
    return forms(*(module.move for module in own), Undo)


@lru_cache(maxsize=FORMS_KEPT, typed=True)
def move_attributes(key: str, kind: str, **fixed: str | int | bool | None) -> SafeString:
    """Return the attributes that make a form send a move of a game.

    The controls of the form fill in the other fields by their names. For those that are not plain text,
    ``data-kinds`` gives static/js/live.js their kinds.

    :param fixed: plain values of the fields that no control fills in; a structure needs a control.
    :raises NoSuchMove: the game has no such move, or the move no such field or value.
    """
    form = forms_of_game(key).get(kind)
    if form is None:
        raise NoSuchMove(f"{key} has no move {kind!r}")
    if misfit := form.misfit(fixed):
        raise NoSuchMove(f"{key}: {kind}.{misfit} cannot be {fixed[misfit]!r}")
    move = _attribute("data-move", {"type": kind, **fixed})
    kinds = _but_texts({name: each for name, each in form.kinds.items() if name not in fixed})
    return move + _attribute(" data-kinds", kinds) if kinds else move


def _but_texts(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    return {name: _kind_to_send(kind) for name, kind in kinds.items() if kind != "text"}


def _kind_to_send(kind: Kind) -> Kind:
    if isinstance(kind, list):  # A list of structures is filled in as one JSON value.
        return kind if isinstance(kind[0], str) else ["json"]
    return _but_texts(kind) if isinstance(kind, dict) else kind


def _attribute(name: str, value: Mapping[str, Any]) -> SafeString:
    escaped = json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(IN_AN_ATTRIBUTE)
    return mark_safe(f"{name}='{escaped}'")  # noqa: S308 (escaped above)


@of_template
def sends_here(template: str, kind: str, **fixed: Any) -> SafeString:
    """Return ``sends`` for the game whose template calls this: ``<form {{ sends("deal", count=1) }}>``."""
    return move_attributes(template.split("/")[1], kind, **fixed)
