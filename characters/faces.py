"""HTML of a character's faces: its portrait or its emblem, and the pictures for its chat lines."""

from __future__ import annotations

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.models import Character
from companion.models import Picture


def face(character: Character) -> SafeString:
    """Render the portrait or the emblem. Screen readers skip it, as the name is always next to it."""
    if character.portrait:
        return portrait(character.portrait)
    return emblem(character.emblem, character.suits)


def portrait(picture: Picture, label: str = "") -> SafeString:
    """Render a picture as a face, with its label as the alternative text."""
    return format_html(
        '<span class="portrait"><img src="{}" alt="{}" width="{}" height="{}" decoding="async"></span>',
        picture.get_absolute_url(),
        label,
        picture.width,
        picture.height,
    )


def emblem(name: str, suits: str = "") -> SafeString:
    """Render an emblem in the colour of the first of these suits."""
    return format_html(
        '<span class="portrait emblem" data-suit="{}"><svg class="icon" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg></span>',
        suits[:1],
        static("characters/emblems.svg"),
        name,
    )
