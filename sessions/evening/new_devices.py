"""A guest's way to another device as an evening sees it: the question, what is told, and the GM's word."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from companion.identity import person_links
from companion.identity.person_links import Kind
from companion.models import Person, PersonLink
from sessions.evening import presence
from sessions.evening.announcing import announce
from sessions.evening.refusals import Refused
from sessions.models import Role, Seat, SeatNote, Session

#: What the log of the evening says where the GM gave their word.
NOTES = {
    "asked": SeatNote.Kind.DEVICE_ASKED,
    "refused": SeatNote.Kind.DEVICE_NO,
    "taken": SeatNote.Kind.DEVICE_NEW,
    "taken_back": SeatNote.Kind.DEVICE_BACK,
}


def is_here(person: Person) -> bool:
    """True if a page of one of a person's seats is open."""
    pks = Seat.objects.filter(person=person, removed_at=None).values_list("pk", flat=True)
    return "here" in presence.of(pks).values()


def told(event: str, link: PersonLink) -> None:
    """Draw what the pages of both devices and of the GM say, and note the GM's word and what became of it."""
    if event == "taken_back":
        _leave_behind(link)
    there = Seat.objects.filter(person=link.asked_by, session__ended_at=None, removed_at=None)
    if link.kind == Kind.WORD:  # with a key or a code, each seat that goes is noted by itself
        for seat in there:
            said = {"name": name_of(link), "by": link.by}
            SeatNote.objects.create(session_id=seat.session_id, kind=NOTES[event], **said)
    still_open = Q(ended_at=None) | Q(ended_at__gt=timezone.now() - person_links.REGRET)
    for session in Session.objects.filter(still_open, seats__person__in=_both(link)).distinct():
        announce(session.pk)


def people(seat: Seat) -> list[Seat]:
    """Return a seat, the newest, of each guest of the campaign whose new device that of a seat may be."""
    seats = Seat.objects.filter(session__campaign=seat.session.own_campaign, removed_at=None)
    others = seats.filter(person__user=None).exclude(person=seat.person_id).exclude(role=Role.GM)
    found: dict[int, Seat] = {}
    for other in others.select_related("character", "person").order_by("-joined_at", "-pk"):
        found.setdefault(other.person_id, other)
    return list(found.values())


def vouch(*, seat: Seat, person: Person, device: Person) -> PersonLink:
    """Give the GM's word that a person goes on on a device. Everything of theirs goes there.

    :param seat: the GM's.
    :raises Refused: ``device_closed`` (one of them has an account), ``seated_already``.
    """
    try:
        return person_links.vouch(person, device, seat.name)
    except person_links.Refused as refused:
        raise Refused("seated_already" if refused.code == "stays" else "device_closed") from None


def take_back(*, link: PersonLink) -> None:
    """Take the GM's word back, within a day.

    :raises Refused: ``device_closed``.
    """
    try:
        person_links.take_back(link)
    except person_links.Refused:
        raise Refused("device_closed") from None


def words(session: Session) -> QuerySet[PersonLink]:
    """Return the words that GMs gave lately for devices of an evening."""
    now = timezone.now()
    young = Q(taken_at=None, asked_at__gt=now - person_links.LIFETIME)
    young |= Q(taken_at__gt=now - person_links.REGRET)
    links = PersonLink.objects.filter(young, kind=Kind.WORD, asked_by__seats__session=session)
    return links.select_related("person", "asked_by").distinct().order_by("pk")


def shown(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the question for the old device of a seat's person, for the region that asks it."""
    asked = person_links.of(seat.person) if seat and not seat.person.user_id else None
    if asked is None or not person_links.is_asked(asked):
        return {"asked": None}
    return {"asked": asked, "number": person_links.number_of(asked)}


def name_of(link: PersonLink) -> str:
    """Return what the person of a link is called, also when the name has gone along."""
    names = link.brought.get("names")
    return str(names[0] if names else link.person.name)[:12]


def _leave_behind(link: PersonLink) -> None:
    """Take a character that has gone back off the seat to which the other device brought it meanwhile."""
    seats = Seat.objects.filter(person=link.asked_by, session__ended_at=None)
    brought = link.brought["rows"]["characters"]
    seats.filter(character__in=brought).update(character=None, approved=False)


def _both(link: PersonLink) -> list[int]:
    return [pk for pk in (link.person_id, link.asked_by_id) if pk]
