"""The exports of a sheet."""

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
    """Draw the exports. The piece is part of the page, so that a tap copies it without asking the server."""
    return {"character": character, "ccfolia": ways.ccfolia_text(context["request"], character)}


@register.simple_tag
def alternate(character: Character, share_key: str = "") -> SafeString:
    """Name the address that programs read, on the page of a public sheet and on that behind a share link."""
    if not share_key and not access.is_public(character):
        return SafeString("")
    name, key = ("exports:shared", share_key) if share_key else ("exports:json", character.pk)
    address = reverse(name, args=[key])
    return format_html('<link rel="alternate" type="application/json" href="{}">', address)
