"""The channel groups of open pages, and the messages to them about changes of the session."""

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
    """Return the name of the channel group of all pages of a session."""
    return f"session.{session_pk}"


def seat_group(seat_pk: int) -> str:
    """Return the name of the channel group of all pages of one seat."""
    return f"seat.{seat_pk}"


def nudge(seat: Seat) -> None:
    """Buzz the phones of a seat that the table waits for, and of its stand-in, every few seconds at most."""
    if cache.add(f"nudge.{seat.pk}", True, NUDGES_APART):
        for pk in {seat.pk, seat.stand_in_id or seat.pk}:
            async_to_sync(get_channel_layer().group_send)(seat_group(pk), {"type": "seat.nudged"})


def broadcast(session_pk: int, *parts: str) -> None:
    """Notify the open pages of a session of a change, once it is committed.

    :param parts: the regions that may have changed. Without any, every region and every permission may have
        changed: then the seating gets a new number, which invalidates everything cached of the session.
    """
    if not parts:
        Session.objects.filter(pk=session_pk).update(seating=F("seating") + 1)
    message: dict[str, object] = {"type": "session.changed", "parts": parts}
    # Not a partial: Django logs a failing callback by its ``__qualname__``, which a partial lacks.
    transaction.on_commit(lambda: _tell(session_group(session_pk), message), robust=True)


def _tell(group: str, message: dict[str, object]) -> None:
    async_to_sync(get_channel_layer().group_send)(group, message)
