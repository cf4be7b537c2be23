"""The name of a game, from its own catalogue."""

from __future__ import annotations

from companion import drawing
from sessions.models import Table


def title_of(table: Table) -> str:
    return drawing.draw((f"tables/{table.module}/_title.jinja",), {})
