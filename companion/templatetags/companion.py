"""Template tags for all pages: icons, rows, sheets, the theme and others."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from django import template
from django.conf import settings
from django.shortcuts import resolve_url
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from companion.identity import person_links
from companion.models import Person, PersonLink
from companion.push.encryption import public_key
from companion.version import version

register = template.Library()

THEMES = ("device", "dark", "light")


@register.simple_tag
def icon(name: str) -> SafeString:
    """Render one symbol of the icon sheet, hidden from screen readers: the text beside it has the meaning."""
    return _render_icon(str(name))


@lru_cache(maxsize=512)
def _render_icon(name: str) -> SafeString:
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.filter
def only_partly(language: str) -> str:
    """Return the note of a partly translated language; "" for a fully translated one."""
    return str(settings.PARTLY_TRANSLATED.get(language, ""))


@register.simple_tag
def link_row(to: Any, *args: Any, icon: str, title: str, note: str = "", **query: Any) -> SafeString:
    """Render a row of a list that links to a page, with a second line if ``note`` is given.

    ``{% link_row "play:npc" npc.pk icon="people" title=npc.name note=_("every campaign") %}``

    :param to: a URL name with ``args``, or an object with ``get_absolute_url``.
    :param query: the query parameters of the URL.
    """
    address = resolve_url(to, *args) + (f"?{urlencode(query)}" if query else "")
    below = format_html('<span class="row-note">{}</span>', note) if note else ""
    return format_html(
        '<a class="row" href="{}">{}<span class="row-body"><span class="row-title">{}</span>{}</span>{}</a>',
        address,
        _render_icon(icon),
        title,
        below,
        _render_icon("right"),
    )


@register.inclusion_tag("parts/_version.html")
def version_line() -> dict[str, str]:
    return {"version": version()}


@register.simple_tag
def push_key() -> str:
    """Return the public key with which a browser subscribes to notifications."""
    return public_key()


@register.simple_tag(takes_context=True)
def theme(context: dict[str, Any], default: str = "device") -> str:
    """Return the theme chosen on this device: "device", "dark" or "light"."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme") if request else None
    return chosen if chosen in THEMES else default


@register.filter
def times(count: int) -> range:
    """Return a range for a loop; empty if ``count`` is negative or not set."""
    return range(max(0, int(count or 0)))


@register.simple_tag(takes_context=True)
def drawn(context: Any, name: str, **more: Any) -> SafeString:
    """Render a Jinja template in a Django template: ``{% drawn "tables/_rule.jinja" rule="LM-1.3" %}``."""
    return _render_jinja(name, cast(dict[str, Any], context.flatten()) | more)


def _render_jinja(name: str, values: dict[str, Any]) -> SafeString:
    return SafeString(render_to_string(name, values, using="jinja2").strip())


class SheetNode(template.Node):
    """A bottom sheet with its header: ``{% sheet "log-sheet" _("Log") %} … {% endsheet %}``."""

    def __init__(self, sheet_id: FilterExpression, title: FilterExpression, nodelist: NodeList) -> None:
        self.sheet_id, self.title, self.nodelist = sheet_id, title, nodelist

    def render(self, context: Context) -> SafeString:
        sheet_id, title = self.sheet_id.resolve(context), self.title.resolve(context)
        head = _render_jinja("parts/_sheet_head.jinja", {"id": sheet_id, "title": title})
        return format_html(
            '<dialog class="sheet" id="{0}" aria-labelledby="{0}-title">{1}{2}</dialog>',
            sheet_id,
            head,
            self.nodelist.render(context),
        )


@register.tag
def sheet(parser: Parser, token: Token) -> SheetNode:
    """Render a bottom sheet that ``data-open`` opens: an id, a title, and the content up to ``endsheet``."""
    _tag, sheet_id, title = token.split_contents()
    nodelist = parser.parse(("endsheet",))
    parser.delete_first_token()
    return SheetNode(parser.compile_filter(sheet_id), parser.compile_filter(title), nodelist)


@register.simple_tag
def went_elsewhere(person: Person | None) -> PersonLink | None:
    """Return the link by which everything of this device's guest recently moved to another device."""
    return person_links.undoable_link(person) if person and not person.user_id else None
