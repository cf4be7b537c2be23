"""The name of a game, as its own words have it."""

from __future__ import annotations

from django.template.loader import render_to_string

from sessions.models import Table


def title_of(table: Table) -> str:
    """Return the name of the game."""
    return render_to_string(f"tables/{table.module}/_title.html").strip()
