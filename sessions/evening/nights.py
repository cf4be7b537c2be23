"""Actions on a session: open it, take a seat, bring a character, remove a seat, close it.

With them are the join code and its address, the name and the character with which a returning person joined
last time, and the pages of a campaign's sessions.
"""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Length
from django.urls import reverse
from django.utils.crypto import salted_hmac

from characters.models import Character, Creation
from characters.services import exchange
from characters.services.sheets import revision_number
from companion import names, shared_time
from companion.identity.people import shown_name
from companion.models import Person
from sessions.evening.announcements import add_seat_note, broadcast, notify_session_opened
from sessions.evening.refusals import Refused
from sessions.models import CODE_LIFETIME, Campaign, Role, Seat, SeatNote, Session

#: The campaign of the sample session that every new server begins with.
SAMPLE_CAMPAIGN = "見本のキャンペーン"
#: The people of the sample were created with it, before a server takes requests.
SAMPLE_CREATED_WITHIN = timedelta(seconds=10)
#: The most seats of a session without removed ones: players, spectators, and people who joined twice.
SEATS_AT_MOST = 40
#: The most seats of a session with removed ones, as a removed joker may keep coming back under new names.
SEATS_EVER = 1_000
#: The time after a step of a character's creation for which its player counts as still at it.
CREATING_FOR = timedelta(minutes=10)
#: Sessions per page.
SESSIONS_A_PAGE = 30
#: Further characters are ignored: normalizing a long run of combining accents takes quadratic time.
READ_OF_CODE = 200
#: The digits of a code while few sessions are open, and the most that a code ever has.
DIGITS, DIGITS_AT_MOST = 6, 10
#: Wrong codes that the whole server looks up in a day (sessions.views.live_pages enforces this limit).
MISSES_A_DAY = 250
#: The years of continuous guessing after which one hit is expected on average.
YEARS_TO_HIT = 2
#: The fields of a seat that say whether the GM approved its character.
APPROVAL = ("approved", "approved_revision", "approved_before")
#: 48 bits: at a hundred tries a second, 45,000 years on average.
KEY_LENGTH = 12


def find_sample(gm: Person | None) -> Campaign | None:
    """Return the campaign of the sample session; one with a second session, or with real players, is none."""
    named = Campaign.objects.filter(gm=gm, name=SAMPLE_CAMPAIGN)
    evenings = Count("sessions", filter=Q(sessions__trial=""))
    sample = named.annotate(count=evenings).filter(count=1).first()
    if sample is None:
        return None
    seats = Seat.objects.filter(session__campaign=sample).exclude(person=gm)
    return None if seats.exclude(person__in=_sample_people(sample)).exists() else sample


@transaction.atomic
def delete_sample(sample: Campaign) -> None:
    """Delete the sample with its session, and its people with their characters."""
    keys = list(_sample_people(sample).values_list("pk", flat=True))
    sample.delete()
    Person.objects.filter(pk__in=keys, seats=None).delete()


def _sample_people(sample: Campaign) -> QuerySet[Person]:
    created = sample.created_at - SAMPLE_CREATED_WITHIN, sample.created_at + SAMPLE_CREATED_WITHIN
    return Person.objects.filter(user=None, seats__session__campaign=sample, created_at__range=created)


@transaction.atomic
def open_session(*, campaign: Campaign, title: str) -> Session:
    session = save_with_free_code(Session(campaign=campaign, title=title))
    create_gm_seat(session)
    notify_session_opened(session)
    return session


def create_gm_seat(session: Session) -> Seat:
    gm = session.own_campaign.gm
    name = names.clean(shown_name(gm)[:12]) or "GM"
    return Seat.objects.create(
        session=session, person=gm, role=Role.GM, name=name, name_key=names.name_key(name), approved=True
    )


def rotate_code(*, session: Session) -> None:
    """Give the session a new code. The old one admits no newcomers any more; seated people are unaffected."""
    session.code_issued_at = shared_time.now()
    save_with_free_code(session)
    broadcast(session.pk)


def save_with_free_code(session: Session) -> Session:
    """Save the session with a new code that no open session has."""
    digits = needed_code_length(_sessions_with_code().exclude(pk=session.pk).count())
    while True:
        session.code = new_code(digits)
        try:
            with transaction.atomic():
                # Save only these fields of a running session: its seating may have changed in the database.
                session.save(update_fields=["code", "code_issued_at"] if session.pk else None)
                return session
        except IntegrityError:
            continue


def _sessions_with_code() -> QuerySet[Session]:
    """Return the sessions whose codes have not expired, also those closed to newcomers: they may reopen."""
    fresh = Session.objects.filter(ended_at=None, code_issued_at__gt=shared_time.now() - CODE_LIFETIME)
    return fresh.exclude(code="")


def code_length() -> int | None:
    """Return how many digits the valid codes have, None if their lengths differ."""
    lengths = set(_sessions_with_code().values_list(Length("code"), flat=True).distinct()) or {DIGITS}
    return lengths.pop() if len(lengths) == 1 else None


