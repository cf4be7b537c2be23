"""Seats as part of a person's data: they move to an account or another device, or stay where they are."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from companion.identity.belongings import Belonging
from companion.models import Person
from sessions.evening import announcing
from sessions.evening.seat_notes import add_seat_note
from sessions.models import Role, Seat, SeatClaim, SeatNote, Session


def seats_of(person: Person, receiver: Person | None) -> list[Belonging]:
    """Return the seats of a person, without those in ended sessions in which the receiver has a seat."""
    there = Seat.objects.filter(person=receiver) if receiver and receiver.pk else Seat.objects.none()
    there = there.exclude(pk__in=_unused_seats(receiver))
    taken = set(there.values_list("session_id", flat=True))
    found = []
    for seat in Seat.objects.filter(person=person).select_related("session__campaign"):
        stays = ""
        if seat.session_id in taken:
            if seat.session.ended_at:
                continue
            stays = _("Your account has a seat there already; this one stays with the device.")
        note = _("%(name)s's seat") % {"name": seat.name}
        found.append(Belonging("people", seat.session.place, note, stays))
    return found


def hand_over_seats(person: Person, receiver: Person) -> list[int]:
    """Give a person's seats to another person, except in sessions where that person has a seat."""
    SeatClaim.objects.filter(person=receiver).delete()
    return _give(Seat.objects.filter(person=person), receiver)


def give_back_seats(rows: list[int], person: Person) -> None:
    """Give seats back to a person, except in sessions where the person has a new seat since."""
    _give(Seat.objects.filter(pk__in=rows).exclude(person=person), person)


def _give(seats: QuerySet[Seat], receiver: Person) -> list[int]:
    going = list(seats.values_list("pk", flat=True))
    held = list(seats.values_list("session_id", flat=True))
    # The same lock as in ``take_seat``, so that no new seat is created at the same time.
    list(Session.objects.select_for_update().filter(pk__in=held).order_by("pk"))
    _unused_seats(receiver).filter(session__in=held).delete()
    taken = set(Seat.objects.filter(person=receiver).values_list("session_id", flat=True))
    went = []
    for seat in Seat.objects.filter(pk__in=going).exclude(session__in=taken).select_related("session"):
        giver, seat.person = seat.person_id, receiver
        seat.save(update_fields=["person"])
        went.append(seat.pk)
        Session.objects.filter(pk=seat.session_id, host=giver).update(host=receiver)
        if receiver.user_id or seat.session.ended_at or seat.removed_at:
            announcing.broadcast(seat.session_id)
        else:  # A seat that moves to a guest's other device is noted for everybody to see.
            add_seat_note(SeatNote.SeatNoteKind.MOVED, seat)
    return went


def _unused_seats(guest: Person | None) -> QuerySet[Seat]:
    """Return the unused seats that a guest's new device got by joining with the code before the move."""
    if guest is None or guest.pk is None or guest.user_id:
        return Seat.objects.none()
    seats = Seat.objects.filter(person=guest, session__ended_at=None, removed_at=None, character=None)
    return seats.filter(table_seats=None, messages=None).exclude(role=Role.GM)
