"""The moving of a seat to another device: by its one-time link, or by the GM's answer to a claim."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from companion.identity import person_links
from companion.models import Person, PersonLink
from sessions.evening import new_devices, presence
from sessions.evening.announcing import announce
from sessions.evening.refusals import Refused
from sessions.evening.seat_notes import note
from sessions.models import Role, Seat, SeatClaim, SeatLink, SeatNote, Session

#: The time for which a seat's QR code is valid.
LINK_LIFETIME = timedelta(minutes=2)


def issue_link(*, seat: Seat) -> str:
    """Return the token of a new one-time link to a seat; older links become invalid."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        seat.links.all().delete()
        SeatLink.objects.create(seat=seat, token_hash=_hash(token))
    return token


def seat_by_link(token: str) -> Seat | None:
    """Return the seat that a link leads to now, None if the link is used, old or unknown."""
    links = SeatLink.objects.select_related("seat__session__campaign")
    link = links.filter(token_hash=_hash(token), made_at__gt=timezone.now() - LINK_LIFETIME).first()
    return link.seat if link and not link.seat.removed_at and not link.seat.session.ended_at else None


@transaction.atomic
def redeem_link(*, token: str, person: Person) -> Seat:
    """Use a link up: its seat goes to the device of ``person``, with hand and character.

    :raises Refused: ``link_closed``, ``seated_already`` (this device plays here on another seat).
    """
    seat = seat_by_link(token)
    # One statement, so that of two devices only one gets the seat.
    if seat is None or not SeatLink.objects.filter(token_hash=_hash(token)).delete()[0]:
        raise Refused("link_closed")
    return _move(seat, person)


def silent_seats(session: Session) -> list[Seat]:
    """Return the seats whose devices are away, which a person with a new phone may claim."""
    seats = list(session.seats.filter(removed_at=None).exclude(role=Role.GM))
    here = presence.of(seat.pk for seat in seats)
    return [seat for seat in seats if here[seat.pk] != "here"]


@transaction.atomic
def claim(*, seat: Seat, person: Person) -> None:
    """Claim a silent seat at the door as one's own (a new phone); the GM answers.

    :raises Refused: ``seat_in_use`` when its device is still here.
    """
    if seat.role == Role.GM or seat.removed_at or presence.of([seat.pk])[seat.pk] == "here":
        raise Refused("seat_in_use")
    SeatClaim.objects.filter(seat__session=seat.session_id, person=person).delete()
    SeatClaim.objects.get_or_create(seat=seat, person=person)
    announce(seat.session_id, "claims")


@transaction.atomic
def answer_claim(*, claim: SeatClaim, allow: bool, by: Seat) -> None:
    """Give the claimed seat to the new device, or turn the claim down.

    By the GM's word a guest goes there with everything; the host of a free night gives the seat alone.

    :raises Refused: ``seated_already``.
    """
    seat, person = claim.seat, claim.person
    guests = seat.person_id != person.pk and not (seat.person.user_id or person.user_id)
    if allow and guests and by.is_gm and not seat.session.ended_at:
        new_devices.vouch(seat=by, person=seat.person, device=person)
    else:
        claim.delete()
        if allow:
            _move(seat, person)
    announce(seat.session_id)


def claims(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the claims for their region, which only the GM and the host of a free night have."""
    if not seat or not (seat.is_gm or session.host_id == seat.person_id):
        return {"claims": [], "words": []}
    open_claims = SeatClaim.objects.filter(seat__session=session, seat__removed_at=None)
    words = [_word(link) for link in new_devices.words(session)] if seat.role == Role.GM else []
    return {"claims": list(open_claims.select_related("seat", "person")), "words": words}


def _word(link: PersonLink) -> dict[str, object]:
    """Return what the GM reads of a word of theirs: ``asked``, ``silent`` or ``taken``, and of whom."""
    state = "taken" if link.taken_at else "asked" if person_links.is_asked(link) else "silent"
    return {"link": link, "state": state, "name": new_devices.name_of(link)}


def _move(seat: Seat, person: Person) -> Seat:
    seat = Seat.objects.select_for_update().get(pk=seat.pk)
    if seat.person_id == person.pk:
        return seat
    other = Seat.objects.filter(session=seat.session_id, person=person).first()
    if other and (other.removed_at or other.character_id or other.table_seats.exists()):
        raise Refused("seated_already")
    if other:
        # The device came in by the code first and has done nothing there: that seat is needed no more.
        other.delete()
    seat.moved_from, seat.person = seat.person, person
    try:
        with transaction.atomic():
            seat.save(update_fields=["moved_from", "person"])
    except IntegrityError:
        raise Refused("seated_already") from None
    # The host of a free night stays its host on another device.
    Session.objects.filter(pk=seat.session_id, host=seat.moved_from).update(host=person)
    seat.claims.all().delete()
    note(SeatNote.Kind.MOVED, seat)
    return seat


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
