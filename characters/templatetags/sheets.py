"""Template tags for a sheet: faces, the exports, the printed page, and filters for values and ledgers."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters import access, rendering, rules
from characters.models import Character, FacePicture
from characters.refusals import beyond_creation
from characters.views import exchange
from characters.views.history import item_line

register = template.Library()


register.simple_tag(rendering.face)
register.simple_tag(rendering.emblem)
register.filter("beyond", beyond_creation)


@register.simple_tag
def face_picture(labelled: FacePicture) -> SafeString:
    return rendering.portrait(labelled.picture)


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


@register.inclusion_tag("characters/_exports.html", takes_context=True)
def exports(context: dict[str, Any], character: Character) -> dict[str, Any]:
    """Render the exports. The page contains the CCFOLIA piece, so that copying needs no request."""
    return {"character": character, "ccfolia": exchange.ccfolia_text(context["request"], character)}


@register.simple_tag
def alternate(character: Character, share_key: str = "") -> SafeString:
    """Link to the JSON of a sheet if it is public or shown by its share link, "" otherwise."""
    if not share_key and not access.is_public(character):
        return SafeString("")
    name, key = ("exports:shared", share_key) if share_key else ("exports:json", character.pk)
    address = reverse(name, args=[key])
    return format_html('<link rel="alternate" type="application/json" href="{}">', address)


@register.inclusion_tag("characters/_paper.html")
def paper(character: Character) -> dict[str, Any]:
    """Render a character on one A4 page, which is shown only in print."""
    fitted = rendering.fit_on_paper(
        name=character.name,
        concept=character.concept,
        skills=[skill.name for skill in character.skills.all()],
        items=[item.name for item in character.items.all()],
        background=character.background,
    )
    return {"character": character, "paper": fitted}
