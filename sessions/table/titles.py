"""The name of a game, as its own words have it."""

from __future__ import annotations

from companion import jinja
from sessions.models import Table


def title_of(table: Table) -> str:
    """Return the name of the game."""
    return jinja.draw((f"tables/{table.module}/_title.jinja",), {})
