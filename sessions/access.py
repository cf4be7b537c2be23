"""The only ways to get hold of a session, a seat or a table on somebody's behalf. A 404 says no."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from companion.models import Person
from sessions.models import Campaign, Role, Seat, Session, Table, TableSeat


def campaign_gm(person: Person | None, pk: int) -> Campaign:
    """Return the campaign that ``person`` runs."""
    return get_object_or_404(Campaign, pk=pk, gm=_somebody(person))


def seat_of(person: Person | None, session_pk: int) -> Seat:
    """Return the seat that ``person`` holds in a session, also one that was taken from them."""
    seats = Seat.objects.select_related("session__campaign", "character", "person")
    return get_object_or_404(seats, session_id=session_pk, person=_somebody(person))


def seat_kept(person: Person | None, session_pk: int) -> Seat:
    """Return the seat that ``person`` holds in a session and that nobody took from them."""
    seat = seat_of(person, session_pk)
    if seat.removed_at:
        raise Http404
    return seat


def seat_gm(person: Person | None, session_pk: int) -> Seat:
    """Return the GM's seat of a session that ``person`` runs."""
    seat = seat_kept(person, session_pk)
    if seat.role != Role.GM:
        raise Http404
    return seat


def session_by_face(key: object) -> Session:
    """Return the session that a table face shows; who knows the address may look."""
    return get_object_or_404(Session, face_key=key)


def table_seat(person: Person | None, table_pk: int) -> tuple[Table, Seat, TableSeat | None]:
    """Return a table, the night's seat of ``person``, and their seat at the table (None: they watch)."""
    tables = Table.objects.select_related("session__campaign")
    table = get_object_or_404(tables, pk=table_pk)
    seat = seat_of(person, table.session_id)
    return table, seat, table.table_seats.filter(seat=seat).first()


def table_gm(person: Person | None, table_pk: int) -> tuple[Table, TableSeat | None]:
    """Return a table of a session that ``person`` runs, and their seat at it (None: no GM sits there)."""
    table, _, sits = table_seat(person, table_pk)
    seat_gm(person, table.session_id)
    return table, sits


def _somebody(person: Person | None) -> Person:
    if person is None:
        raise Http404
    return person
