"""``{% region "hand" %}``: where a screen places a piece of the table that is kept up to date."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.base import Parser, Token
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


class RegionNode(template.Node):
    """The place of a region. Its HTML was drawn before, from the view of the seat or, if shared, of a spectator."""

    def __init__(self, region: str, *, shared: bool) -> None:
        self.region, self.shared = region, shared

    def render(self, context: Any) -> SafeString:
        return mark_safe(context["regions"][self.region])  # noqa: S308 (drawn by our own templates)


@register.tag
def region(parser: Parser, token: Token) -> RegionNode:
    """Place a region: ``{% region "hand" %}`` of the own view, ``{% region "board" shared %}`` the same for all."""
    match token.split_contents():
        case [_, name]:
            return RegionNode(name.strip("\"'"), shared=False)
        case [_, name, "shared"]:
            return RegionNode(name.strip("\"'"), shared=True)
    raise template.TemplateSyntaxError('{% region "name" %} or {% region "name" shared %}')
