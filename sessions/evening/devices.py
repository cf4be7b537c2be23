"""Move a seat to another device: by its one-time link, or by a claim that the GM accepts."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from companion.identity import person_links
from companion.models import Person, PersonLink
from sessions.evening import new_devices, presence
from sessions.evening.announcing import broadcast
from sessions.evening.refusals import Refused
from sessions.evening.seat_notes import add_seat_note
from sessions.models import Role, Seat, SeatClaim, SeatLink, SeatNote, Session

#: How long the one-time link (QR code) of a seat is valid.
LINK_LIFETIME = timedelta(minutes=2)


def issue_link(*, seat: Seat) -> str:
    """Return the token of a new one-time link to a seat; older links become invalid."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        seat.links.all().delete()
        SeatLink.objects.create(seat=seat, token_hash=_hash(token))
    return token


def seat_by_link(token: str) -> Seat | None:
    """Return the seat of a one-time link, None if the link is used, expired or unknown."""
    links = SeatLink.objects.select_related("seat__session__campaign")
    link = links.filter(token_hash=_hash(token), made_at__gt=timezone.now() - LINK_LIFETIME).first()
    return link.seat if link and not link.seat.removed_at and not link.seat.session.ended_at else None


@transaction.atomic
def redeem_link(*, token: str, person: Person) -> Seat:
    """Use a one-time link: its seat moves to the device of ``person``, with hand and character.

    :raises Refused: ``link_closed``, ``seated_already`` (this device plays on another seat of the session).
    """
    seat = seat_by_link(token)
    # One DELETE statement, so that only one of two devices gets the seat.
    if seat is None or not SeatLink.objects.filter(token_hash=_hash(token)).delete()[0]:
        raise Refused("link_closed")
    return _move(seat, person)


def silent_seats(session: Session) -> list[Seat]:
    """Return the seats whose devices are not here: a person with a new phone may claim them."""
    seats = list(session.seats.filter(removed_at=None).exclude(role=Role.GM))
    here = presence.page_states(seat.pk for seat in seats)
    return [seat for seat in seats if here[seat.pk] != "here"]


@transaction.atomic
def claim(*, seat: Seat, person: Person) -> None:
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
    old device objects (``vouch``). In all other cases only the seat moves.

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
    broadcast(seat.session_id)


def claims(session: Session, seat: Seat | None) -> dict[str, object]:
    """Return the context of the claims' region, which only the GM and the host of a free session have."""
    if not seat or not (seat.is_gm or session.host_id == seat.person_id):
        return {"claims": [], "words": []}
    open_claims = SeatClaim.objects.filter(seat__session=session, seat__removed_at=None)
    words = [_word(link) for link in new_devices.vouched_moves(session)] if seat.role == Role.GM else []
    return {"claims": list(open_claims.select_related("seat", "person")), "words": words}


def _word(link: PersonLink) -> dict[str, object]:
    """Return a device move that the GM vouched for: its state and the name of its person."""
    state = "taken" if link.taken_at else "asked" if person_links.has_open_request(link) else "silent"
    return {"link": link, "state": state, "name": new_devices.name_of(link)}


def _move(seat: Seat, person: Person) -> Seat:
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


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
