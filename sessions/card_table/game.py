"""The game of the card table: the registered game that has a GM and uses character sheets."""

from __future__ import annotations

from sessions.engine.shelf import shelf
from sessions.game import AnyModule


def card_game() -> AnyModule:
    return next(module for module in shelf().values() if module.gm and module.sheets)