def set_joining(*, session: Session, is_open: bool) -> None:
    """Open or close the session to newcomers. Seated people may always come back."""
    session.joining_open = is_open
    session.save(update_fields=["joining_open"])
    broadcast(session.pk)


@transaction.atomic
def close_session(*, session: Session) -> None:
    """End the session: no more joining and no more moves; its tables end in their present states.

    A free session has no GM to reveal its tables' secrets later, so they are revealed now, for the proof.
    """
    session.ended_at = shared_time.now()
    session.secrets_opened_at = session.ended_at if session.is_free else session.secrets_opened_at
    session.save(update_fields=["ended_at", "secrets_opened_at"])
    session.tables.filter(ended_at=None).update(ended_at=session.ended_at)
    session.clocks.all().delete()
    broadcast(session.pk)


def session_by_code(typed: str) -> Session | None:
    """Return the session of a typed code; None alike for a wrong, expired, replaced or closed one."""
    if not (code := read_code(typed)):
        return None
    session = Session.objects.select_related("campaign__gm").filter(code=code, ended_at=None).first()
    return session if session and session.admits else None


@transaction.atomic
def take_seat(*, session: Session, person: Person, name: str, role: Role) -> Seat:
    """Seat a person who joined by the code. A person who has a seat already gets that seat.

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
        raise Refused("name_taken", suggestion=names.free_name(name, others))
    person.name = name
    person.save(update_fields=["name"])
    seat = Seat.objects.create(
        session=session, person=person, role=role, name=name, name_key=names.name_key(name)
    )
    broadcast(session.pk)
    return seat


def become_player(*, seat: Seat) -> None:
    """Make a spectator a player.

    :raises Refused: ``door_closed``: newcomers cannot join any more.
    """
    if not seat.session.admits or seat.removed_at:
        raise Refused("door_closed")
    Seat.objects.filter(pk=seat.pk, role=Role.SPECTATOR).update(role=Role.PLAYER)
    broadcast(seat.session_id)


@transaction.atomic
def bring_character(*, seat: Seat, character: Character | None) -> None:
    """Bring the person's own character to their seat, None for no character; the GM must then approve it.

    A character that has not changed since the GM approved it in this campaign is approved at once.

    :raises Refused: ``session_over`` (a sheet stays with the session it was played in), ``no_campaign``.
    :raises Character.DoesNotExist: it was deleted.
    """
    if character and seat.session.is_free:
        raise Refused("no_campaign")
    if seat.session.ended_at:
        raise Refused("session_over")
    if character:
        character = Character.objects.select_for_update().get(pk=character.pk)
    seat.character = character
    seat.approved_revision = _approved_revision_before(seat)
    seat.approved = seat.approved_before = seat.approved_revision is not None
    seat.save(update_fields=["character", *APPROVAL])
    broadcast(seat.session_id)


def _approved_revision_before(seat: Seat) -> int | None:
    """Return the revision of a seat's character if the campaign's GM approved it at the last session.

    None if the sheet has changed since, or if the GM approved another revision, or none.
    """
    if seat.character is None:
        return None
    others = Seat.objects.filter(character=seat.character, session__campaign=seat.session.campaign_id)
    last = others.filter(removed_at=None).exclude(pk=seat.pk).order_by("joined_at", "pk").last()
    current = revision_number(seat.character)
    return current if last and last.approved and last.approved_revision == current else None


def ask_to_draw(*, seat: Seat) -> None:
    """Remove a seat's character, and start a draft with its name, faces and story: its owner draws six cards.

    The old sheet stays unchanged in its owner's list of characters.
    """
    if seat.character is None or seat.session.ended_at:
        return
    character = seat.character
    exchange.import_as_draft(
        owner=character.owner,
        sheet=exchange.plain_sheet(character, faces=True),
        return_to=seat.session.get_absolute_url(),
    )
    bring_character(seat=seat, character=None)


def announce_face_change(character: Character, **_signal: Any) -> None:
    """Notify the open pages of the sessions to which a character was brought, after its face has changed."""
    for seat in character.seats.filter(removed_at=None, session__ended_at=None):
        broadcast(seat.session_id)


def find_creating(session: Session) -> set[int]:
    """Return the pks of the people who draw a character for a session, by their newest steps."""
    drafts = Character.objects.filter(
        status="draft",
        creation__return_to=session.get_absolute_url(),
        changed_at__gte=shared_time.now() - CREATING_FOR,
    )
    return set(drafts.values_list("owner", flat=True))


def announce_creation(instance: Creation, created: bool, **_signal: Any) -> None:
    """Notify the pages of the owner's sessions of the start of a creation; receiver of ``post_save``."""
    if created:
        owner = instance.character.owner_id
        for seat in Seat.objects.filter(person=owner, removed_at=None, session__ended_at=None):
            broadcast(seat.session_id, "presence", "night_gm")


def set_approved(*, seat: Seat, approved: bool) -> None:
    """Approve the character of a seat as its sheet is now, or withdraw the approval.

    Nothing changes if the player has brought another character since the seat was read.
    """
    seat.approved, seat.approved_before = approved, False
    seat.approved_revision = revision_number(seat.character) if approved and seat.character else None
    values = {name: getattr(seat, name) for name in APPROVAL}
    Seat.objects.filter(pk=seat.pk, character=seat.character).update(**values)
    broadcast(seat.session_id)


