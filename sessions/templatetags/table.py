"""Template tags of a table's pages: the places of regions, and the attributes of forms that send moves.

``{% region "hand" %}`` is the place where a screen shows a region, which its websocket keeps up to date.
The attributes of a form are checked against the type of its move. Django's templates call ``sends``, and
Jinja's call ``sends_here`` by the same name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django import template
from django.template import Context
from django.template.base import Parser, Token
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from characters.models.sheets import Emblem
from characters.services.faces import render_emblem, render_face, render_portrait
from companion.models import Picture
from companion.rendering.engine import takes_template_name
from sessions.engine.forms import Form, Kind, forms
from sessions.engine.registry import registry
from sessions.engine.undo import Undo
from sessions.evening.announcements import EMOTES
from sessions.models import Message, Seat, Session, Tab
from sessions.table.slow_tables import table_title

register = template.Library()
register.filter("game_title", table_title)

#: The rendered lines of chats that a process keeps: those of about ten busy sessions.
LINES_KEPT = 2_000
#: What an element of a region says about the region to the styles of everything round it.
SHOWS = re.compile(r' data-shows="([^"]*)"')


@register.simple_tag(takes_context=True)
def sends(context: Context, kind: str, **fixed: Any) -> SafeString:
    """Return the attributes that make a form send a move of the game: ``<form {% sends "end" %}>``."""
    return move_attributes(context["table"].module, kind, **fixed)


@register.simple_tag(takes_context=True)
def page_state(context: Context) -> str:
    """Return the words that a page's regions say of themselves; static/js/live.js keeps them current."""
    regions: dict[str, str] = context.get("regions") or {}
    said = SHOWS.findall("".join(regions.values()))
    return " ".join(sorted({word for words in said for word in words.split()}))


class ChatLine(NamedTuple):
    """All that the template of a chat message uses: equal lines have the same HTML."""

    session_pk: int
    id: UUID
    sent_at: datetime
    face: str  #: as HTML; "" for a line without one
    name: str
    text: str
    roll_result: str  #: "" for a line that is no roll with a target
    has_held: bool
    is_own: bool
    is_the_gms: bool  #: and the name does not say so
    receivers: tuple[str, ...]
    is_whisper: bool
    open_to_gm: bool
    is_edited: bool
    is_deleted: bool
    is_editable: bool
    changes: tuple[tuple[Any, ...], ...]


@lru_cache(LINES_KEPT)
def _render_line(line: ChatLine, language: str) -> SafeString:
    """Render a line in this language, which is the active one."""
    return render_to_string("sessions/_message.html", {"line": line})


@register.simple_tag
def emotes() -> list[tuple[str, str]]:
    return [(kind, str(word)) for kind, word in EMOTES.items()]


@register.simple_tag
def spoken_with(message: Message, npc_pictures: Mapping[str, Picture] | None = None) -> SafeString:
    """Render the face of a message: the one chosen for it, or the usual one of its speaker, or a mask.

    :param npc_pictures: the pictures of NPCs that come from a scenario, by their names.
    """
    if message.face:
        return render_portrait(message.face.picture, message.face.label)
    if message.npc and message.npc.picture:
        return render_portrait(message.npc.picture)
    if message.character:
        return render_face(message.character)
    if npc_pictures and message.author.is_gm and message.spoken_as in npc_pictures:
        return render_portrait(npc_pictures[message.spoken_as])
    return render_emblem(Emblem.MASK)


@register.simple_tag(takes_context=True)
def chat_line(context: Context, message: Message) -> SafeString:
    """Render a message of the chat as the reader sees it."""
    session: Session = context["session"]
    reader: Seat | None = context["my_seat"]
    is_own = reader is not None and message.author_id == reader.pk
    is_whisper = message.tab == Tab.WHISPER
    line = ChatLine(
        session.pk,
        message.pk,
        message.sent_at,
        face=spoken_with(message) if message.character or (message.npc and message.npc.picture) else "",
        name=message.spoken_as,
        text=message.text,
        roll_result=message.roll_result,
        has_held=bool((message.rolled or {}).get("held")),
        is_own=is_own,
        is_the_gms=message.author.is_gm and message.spoken_as != message.author.name,
        receivers=tuple(seat.name for seat in message.to.all()) if is_whisper else (),
        is_whisper=is_whisper,
        open_to_gm=message.open_to_gm,
        is_edited=message.edited_at is not None,
        is_deleted=message.deleted_at is not None,
        is_editable=is_own and not (message.deleted_at or message.rolled or session.ended_at),
        changes=tuple(tuple(change) for change in message.changes),
    )
    return _render_line(line, get_language())


@register.simple_tag
def npc_face(picture: Picture | None) -> SafeString:
    return render_portrait(picture) if picture else SafeString("")


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


class NoSuchMove(ValueError):
    """A template names a move that its game does not have, or a field or value that the move lacks."""


def forms_of_game(key: str) -> Mapping[str, Form]:
    """Return the forms of a game's moves, and of the undo move.

    Templates that all games share may use the moves of every game.

    :param key: the key of a game; any other string selects all games together.
    """
    known = registry()
    own = [known[key]] if key in known else known.values()
    return forms(*(module.move for module in own), Undo)


@lru_cache(maxsize=4096, typed=True)  # most forms are on several pages, and stay the same for many moves
def move_attributes(key: str, kind: str, **fixed: str | int | bool | None) -> SafeString:
    """Return the attributes that make a form send a move of a game.

    The controls of the form fill in the other fields by their names. For those that are not plain text,
    ``data-kinds`` gives static/js/live.js their kinds.

    :param fixed: plain values of the fields that no control fills in; a structure needs a control.
    :raises NoSuchMove: the game has no such move, or the move no such field or value.
    """
    form = forms_of_game(key).get(kind)
    if form is None:
        raise NoSuchMove(f"{key} has no move {kind!r}")
    if misfit := form.misfit(fixed):
        raise NoSuchMove(f"{key}: {kind}.{misfit} cannot be {fixed[misfit]!r}")
    move = _attribute("data-move", {"type": kind, **fixed})
    kinds = _but_texts({name: each for name, each in form.kinds.items() if name not in fixed})
    return move + _attribute(" data-kinds", kinds) if kinds else move


def _but_texts(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    return {name: _kind_to_send(kind) for name, kind in kinds.items() if kind != "text"}


def _kind_to_send(kind: Kind) -> Kind:
    if isinstance(kind, list):  # A list of structures is filled in as one JSON value.
        return kind if isinstance(kind[0], str) else ["json"]
    return _but_texts(kind) if isinstance(kind, dict) else kind


IN_AN_ATTRIBUTE = str.maketrans({"&": "&amp;", "'": "&#39;", "<": "&lt;"})


def _attribute(name: str, value: Mapping[str, Any]) -> SafeString:
    escaped = json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(IN_AN_ATTRIBUTE)
    return mark_safe(f"{name}='{escaped}'")  # noqa: S308 (escaped above)


@takes_template_name
def sends_here(template: str, kind: str, **fixed: Any) -> SafeString:
    """Return ``sends`` for the game whose template calls this: ``<form {{ sends("deal", count=1) }}>``."""
    return move_attributes(template.split("/")[1], kind, **fixed)
