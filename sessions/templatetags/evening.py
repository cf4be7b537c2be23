"""Tags of the home page: links back to seats and games, ``{% code_digits %}``, the list of board games."""

from __future__ import annotations

from math import ceil
from typing import Any

from django import template
from django.db.models import QuerySet
from django.utils.translation import ngettext

from sessions import access
from sessions.board_games.own_games import OwnGame
from sessions.board_games.own_games import own_games as games_of
from sessions.evening import free_sessions, nights
from sessions.live.regions import game_boxes
from sessions.models import Seat, Table
from sessions.report import campaign_book

register = template.Library()
register.simple_tag(game_boxes, name="shelf_of_games")


@register.simple_tag(takes_context=True)
def seats_tonight(context: dict[str, Any]) -> QuerySet[Seat]:
    """Return the reader's seats in running sessions; three at most, the newest first."""
    return access.running_seats(context["request"].person).exclude(session__code="")[:3]


@register.simple_tag(takes_context=True)
def own_campaigns(context: dict[str, Any]) -> list[campaign_book.OwnCampaign]:
    """Return the campaigns in which the reader has played."""
    person = context["request"].person
    return campaign_book.own_campaigns(person) if person else []


@register.simple_tag(takes_context=True)
def games_going_on(context: dict[str, Any]) -> list[Table]:
    """Return the games that the reader began alone and did not finish; three at most, the newest first."""
    person = context["request"].person
    return list(free_sessions.unfinished_games(person)[:3]) if person else []


@register.simple_tag(takes_context=True)
def own_games(context: dict[str, Any]) -> list[OwnGame]:
    """Return the board games that the reader plays with others; queried once a request."""
    person = context["request"].person
    if not hasattr(context["request"], "own_games"):
        context["request"].own_games = games_of(person) if person else []
    return list(context["request"].own_games)


@register.simple_tag(takes_context=True)
def turns_of_mine(context: dict[str, Any]) -> int:
    """Return how many of those games wait for the reader."""
    return sum(game.is_mine for game in own_games(context))


@register.filter
def time_left(seconds: float) -> str:
    """Return the time left in words: in whole hours, or in minutes if less than one hour is left."""
    hours, minutes = int(seconds // 3600), max(1, ceil(seconds / 60))
    if hours:
        return ngettext("%(n)s hour left", "%(n)s hours left", hours) % {"n": hours}
    return ngettext("%(n)s minute left", "%(n)s minutes left", minutes) % {"n": minutes}


@register.simple_tag
def code_digits() -> int | str:
    """Return the number of digits of a join code; "" if codes of different lengths are open."""
    return nights.code_length() or ""
