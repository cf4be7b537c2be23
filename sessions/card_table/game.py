"""The game of the card table: the registered game that has a GM and uses character sheets."""

from __future__ import annotations

from sessions.engine.shelf import registry
from sessions.game import AnyModule


def card_game() -> AnyModule:
    return next(module for module in registry().values() if module.gm and module.sheets)
