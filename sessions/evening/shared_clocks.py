"""Actions on shared clocks: a GM adds them, moves them and removes them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from companion import shared_time
from sessions.evening.announcements import broadcast
from sessions.evening.refusals import Refused
from sessions.models import Seat, Session, SharedClock

AT_MOST = 6


def clocks_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the context of the clocks' region; the GM's has controls to move the clocks."""
    return {
        "clocks": session.read_once("clocks", lambda: list(session.clocks.all())),
        "moves_clocks": seat is not None and seat.is_gm,
    }


@transaction.atomic
def add_clock(*, session: Session, clock: SharedClock) -> None:
    """Add a clock, which everybody sees.

    :raises Refused: ``session_over``, ``clocks_full``.
    """
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.ended_at:
        raise Refused("session_over")
    if session.clocks.count() >= AT_MOST:
        raise Refused("clocks_full", most=AT_MOST)
    clock.session = session
    clock.save()
    _announce_clocks(clock)


@transaction.atomic
def fill_segments(*, clock: SharedClock, by: int) -> None:
    """Fill ``by`` segments of a clock, or empty them if negative, within its limits."""
    clock = _lock_clock(clock)
    clock.filled = max(0, min(clock.filled + by, clock.segments or 0))
    clock.save(update_fields=["filled"])
    _announce_clocks(clock)


@transaction.atomic
def start_clock(*, clock: SharedClock) -> None:
    """Start or resume a countdown."""
    clock = _lock_clock(clock)
    if clock.left and not clock.ends_at:
        clock.ends_at, clock.left = shared_time.now() + clock.left, timedelta()
        clock.save(update_fields=["ends_at", "left"])
        _announce_clocks(clock)


@transaction.atomic
def pause_clock(*, clock: SharedClock) -> None:
    """Pause a countdown, and store the time that is left."""
    clock = _lock_clock(clock)
    if clock.ends_at:
        clock.left, clock.ends_at = max(timedelta(), clock.ends_at - shared_time.now()), None
        clock.save(update_fields=["ends_at", "left"])
        _announce_clocks(clock)


def remove_clock(*, clock: SharedClock) -> None:
    clock.delete()
    _announce_clocks(clock)


def _lock_clock(clock: SharedClock) -> SharedClock:
    """Read a clock again and lock it until the transaction ends, so that two taps count as two.

    :raises SharedClock.DoesNotExist: it was removed.
    """
    return SharedClock.objects.select_for_update().get(pk=clock.pk)


def _announce_clocks(clock: SharedClock) -> None:
    broadcast(clock.session_id, "clocks")
