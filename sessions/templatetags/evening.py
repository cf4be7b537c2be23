"""``{% seats_tonight as seats %}``, the way back to one's seat, and ``{% code_digits %}``, the way in."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import QuerySet

from sessions import access
from sessions.evening import nights
from sessions.models import Seat

register = template.Library()


@register.simple_tag(takes_context=True)
def seats_tonight(context: dict[str, Any]) -> QuerySet[Seat]:
    """Return the seats of who asks, in evenings that still run; three at most, the newest first."""
    return access.seats_tonight(context["request"].person)[:3]


@register.simple_tag
def code_digits() -> int | str:
    """Return after how many digits a code is complete, "" where only who types it knows."""
    return nights.digits_tonight() or ""
