"""Seats as a person's things: they go into an account, or stay behind as a name."""

from __future__ import annotations

from django.utils.translation import gettext as _

from companion.belongings import Thing
from companion.models import Person
from sessions.evening import announcing
from sessions.models import Seat, Session


def of(person: Person, receiver: Person | None) -> list[Thing]:
    """Return the seats of a person; of ended evenings only those that the receiver can have."""
    there = Seat.objects.filter(person=receiver) if receiver and receiver.pk else Seat.objects.none()
    taken = set(there.values_list("session_id", flat=True))
    found = []
    for seat in Seat.objects.filter(person=person).select_related("session__campaign"):
        stays = ""
        if seat.session_id in taken:
            if seat.session.ended_at:
                continue
            stays = _("Your account has a seat there already; this one stays with the device.")
        note = _("%(name)s's seat") % {"name": seat.name}
        found.append(Thing("people", seat.session.place, note, stays))
    return found


def hand_over(person: Person, receiver: Person) -> None:
    """Give a person's seats to another person, except in sessions where that person has a seat."""
    # The same lock as for taking a seat: nobody sits down here meanwhile.
    list(Session.objects.select_for_update().filter(seats__person=person).order_by("pk"))
    taken = set(Seat.objects.filter(person=receiver).values_list("session_id", flat=True))
    for seat in Seat.objects.filter(person=person).exclude(session__in=taken):
        seat.person = receiver
        seat.save(update_fields=["person"])
        Session.objects.filter(pk=seat.session_id, host=person).update(host=receiver)
        announcing.announce(seat.session_id)
