"""Tags of every template: icons, and the light a person reads by."""

from __future__ import annotations

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

THEMES = ("device", "dark", "light")


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw one symbol of the icon sheet, hidden from screen readers: the words beside it speak."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag(takes_context=True)
def theme(context: dict[str, Any], default: str = "device") -> str:
    """Return the light this device asked for: "device", "dark" or "light"."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme") if request else None
    return chosen if chosen in THEMES else default


@register.filter
def times(count: int) -> range:
    """Return that many turns of a loop, none for a negative number."""
    return range(max(0, int(count or 0)))
