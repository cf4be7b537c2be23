"""Filters of sheets and their ledger."""

from __future__ import annotations

from typing import Any

from django import template

from characters.differences import item_line

register = template.Library()


@register.filter
def item_lines(sheet: dict[str, Any]) -> list[str]:
    """Return each item of a kept sheet as its name and value."""
    return [item_line(item) for item in sheet["items"]]


@register.filter
def signed(points: int) -> str:
    """Return points with their sign, as a ledger writes them: "+8", "−25"."""
    return f"{points:+}".replace("-", "−")
