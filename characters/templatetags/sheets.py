"""Template tags for faces, and filters for sheets and ledgers."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from characters import faces, rules
from characters.approval import beyond_creation
from characters.differences import item_line
from characters.models import Character, FacePicture

register = template.Library()


@register.simple_tag
def face(character: Character) -> SafeString:
    return faces.face(character)


@register.simple_tag
def face_picture(labelled: FacePicture) -> SafeString:
    return faces.portrait(labelled.picture)


@register.simple_tag
def emblem(name: str, suits: str = "") -> SafeString:
    return faces.emblem(name, suits)


@register.filter
def beyond(character: Character) -> list[str]:
    """Return one sentence for each value that exceeds every creation."""
    return beyond_creation(character)


@register.simple_tag
def usual_hp() -> int:
    """Return the most frequent maximum HP of six cards."""
    return rules.HP_USUAL


@register.filter
def item_lines(sheet: dict[str, Any]) -> list[str]:
    """Return the name, kind and value of each item in a snapshot."""
    return [item_line(item) for item in sheet["items"]]


@register.filter
def signed(points: int) -> str:
    """Return points with a sign: "+8", "−25"."""
    return f"{points:+}".replace("-", "−")
