"""Adapter for games of contract 1, from before ``sessions.game``: its Module had no groups of fields."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Generic

from sessions import game
from sessions.game import (
    BadTable,
    Cover,
    Digest,
    Event,
    IllegalMove,
    Json,
    Move,
    Outcome,
    Seat,
    Sheets,
    Study,
    nothing_hidden,
)
from sessions.game.module import M, S

__all__ = [
    "BadTable",
    "Cover",
    "Digest",
    "Event",
    "IllegalMove",
    "Json",
    "Module",
    "Move",
    "Outcome",
    "Seat",
    "Sheets",
    "Study",
    "nothing_hidden",
]

#: Fields of contract 1 that have moved: their group today, and their name in it.
GROUPED = {
    "opened": ("secrets", "opened"),
    "veil": ("secrets", "veil"),
    "peek": ("secrets", "peek"),
    "bot": ("bots", "plain"),
    "strong_bot": ("bots", "strong"),
    "script": ("bots", "script"),
    "daily": ("tables", "daily"),
    "house_rules": ("tables", "house_rules"),
    "trial_options": ("tables", "trial_options"),
    "digest": ("telling", "digest"),
    "names": ("telling", "names"),
    "texts": ("telling", "texts"),
    "telling": ("telling", "fields"),
}
GROUPS: dict[str, Any] = {
    "secrets": game.Secrets,
    "bots": game.Bots,
    "tables": game.Tables,
    "telling": game.Telling,
}


class Module(Generic[S, M]):
    """The Module of contract 1. Calling it returns a ``sessions.game.Module``."""

    def __new__(cls, **given: Any) -> game.Module[S, M]:  # type: ignore[misc]
        grouped: dict[str, dict[str, Any]] = defaultdict(dict)
        for name in given.keys() & GROUPED:
            group, now = GROUPED[name]
            grouped[group][now] = given.pop(name)
        groups = {group: GROUPS[group](**fields) for group, fields in grouped.items()}
        return game.Module(contract=1, **given, **groups)
