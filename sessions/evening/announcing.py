"""Who hears of a change of the evening: the groups of open pages, and what is said to them."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from sessions.models import Seat, Session

#: Seconds between two nudges of one seat.
NUDGES_APART = 3


def session_group(session_pk: int) -> str:
    """Name of the channel group of everybody in a session."""
    return f"session.{session_pk}"


def seat_group(seat_pk: int) -> str:
    """Name of the channel group of the phones of one seat."""
    return f"seat.{seat_pk}"


def nudge(seat: Seat) -> None:
    """Buzz the phone of a seat that everybody waits for, and of who plays for it; once in a few seconds."""
    if cache.add(f"nudge.{seat.pk}", True, NUDGES_APART):
        for pk in {seat.pk, seat.stand_in_id or seat.pk}:
            async_to_sync(get_channel_layer().group_send)(seat_group(pk), {"type": "seat.nudged"})


def announce(session_pk: int, *parts: str) -> None:
    """Tell the open pages of a session, once it is true, that something about the evening changed.

    :param parts: the regions that can look different now; none given: any, and who may look. The seating gets
        a new number then, by which everybody who holds something of the evening finds out that it is old.
    """
    if not parts:
        Session.objects.filter(pk=session_pk).update(seating=F("seating") + 1)
    message = {"type": "session.changed", "parts": parts}
    # Not a partial: Django asks what failed for its name, and fails itself if that has none.
    transaction.on_commit(lambda: _tell(session_group(session_pk), message), robust=True)


def _tell(group: str, message: dict[str, object]) -> None:
    async_to_sync(get_channel_layer().group_send)(group, message)
