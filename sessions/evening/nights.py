"""The verbs of an evening: open it, sit down, bring a character, leave, close."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from characters import services
from characters.models import Character
from companion import names
from companion.identity.people import shown_name
from companion.models import Person
from sessions.evening.announcing import announce
from sessions.evening.codes import (
    DIGITS,
    digits_beside,
    free_name,
    new_code,
    read_code,
)
from sessions.evening.pocket_news import night_opened
from sessions.evening.refusals import Refused
from sessions.evening.seat_notes import note
from sessions.models import CODE_LIFETIME, Campaign, Role, Seat, SeatNote, Session

#: Players, spectators and people who came twice: more than any living room holds.
SEATS_AT_MOST = 40
#: Removed seats count, too: a joker comes back under another name.
SEATS_EVER = 1_000


@transaction.atomic
def open_session(*, campaign: Campaign, title: str) -> Session:
    """Open a night of a campaign and seat its GM."""
    session = with_free_code(Session(campaign=campaign, title=title))
    seat_gm(session)
    night_opened(session)
    return session


def seat_gm(session: Session) -> Seat:
    """Seat the GM of a night of a campaign."""
    gm = session.own_campaign.gm
    name = names.clean(shown_name(gm)[:12]) or "GM"
    return Seat.objects.create(
        session=session, person=gm, role=Role.GM, name=name, name_key=names.name_key(name), approved=True
    )


def rotate_code(*, session: Session) -> None:
    """Give the session a new code. Strangers with the old one stay out; seated people notice nothing."""
    session.code_issued_at = timezone.now()
    with_free_code(session)
    announce(session.pk)


def with_free_code(session: Session) -> Session:
    """Save the session under a code that no open session has."""
    digits = digits_beside(_opening().exclude(pk=session.pk).count())
    while True:
        session.code = new_code(digits)
        try:
            with transaction.atomic():
                # Of a night that runs nothing else: its seating may have grown meanwhile.
                session.save(update_fields=["code", "code_issued_at"] if session.pk else None)
                return session
        except IntegrityError:
            continue


def _opening() -> QuerySet[Session]:
    """Return the evenings whose codes are valid today; a closed door may be opened again."""
    fresh = Session.objects.filter(ended_at=None, code_issued_at__gt=timezone.now() - CODE_LIFETIME)
    return fresh.exclude(code="")


def digits_tonight() -> int | None:
    """Return how many digits the codes of tonight have, None where they differ."""
    lengths = set(_opening().values_list(Length("code"), flat=True).distinct()) or {DIGITS}
    return lengths.pop() if len(lengths) == 1 else None


def set_joining(*, session: Session, is_open: bool) -> None:
    """Open or close the door for newcomers. Seated people come back even when it is closed."""
    session.joining_open = is_open
    session.save(update_fields=["joining_open"])
    announce(session.pk)


@transaction.atomic
def close_session(*, session: Session) -> None:
    """End the night: no more joining, no more moves; its tables end as they stand.

    A free night has no GM who would open what was hidden at its tables: it lies open now, for the proof.
    """
    session.ended_at = timezone.now()
    session.secrets_opened_at = session.ended_at if session.is_free else session.secrets_opened_at
    session.save(update_fields=["ended_at", "secrets_opened_at"])
    session.tables.filter(ended_at=None).update(ended_at=session.ended_at)
    session.clocks.all().delete()
    announce(session.pk)


def session_by_code(typed: str) -> Session | None:
    """Return the session of a code. A wrong, expired, rotated and locked code look the same: None."""
    code = read_code(typed)
    session = (
        Session.objects.select_related("campaign__gm").filter(code=code, ended_at=None).first()
        if code
        else None
    )
    return session if session and session.admits else None


@transaction.atomic
def take_seat(*, session: Session, person: Person, name: str, role: Role) -> Seat:
    """Seat a person who came in by the code. A person with a seat gets that seat again.

    :raises Refused: ``name_missing``, ``name_too_long``, ``name_taken`` (with a free ``suggestion``),
        ``removed``, ``session_full``.
    """
    Session.objects.select_for_update().get(pk=session.pk)
    if seat := Seat.objects.filter(session=session, person=person).first():
        if seat.removed_at:
            raise Refused("removed")
        return seat
    name = names.clean(name)
    others = list(session.seats.filter(removed_at=None).values_list("name", flat=True))
    if not name:
        raise Refused("name_missing")
    if len(name) > 12:
        raise Refused("name_too_long")
    if len(others) >= SEATS_AT_MOST or session.seats.count() >= SEATS_EVER:
        raise Refused("session_full")
    if any(names.look_alike(name, other) for other in others):
        raise Refused("name_taken", suggestion=free_name(name, others))
    person.name = name
    person.save(update_fields=["name"])
    seat = Seat.objects.create(
        session=session, person=person, role=role, name=name, name_key=names.name_key(name)
    )
    announce(session.pk)
    return seat


def play_along(*, seat: Seat) -> None:
    """Make a spectator a player, while newcomers may still come in.

    :raises Refused: ``door_closed``.
    """
    if not seat.session.admits or seat.removed_at:
        raise Refused("door_closed")
    Seat.objects.filter(pk=seat.pk, role=Role.SPECTATOR).update(role=Role.PLAYER)
    announce(seat.session_id)


@transaction.atomic
def bring_character(*, seat: Seat, character: Character | None) -> None:
    """Bring a character of one's own to the table; the GM has yet to approve it.

    :raises Refused: ``session_over``: a sheet stays with the night it was played on; ``no_campaign``.
    :raises Character.DoesNotExist: it was deleted.
    """
    if character and seat.session.is_free:
        raise Refused("no_campaign")
    if seat.session.ended_at:
        raise Refused("session_over")
    if character:
        character = Character.objects.select_for_update().get(pk=character.pk)
    seat.character, seat.approved = character, False
    seat.save(update_fields=["character", "approved"])
    announce(seat.session_id)


def ask_to_draw(*, seat: Seat) -> None:
    """Ask for six cards in place of the character that a seat brings: its person stays, its figures do not.

    The sheet itself stays as it is on its owner's shelf.
    """
    if seat.character is None or seat.session.ended_at:
        return
    character = seat.character
    services.bring_person(
        owner=character.owner,
        sheet=services.sheet_with_faces(character),
        return_to=seat.session.get_absolute_url(),
    )
    bring_character(seat=seat, character=None)


def tell_pages(character: Character, **_signal: Any) -> None:
    """Show the new face of a character on the pages of the evenings to which it was brought."""
    for seat in character.seats.filter(removed_at=None, session__ended_at=None):
        announce(seat.session_id)


def approve(*, seat: Seat, approved: bool) -> None:
    """Approve the character that a seat brings, or take the approval back."""
    seat.approved = approved
    seat.save(update_fields=["approved"])
    announce(seat.session_id)


def remove_seat(*, seat: Seat) -> None:
    """Take the seat from a player (席を外す). Their device stays out tonight; the hand stays where it is.

    Nobody plays it until the keeper of the session says who (``stand_ins.let_stand_in``).
    """
    seat.removed_at, seat.stand_in, seat.stand_in_asked = timezone.now(), None, None
    seat.save(update_fields=["removed_at", "stand_in", "stand_in_asked"])
    note(SeatNote.Kind.REMOVED, seat)


def restore_seat(*, seat: Seat) -> None:
    """Give a removed seat back with everything as it was; nobody plays it for its owner any more.

    :raises Refused: ``name_taken`` if another seat has that name now, or one that looks alike.
    """
    others = seat.session.seats.filter(removed_at=None).exclude(pk=seat.pk).values_list("name", flat=True)
    if any(names.look_alike(seat.name, other) for other in others):
        raise Refused("name_taken")
    seat.removed_at = seat.stand_in = None
    try:
        with transaction.atomic():
            seat.save(update_fields=["removed_at", "stand_in"])
    except IntegrityError:
        raise Refused("name_taken") from None
    note(SeatNote.Kind.RESTORED, seat)
