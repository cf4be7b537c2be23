"""Template tags that render cards, and the names of cards."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from companion.templatetags.companion import icon

register = template.Library()

#: The text forms of the suits: without the variation selector phones would show emoji.
_GLYPHS = {"s": "♠\ufe0e", "h": "♥\ufe0e", "d": "♦\ufe0e", "c": "♣\ufe0e"}
_SUITS = {
    "s": gettext_lazy("spades"),
    "h": gettext_lazy("hearts"),
    "d": gettext_lazy("diamonds"),
    "c": gettext_lazy("clubs"),
}
_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def suit(card: str) -> str:
    """Return "s", "h", "d" or "c"; "x" for a joker."""
    return str(card)[:1]


def rank(card: str) -> str:
    """Return the text in a card's corner: "A", "2" … "10", "J", "Q", "K" or "JK"."""
    if suit(card) == "x":
        return "JK"
    number = int(str(card)[1:])
    return _RANKS.get(number, str(number))


def is_court(card: str) -> bool:
    """True if a card is a jack, a queen or a king."""
    return rank(card) in ("J", "Q", "K")


@register.filter
def suit_name(letter: str) -> str:
    """Return a suit's name, "hearts"."""
    return str(_SUITS.get(str(letter), ""))


def card_name(card: str) -> str:
    """Return a card's name for screen readers: "7 of hearts", "Joker"."""
    if suit(card) == "x":
        return _("Joker")
    return _("%(rank)s of %(suit)s") % {"rank": rank(card), "suit": suit_name(suit(card))}


def card_short(card: str) -> str:
    """Return the short name for a line of text: "♥7", "JK"."""
    return f"{_GLYPHS.get(suit(card), '')}{rank(card)}"


@register.simple_tag
def card_whole(
    card: str, named: str | None = None, classes: str = "", decorative: bool = False
) -> SafeString:
    """Render the face of a card.

    :param named: the suit that a joker stands for.
    :param decorative: True if text beside it names the card, so that screen readers skip it.
    """
    return _render_card(get_language(), str(card), named and str(named), classes, decorative)


@lru_cache(maxsize=1024)
def _render_card(
    language: str | None, card: str, named: str | None, classes: str, decorative: bool
) -> SafeString:
    """Cache the HTML, since hands are rendered again for every phone at every move."""
    context = {"card": card, "named": named, "class": classes, "decorative": decorative}
    return SafeString(render_to_string("parts/_card.jinja", context, using="jinja2"))


@register.simple_tag
def card_back(decorative: bool = False) -> SafeString:
    """Render a card that lies face down; ``decorative`` as for ``card_whole``."""
    return _back(get_language(), decorative)


@lru_cache
def _back(language: str | None, decorative: bool) -> SafeString:
    return SafeString(render_to_string("parts/_card_back.jinja", {"decorative": decorative}, using="jinja2"))


@register.simple_tag
def card_chip(card: str, named: str | None = None) -> SafeString:
    """Render a card as a small chip within text; ``named`` is the suit that a joker stands for."""
    return _chip(get_language(), str(card), named and str(named))


@lru_cache(maxsize=1024)
def _chip(language: str | None, card: str, named: str | None) -> SafeString:
    if suit(card) == "x" and named:
        said = _("Joker as %(suit)s") % {"suit": suit_name(named)}
        parts: tuple[str, ...] = (named, "JK", icon(f"suit-{named}"), said)
    else:
        parts = suit(card), icon(f"suit-{suit(card)}"), rank(card), card_name(card)
    return format_html(
        '<span class="chip" data-suit="{}"><span aria-hidden="true">{}{}</span>'
        '<span class="visually-hidden">{}</span></span>',
        *parts,
    )
