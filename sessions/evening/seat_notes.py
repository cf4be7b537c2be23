"""The notes of an evening: the things done about a seat, and the person who did them."""

from __future__ import annotations

from sessions.evening.announcing import announce
from sessions.models import Seat, SeatNote


def note(kind: str, seat: Seat, by: str = "") -> None:
    """Write down a thing done about a seat, and tell the open pages."""
    SeatNote.objects.create(session_id=seat.session_id, kind=kind, name=seat.name, by=by)
    announce(seat.session_id)
