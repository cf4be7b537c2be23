"""The channel groups of open pages, and the changes of the evening that they are told."""

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
    """Return the name of the channel group of everybody in a session."""
    return f"session.{session_pk}"


def seat_group(seat_pk: int) -> str:
    """Return the name of the channel group of the phones of one seat."""
    return f"seat.{seat_pk}"


def nudge(seat: Seat) -> None:
    """Buzz the phones of a seat that everybody waits for, and of its stand-in; once in a few seconds."""
    if cache.add(f"nudge.{seat.pk}", True, NUDGES_APART):
        for pk in {seat.pk, seat.stand_in_id or seat.pk}:
            async_to_sync(get_channel_layer().group_send)(seat_group(pk), {"type": "seat.nudged"})


def announce(session_pk: int, *parts: str) -> None:
    """Tell the open pages of a session about a change of the evening, once it is committed.

    :param parts: the regions that can look different now. Without any, every region can, and the right to
        look can have changed: the seating gets a new number, which makes everything held of the evening old.
    """
    if not parts:
        Session.objects.filter(pk=session_pk).update(seating=F("seating") + 1)
    message: dict[str, object] = {"type": "session.changed", "parts": parts}
    # Not a partial: Django asks what failed for its name, and fails itself if that has none.
    transaction.on_commit(lambda: _tell(session_group(session_pk), message), robust=True)


def _tell(group: str, message: dict[str, object]) -> None:
    async_to_sync(get_channel_layer().group_send)(group, message)
