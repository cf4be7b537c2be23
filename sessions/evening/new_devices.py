"""A guest's move to another device, on a session's pages: the old device's question, the GM's vouching."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from companion.identity import person_links
from companion.identity.person_links import Kind
from companion.models import Person, PersonLink
from sessions.evening import presence
from sessions.evening.announcing import broadcast
from sessions.evening.refusals import Refused
from sessions.models import Role, Seat, SeatNote, Session

#: The seat notes in the session's log about moves that the GM vouched for.
DEVICE_NOTES = {
    "asked": SeatNote.SeatNoteKind.DEVICE_ASKED,
    "refused": SeatNote.SeatNoteKind.DEVICE_NO,
    "taken": SeatNote.SeatNoteKind.DEVICE_NEW,
    "taken_back": SeatNote.SeatNoteKind.DEVICE_BACK,
}


def is_here(person: Person) -> bool:
    """True if a page of one of a person's seats is open."""
    pks = Seat.objects.filter(person=person, removed_at=None).values_list("pk", flat=True)
    return "here" in presence.page_states(pks).values()


def notify_pages(event: str, link: PersonLink) -> None:
    """Notify the pages of both devices and of the GM; add a seat note if the GM vouched for the move."""
    if event == "taken_back":
        _leave_behind(link)
    there = Seat.objects.filter(person=link.asked_by, session__ended_at=None, removed_at=None)
    if link.kind == Kind.WORD:  # With a key or a code, ``ownership`` adds a note for each seat that moves.
        for seat in there:
            said = {"name": name_of(link), "by": link.by}
            SeatNote.objects.create(session_id=seat.session_id, kind=DEVICE_NOTES[event], **said)
    still_open = Q(ended_at=None) | Q(ended_at__gt=timezone.now() - person_links.REGRET)
    for session in Session.objects.filter(still_open, seats__person__in=_both(link)).distinct():
        broadcast(session.pk)


def guest_seats(seat: Seat) -> list[Seat]:
    """Return the newest seat of each guest of the campaign whose new device the device of ``seat`` may be."""
    seats = Seat.objects.filter(session__campaign=seat.session.own_campaign, removed_at=None)
    others = seats.filter(person__user=None).exclude(person=seat.person_id).exclude(role=Role.GM)
    found: dict[int, Seat] = {}
    for other in others.select_related("character", "person").order_by("-joined_at", "-pk"):
        found.setdefault(other.person_id, other)
    return list(found.values())


def vouch(*, seat: Seat, person: Person, device: Person) -> PersonLink:
    """Vouch as the GM that a device is a person's new one. All their data moves there.

    :param seat: the GM's seat.
    :param device: the guest who uses the new device now.
    :raises Refused: ``device_closed`` (one of them has an account), ``seated_already``.
    """
    try:
        return person_links.vouch(person, device, seat.name)
    except person_links.LinkRefused as refused:
        raise Refused("seated_already" if refused.code == "stays" else "device_closed") from None


def undo_vouched_move(*, link: PersonLink) -> None:
    """Undo a move that the GM vouched for, within a day.

    :raises Refused: ``device_closed``.
    """
    try:
        person_links.take_back(link)
    except person_links.LinkRefused:
        raise Refused("device_closed") from None


def vouched_moves(session: Session) -> QuerySet[PersonLink]:
    """Return the recent moves to devices in this session that a GM vouched for."""
    now = timezone.now()
    young = Q(taken_at=None, asked_at__gt=now - person_links.LIFETIME)
    young |= Q(taken_at__gt=now - person_links.REGRET)
    links = PersonLink.objects.filter(young, kind=Kind.WORD, asked_by__seats__session=session)
    return links.select_related("person", "asked_by").distinct().order_by("pk")


def question_context(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the context of the region that asks the old device of the seat's person about a move."""
    asked = person_links.current_link(seat.person) if seat and not seat.person.user_id else None
    if asked is None or not person_links.has_open_request(asked):
        return {"asked": None}
    return {"asked": asked, "number": person_links.number_of(asked)}


def name_of(link: PersonLink) -> str:
    """Return the name of a link's person, also after the name has moved to the new device."""
    names = link.brought.get("names")
    return str(names[0] if names else link.person.name)[:12]


def _leave_behind(link: PersonLink) -> None:
    """Remove a character that was given back from the seat to which the other device had brought it."""
    seats = Seat.objects.filter(person=link.asked_by, session__ended_at=None)
    brought = link.brought["rows"]["characters"]
    seats.filter(character__in=brought).update(character=None, approved=False)


def _both(link: PersonLink) -> list[int]:
    return [pk for pk in (link.person_id, link.asked_by_id) if pk]
