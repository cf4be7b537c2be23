"""A character's face as every screen shows it: its portrait, or its emblem in the colour of its suit."""

from __future__ import annotations

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.models import Character


def face(character: Character) -> SafeString:
    """Draw a face. It says nothing to screen readers: the name stands beside it."""
    if character.portrait:
        inside = format_html(
            '<img src="{}" alt="" width="{}" height="{}" decoding="async">',
            character.portrait.get_absolute_url(),
            character.portrait.width,
            character.portrait.height,
        )
        return format_html('<span class="portrait">{}</span>', inside)
    return emblem(character.emblem, character.suits)


def emblem(name: str, suits: str = "") -> SafeString:
    """Draw an emblem in the colour of the first of these suits."""
    return format_html(
        '<span class="portrait emblem" data-suit="{}"><svg class="icon" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg></span>',
        suits[:1],
        static("characters/emblems.svg"),
        name,
    )
