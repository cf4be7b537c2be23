"""Seats and devices: a seat or a guest moves to another device, or to an account.

A seat moves by its one-time link, or by a claim that the GM accepts. A guest moves with all their data: the
old device is asked, or the GM vouches for the new one. The seats are a part of a person's data: they move to
the account or the other device, or stay where they are.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from companion import shared_time
from companion.identity import person_links
from companion.identity.personal_data import Belonging
from companion.models import Person, PersonLink
from sessions.evening import presence
from sessions.evening.announcements import add_seat_note, broadcast
from sessions.evening.refusals import Refused
from sessions.models import Role, Seat, SeatClaim, SeatLink, SeatNote, Session

#: How long the one-time link (QR code) of a seat is valid.
LINK_LIFETIME = timedelta(minutes=2)
#: The seat notes in the session's log about moves that the GM vouched for.
DEVICE_NOTES = {
    "asked": SeatNote.SeatNoteKind.DEVICE_ASKED,
    "refused": SeatNote.SeatNoteKind.DEVICE_NO,
    "taken": SeatNote.SeatNoteKind.DEVICE_NEW,
    "taken_back": SeatNote.SeatNoteKind.DEVICE_BACK,
}


def issue(*, seat: Seat) -> str:
    """Return the token of a new one-time link to a seat; older links become invalid."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        seat.links.all().delete()
        SeatLink.objects.create(seat=seat, token_hash=_hash_token(token))
    return token


def seat_by_link(token: str) -> Seat | None:
    """Return the seat of a one-time link, None if the link is used, expired or unknown."""
    links = SeatLink.objects.select_related("seat__session__campaign")
    link = links.filter(token_hash=_hash_token(token), made_at__gt=shared_time.now() - LINK_LIFETIME).first()
    return link.seat if link and not link.seat.removed_at and not link.seat.session.ended_at else None


@transaction.atomic
def redeem_link(*, token: str, person: Person) -> Seat:
    """Use a one-time link: its seat moves to the device of ``person``, with hand and character.

    :raises Refused: ``link_closed``, ``seated_already`` (this device plays on another seat of the session).
    """
    seat = seat_by_link(token)
    # One DELETE statement, so that only one of two devices gets the seat.
    if seat is None or not SeatLink.objects.filter(token_hash=_hash_token(token)).delete()[0]:
        raise Refused("link_closed")
    return _move_seat(seat, person)


def silent_seats(session: Session) -> list[Seat]:
    """Return the seats whose devices are not here: a person with a new phone may claim them."""
    seats = list(session.seats.filter(removed_at=None).exclude(role=Role.GM))
    here = presence.page_states(seat.pk for seat in seats)
    return [seat for seat in seats if here[seat.pk] != "here"]


@transaction.atomic
def claim_seat(*, seat: Seat, person: Person) -> None:
    """Claim a silent seat from the join page, for a new phone; the GM answers.

    :raises Refused: ``seat_in_use`` if its device is still here, or the seat is the GM's or removed.
    """
    if seat.role == Role.GM or seat.removed_at or presence.page_states([seat.pk])[seat.pk] == "here":
        raise Refused("seat_in_use")
    SeatClaim.objects.filter(seat__session=seat.session_id, person=person).delete()
    SeatClaim.objects.get_or_create(seat=seat, person=person)
    broadcast(seat.session_id, "claims")


@transaction.atomic
def answer_claim(*, claim: SeatClaim, allow: bool, by: Seat) -> None:
    """Give the claimed seat to the new device, or reject the claim.

    If the GM allows a claim between two guests, all data of the person moves to the new device, unless the
    old device objects (``vouch_for_device``). In all other cases only the seat moves.

    :raises Refused: ``seated_already``.
    """
    seat, person = claim.seat, claim.person
    guests = seat.person_id != person.pk and not (seat.person.user_id or person.user_id)
    if allow and guests and by.is_gm and not seat.session.ended_at:
        vouch_for_device(seat=by, person=seat.person, device=person)
    else:
        claim.delete()
        if allow:
            _move_seat(seat, person)
    broadcast(seat.session_id)


