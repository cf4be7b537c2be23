"""``{% region "hand" %}``: the place where a screen shows a region, which its websocket keeps up to date."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.template.base import Parser, Token
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from characters.faces import emblem, face, portrait
from characters.models.sheets import Emblem
from sessions.evening.emotes import EMOTES
from sessions.models import LibraryNpc, Message
from sessions.screen import forms
from sessions.table.titles import title_of

#: The emblem of a speaker without a face.
NOBODYS = Emblem.MASK

register = template.Library()
register.filter("game_title", title_of)


@register.simple_tag(takes_context=True)
def sends(context: Context, kind: str, **fixed: Any) -> SafeString:
    """Return the attributes that make a form send a move of the game: ``<form {% sends "end" %}>``."""
    return forms.move_attributes(context["table"].module, kind, **fixed)


@register.simple_tag
def emotes() -> list[tuple[str, str]]:
    """Return the emotes, each with its word: ``{% emotes as faces %}``."""
    return [(kind, str(word)) for kind, word in EMOTES.items()]


@register.simple_tag
def spoken_with(message: Message) -> SafeString:
    """Render the face of a message: the one chosen for it, or the usual one of its speaker."""
    if message.face:
        return portrait(message.face.picture, message.face.label)
    if message.npc and message.npc.picture:
        return portrait(message.npc.picture)
    return face(message.character) if message.character else emblem(NOBODYS)


@register.simple_tag
def npc_face(npc: LibraryNpc) -> SafeString:
    return portrait(npc.picture) if npc.picture else SafeString("")


class RegionNode(template.Node):
    """The place of a region, whose HTML is already rendered.

    ``source`` names the values of the region: the seat's own view ("own"), a spectator's, the same for all
    ("shared"), or the session round the table ("room").
    """

    def __init__(self, region: str, source: str) -> None:
        self.region, self.source = region, source

    def render(self, context: Any) -> SafeString:
        html: str | None = context["regions"].get(self.region)
        if html is None:
            # Inside a bottom sheet: rendered when the sheet is opened.
            return format_html('<div id="{}" class="to-come" aria-busy="true"></div>', self.region)
        return mark_safe(html)  # noqa: S308 (rendered by our own templates)


@register.tag
def region(parser: Parser, token: Token) -> RegionNode:
    """Place a region: ``{% region "hand" %}``, or ``… "board" shared %}``, or ``… "presence" room %}``."""
    match token.split_contents():
        case [_, name]:
            return RegionNode(name.strip("\"'"), "own")
        case [_, name, ("shared" | "room") as source]:
            return RegionNode(name.strip("\"'"), source)
    raise template.TemplateSyntaxError(
        '{% region "name" %}, {% region "name" shared %} or {% region "name" room %}'
    )
