"""The front door: ways back to one's seats and games, ``{% code_digits %}``, the shelf of games."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import QuerySet

from sessions import access
from sessions.evening import free_nights, nights
from sessions.models import Seat, Table
from sessions.screen.boxes import Box, boxes

register = template.Library()


@register.simple_tag(takes_context=True)
def seats_tonight(context: dict[str, Any]) -> QuerySet[Seat]:
    """Return the seats of who asks, in evenings that still run; three at most, the newest first."""
    return access.seats_tonight(context["request"].person).exclude(session__code="")[:3]


@register.simple_tag(takes_context=True)
def games_going_on(context: dict[str, Any]) -> list[Table]:
    """Return the games that who asks has begun alone and not finished; three at most, the newest first."""
    person = context["request"].person
    return list(free_nights.games_going_on(person)[:3]) if person else []


@register.simple_tag
def shelf_of_games() -> list[Box]:
    """Return the board games as they stand on the shelf."""
    return boxes()


@register.simple_tag
def code_digits() -> int | str:
    """Return after how many digits a code is complete, "" where only who types it knows."""
    return nights.digits_tonight() or ""
