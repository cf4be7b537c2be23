"""The name of a game, from its own catalogue."""

from __future__ import annotations

from companion import drawing
from sessions.models import Table


def title_of(table: Table) -> str:
    """Return the name of a table's game; its key if the game is not installed."""
    return title_of_game(table.module) if table.has_its_game else table.module


def title_of_game(key: str) -> str:
    return drawing.render_first((f"tables/{key}/_title.jinja",), {})
