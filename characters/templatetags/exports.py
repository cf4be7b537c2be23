"""What a sheet has to take along."""

from __future__ import annotations

from typing import Any

from django import template

from characters import exports as ways
from characters.models import Character

register = template.Library()


@register.inclusion_tag("characters/_exports.html", takes_context=True)
def exports(context: dict[str, Any], character: Character) -> dict[str, Any]:
    """Draw the ways out. The piece is in the page, so that a tap copies it without asking the server."""
    return {"character": character, "ccfolia": ways.ccfolia_text(context["request"], character)}
