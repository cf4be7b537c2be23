"""Template tags for the exports of a sheet."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters import access
from characters import exports as ways
from characters.models import Character

register = template.Library()


@register.inclusion_tag("characters/_exports.html", takes_context=True)
def exports(context: dict[str, Any], character: Character) -> dict[str, Any]:
    """Render the exports. The page contains the CCFOLIA piece, so that copying needs no request."""
    return {"character": character, "ccfolia": ways.ccfolia_text(context["request"], character)}


@register.simple_tag
def alternate(character: Character, share_key: str = "") -> SafeString:
    """Link to the JSON of a sheet if it is public or shown by its share link, "" otherwise."""
    if not share_key and not access.is_public(character):
        return SafeString("")
    name, key = ("exports:shared", share_key) if share_key else ("exports:json", character.pk)
    address = reverse(name, args=[key])
    return format_html('<link rel="alternate" type="application/json" href="{}">', address)
