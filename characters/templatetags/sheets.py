"""Template tags for a sheet: faces, the exports, the printed page, values and ledgers, and links to rules."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from characters import access, rules
from characters.models import Character, FacePicture
from characters.paper import fit_on_paper
from characters.refusals import excess_sentences
from characters.services import faces
from characters.views import exchange
from characters.views.history import item_line

register = template.Library()
_RULE = re.compile(r"\bUC-\d+(?:\.\d+)?\b")
#: Rule ids in brackets, with the blank before them, or a text of rule ids only.
_MENTIONS = re.compile(r"\s?[(（][^()（）]*\bUC-\d[^()（）]*[)）]|^UC-[\d.]+(?:, UC-[\d.]+)*$")

register.simple_tag(faces.render_face, name="face")
register.simple_tag(faces.render_emblem, name="emblem")
register.filter("beyond", excess_sentences)


@register.simple_tag
def face_picture(labelled: FacePicture) -> SafeString:
    return faces.render_portrait(labelled.picture)


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
    fitted = fit_on_paper(
        name=character.name,
        concept=character.concept,
        skills=[skill.name for skill in character.skills.all()],
        items=[item.name for item in character.items.all()],
        background=character.background,
    )
    return {"character": character, "paper": fitted}


@register.filter
def rule_links(text: str) -> SafeString:
    """Turn the rule ids of a text ("UC-1.3") into links that open the rules in a new tab.

    Each bracket of ids is one element, which ``_rules_toggle.html`` can show and hide.
    """
    page = reverse("play:rules", args=["uroboros"])

    def link(mention: re.Match[str]) -> str:
        return format_html('<a class="rule-id" href="{0}#{1}" target="_blank">{1}</a>', page, mention[0])

    def bracket(mentions: re.Match[str]) -> str:
        return f'<span class="rule-ref">{_RULE.sub(link, mentions[0])}</span>'

    escaped = conditional_escape(text)
    marked = _MENTIONS.sub(bracket, escaped) if _MENTIONS.search(escaped) else _RULE.sub(link, escaped)
    return mark_safe(marked)  # noqa: S308 (escaped above)
