"""Seat notes in a session's log: an action on a seat, and the person who did it."""

from __future__ import annotations

from sessions.evening.announcing import broadcast
from sessions.models import Seat, SeatNote


def add_seat_note(kind: str, seat: Seat, by: str = "") -> None:
    """Store a note about an action on a seat, and notify the open pages."""
    SeatNote.objects.create(session_id=seat.session_id, kind=kind, name=seat.name, by=by)
    broadcast(seat.session_id)
