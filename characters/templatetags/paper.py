"""Template tag for the printed sheet."""

from __future__ import annotations

from typing import Any

from django import template

from characters import paper as page
from characters.models import Character

register = template.Library()


@register.inclusion_tag("characters/_paper.html")
def paper(character: Character) -> dict[str, Any]:
    """Render a character on one A4 page, which is shown only in print."""
    fitted = page.fit_on_paper(
        name=character.name,
        concept=character.concept,
        skills=[skill.name for skill in character.skills.all()],
        items=[item.name for item in character.items.all()],
        background=character.background,
    )
    return {"character": character, "paper": fitted}
