"""Draws the templates of this game, for its tests."""

from __future__ import annotations

from django.template.loader import get_template
from django.utils import translation

NAMES = {f"p{number}": f"人{number}" for number in range(1, 9)}


def draw(name: str, language: str, **context: object) -> str:
    with translation.override(language):
        template = get_template(f"tables/starter/_{name}.jinja", using="jinja2")
        return str(template.render({"names": NAMES, **context})).strip()
