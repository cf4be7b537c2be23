"""A character's faces as screens show them: its portrait or its emblem, and the pictures it speaks with."""

from __future__ import annotations

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.models import Character
from companion.models import Picture


def face(character: Character) -> SafeString:
    """Draw a face. It says nothing to screen readers: the name stands beside it."""
    if character.portrait:
        return portrait(character.portrait)
    return emblem(character.emblem, character.suits)


def portrait(picture: Picture, label: str = "") -> SafeString:
    """Draw a picture as a face. Its label, if it has one, is read to those who do not see it."""
    return format_html(
        '<span class="portrait"><img src="{}" alt="{}" width="{}" height="{}" decoding="async"></span>',
        picture.get_absolute_url(),
        label,
        picture.width,
        picture.height,
    )


def emblem(name: str, suits: str = "") -> SafeString:
    """Draw an emblem in the colour of the first of these suits."""
    return format_html(
        '<span class="portrait emblem" data-suit="{}"><svg class="icon" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg></span>',
        suits[:1],
        static("characters/emblems.svg"),
        name,
    )