def remove_seat(*, seat: Seat) -> None:
    """Remove a player's seat (席を外す). Their device cannot rejoin this session; the hand stays in the game.

    The seat is not played until the GM appoints a stand-in (``stand_ins.let_stand_in``).
    """
    seat.removed_at, seat.stand_in, seat.stand_in_asked = shared_time.now(), None, None
    seat.save(update_fields=["removed_at", "stand_in", "stand_in_asked"])
    add_seat_note(SeatNote.SeatNoteKind.REMOVED, seat)


def restore_seat(*, seat: Seat) -> None:
    """Give a removed seat back to its owner, unchanged; a stand-in for it ends.

    :raises Refused: ``name_taken`` if another seat has the same name now, or one that looks alike.
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
    add_seat_note(SeatNote.SeatNoteKind.RESTORED, seat)


def previous_sessions(session: Session) -> QuerySet[Session]:
    """Return the campaign's ended sessions before this one at which a table was open, oldest first."""
    if session.campaign is None or session.trial:
        return Session.objects.none()
    earlier = session.campaign.evenings.filter(opened_at__lt=session.opened_at, tables__isnull=False)
    return earlier.exclude(ended_at=None).order_by("opened_at", "pk")


@dataclass(frozen=True)
class SessionPage:
    """A page of sessions, newest first. They are numbered from the oldest on, so new ones do not shift pages.

    The page of earlier sessions ends before number ``earlier``, that of later ones begins with ``later``.
    """

    sessions: list[Session]
    earlier: int | None
    later: int | None


def session_page(campaign: Campaign, *, first: int | None = None, before: int | None = None) -> SessionPage:
    """Return the page from session number ``first`` on, or the one before ``before``, or else the newest."""
    numbered = campaign.evenings.order_by("-opened_at", "-pk")
    count = numbered.count()
    if first is not None:
        start = min(max(first - 1, 0), count)
        end = min(start + SESSIONS_A_PAGE, count)
    else:
        end = min(before - 1, count) if before else count
        start = max(end - SESSIONS_A_PAGE, 0)
    found = list(numbered[count - end : count - start])
    return SessionPage(found, start + 1 if start else None, end + 1 if end < count else None)


@dataclass(frozen=True)
class LastJoin:
    """A person's last name and character, so that they can join with the same ones by one tap."""

    name: str
    character: Character | None


def last_joined_as(person: Person | None, campaign: Campaign | None) -> LastJoin | None:
    """Return how a person last joined this campaign, or else any session; None for a newcomer.

    :param campaign: None for a free session, which has no characters.
    """
    if person is None:
        return None
    seats = Seat.objects.filter(person=person, role=Role.PLAYER, removed_at=None)
    seats = seats.select_related("character").order_by("joined_at", "pk")
    seat = seats.filter(session__campaign=campaign).last() or seats.last()
    return join_of(seat, campaign) if seat else None


def join_of(seat: Seat, campaign: Campaign | None) -> LastJoin:
    """Return how the person of a seat would join a session again, with their own finished character alone."""
    character = seat.character if campaign else None
    own = character and character.owner_id == seat.person_id and character.is_done
    return LastJoin(seat.name, character if own else None)


def needed_code_length(others: int) -> int:
    """Return how many digits a new code needs, given the number of other open sessions.

    A guess hits one of n sessions with probability n / 10 ** digits, so a hit takes 10 ** digits / n guesses
    on average.
    """
    tries = (others + 1) * MISSES_A_DAY * 365 * YEARS_TO_HIT
    return min(max(len(str(tries - 1)), DIGITS), DIGITS_AT_MOST)


def new_code(digits: int = DIGITS) -> str:
    """Return a new code. Digits need no IME, suit a number pad and spell no rude words."""
    return f"{secrets.randbelow(10**digits):0{digits}}"


def read_code(typed: str) -> str | None:
    """Return the digits of a typed code (全角, spaces and hyphens are fine), None if it cannot be a code."""
    digits = "".join(c for c in unicodedata.normalize("NFKC", typed[:READ_OF_CODE]) if c.isalnum())
    fits = DIGITS <= len(digits) <= DIGITS_AT_MOST
    return digits if fits and digits.isascii() and digits.isdigit() else None


def join_url(session: Session, origin: str) -> str:
    """Return the URL in the QR code. Its key makes it work even while wrong codes are being throttled."""
    return f"{origin}{reverse('play:join', args=[session.code])}?key={join_key(session.code)}"


def join_key(code: str) -> str:
    """Return the key that links and QR codes contain beside the code, to tell them from guessed codes."""
    return salted_hmac("sessions.invitation", code, algorithm="sha256").hexdigest()[:KEY_LENGTH]


def address_to_type(origin: str) -> str:
    """Return an origin as people type it, without the scheme."""
    return origin.partition("://")[2]