def claims_context(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the claims, for the GM and the host of a free session; others get none."""
    if not seat or not (seat.is_gm or session.host_id == seat.person_id):
        return {"claims": [], "words": []}
    open_claims = SeatClaim.objects.filter(seat__session=session, seat__removed_at=None)
    words = []
    for link in vouched_moves(session) if seat.role == Role.GM else ():
        state = "taken" if link.taken_at else "asked" if person_links.has_open_request(link) else "silent"
        words.append({"link": link, "state": state, "name": link_name(link)})
    return {"claims": list(open_claims.select_related("seat", "person")), "words": words}


def _move_seat(seat: Seat, person: Person) -> Seat:
    """Move a seat to another device.

    :raises Refused: ``seated_already``.
    """
    seat = Seat.objects.select_for_update().get(pk=seat.pk)
    if seat.person_id == person.pk:
        return seat
    other = Seat.objects.filter(session=seat.session_id, person=person).first()
    if other and (other.removed_at or other.character_id or other.table_seats.exists()):
        raise Refused("seated_already")
    if other:
        # The device joined by the code first and did nothing on that seat, so the seat is not needed.
        other.delete()
    seat.moved_from, seat.person = seat.person, person
    try:
        with transaction.atomic():
            seat.save(update_fields=["moved_from", "person"])
    except IntegrityError:
        raise Refused("seated_already") from None
    # The host of a free session stays its host on another device.
    Session.objects.filter(pk=seat.session_id, host=seat.moved_from).update(host=person)
    seat.claims.all().delete()
    add_seat_note(SeatNote.SeatNoteKind.MOVED, seat)
    return seat


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def has_open_page(person: Person) -> bool:
    pks = Seat.objects.filter(person=person, removed_at=None).values_list("pk", flat=True)
    return "here" in presence.page_states(pks).values()


def notify_pages(event: str, link: PersonLink) -> None:
    """Notify the pages of both devices and of the GM; add a seat note if the GM vouched for the move."""
    there = Seat.objects.filter(person=link.asked_by, session__ended_at=None)
    if event == "taken_back":  # A character that was given back leaves the seat to which it was brought.
        brought = link.brought["rows"]["characters"]
        there.filter(character__in=brought).update(character=None, approved=False)
    # With a key or a code, ``hand_over_seats`` adds a note for each seat that moves.
    if link.kind == person_links.Kind.WORD:
        for session_pk in there.filter(removed_at=None).values_list("session", flat=True):
            note = {"kind": DEVICE_NOTES[event], "name": link_name(link), "by": link.by}
            SeatNote.objects.create(session_id=session_pk, **note)
    still_open = Q(ended_at=None) | Q(ended_at__gt=shared_time.now() - person_links.REGRET)
    both = [pk for pk in (link.person_id, link.asked_by_id) if pk]
    for session in Session.objects.filter(still_open, seats__person__in=both).distinct():
        broadcast(session.pk)


def guest_seats(seat: Seat) -> list[Seat]:
    """Return the newest seat of each guest of the campaign whose new device the device of ``seat`` may be."""
    seats = Seat.objects.filter(session__campaign=seat.session.own_campaign, removed_at=None)
    others = seats.filter(person__user=None).exclude(person=seat.person_id).exclude(role=Role.GM)
    found: dict[int, Seat] = {}
    for other in others.select_related("character", "person").order_by("-joined_at", "-pk"):
        found.setdefault(other.person_id, other)
    return list(found.values())


def vouch_for_device(*, seat: Seat, person: Person, device: Person) -> PersonLink:
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
    now = shared_time.now()
    young = Q(taken_at=None, asked_at__gt=now - person_links.LIFETIME)
    young |= Q(taken_at__gt=now - person_links.REGRET)
    links = PersonLink.objects.filter(young, kind=person_links.Kind.WORD, asked_by__seats__session=session)
    return links.select_related("person", "asked_by").distinct().order_by("pk")


def question_context(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the context of the region that asks the old device of the seat's person about a move."""
    asked = person_links.current_link(seat.person) if seat and not seat.person.user_id else None
    if asked is None or not person_links.has_open_request(asked):
        return {"asked": None}
    return {"asked": asked, "number": person_links.number_of(asked)}


def link_name(link: PersonLink) -> str:
    """Return the name of a link's person, also after the name has moved to the new device."""
    names = link.brought.get("names")
    return str(names[0] if names else link.person.name)[:12]


def list_seats(person: Person, receiver: Person | None) -> list[Belonging]:
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
    """Give a person's seats to another person, except in sessions where the receiver has a seat."""
    SeatClaim.objects.filter(person=receiver).delete()
    return _assign_seats(Seat.objects.filter(person=person), receiver)


def give_back_seats(rows: list[int], person: Person) -> None:
    """Give seats back to a person, except in sessions where the person has a new seat since."""
    _assign_seats(Seat.objects.filter(pk__in=rows).exclude(person=person), person)


def _assign_seats(seats: QuerySet[Seat], receiver: Person) -> list[int]:
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
            broadcast(seat.session_id)
        else:  # A seat that moves to a guest's other device is noted for everybody to see.
            add_seat_note(SeatNote.SeatNoteKind.MOVED, seat)
    return went


def _unused_seats(guest: Person | None) -> QuerySet[Seat]:
    """Return the unused seats that a guest's new device got by joining with the code before the move."""
    if guest is None or guest.pk is None or guest.user_id:
        return Seat.objects.none()
    seats = Seat.objects.filter(person=guest, session__ended_at=None, removed_at=None, character=None)
    return seats.filter(table_seats=None, messages=None).exclude(role=Role.GM)
