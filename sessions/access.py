"""Access checks: these functions alone return a person's sessions, seats and tables, or raise ``Http404``."""

from __future__ import annotations

from copy import copy

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from characters.models import Character
from companion.models import Person
from sessions.models import Campaign, LibraryNpc, Role, Seat, Session, Table, TableSeat


def own_campaign(person: Person | None, pk: int) -> Campaign:
    return get_object_or_404(Campaign, pk=pk, gm=_person_or_404(person))


def known_campaign(person: Person | None, pk: int) -> Campaign:
    """Return a campaign that ``person`` runs or has a seat in."""
    seated = Seat.objects.filter(person=_person_or_404(person), removed_at=None).values("session__campaign")
    return get_object_or_404(Campaign, Q(gm=person) | Q(pk__in=seated), pk=pk)


def member_seats(person: Person | None) -> QuerySet[Seat]:
    """Return the seats of ``person`` in campaigns from none of whose sessions they were removed."""
    seats = Seat.objects.filter(person=person, session__campaign__isnull=False).exclude(person=None)
    removed = seats.exclude(removed_at=None).values("session__campaign")
    return seats.filter(session__trial="").exclude(session__campaign__in=removed)


def member_campaigns(person: Person | None) -> QuerySet[Campaign]:
    """Return the campaigns in which ``person`` has a seat, as their GM, too, and was never removed."""
    seated = member_seats(person).values("session__campaign")
    return Campaign.objects.filter(pk__in=seated).order_by("name", "pk")


def member_campaign(person: Person | None, pk: int) -> Campaign:
    return get_object_or_404(member_campaigns(_person_or_404(person)), pk=pk)


def seat_even_if_removed(person: Person | None, session_pk: int) -> Seat:
    """Return the seat of ``person`` in a session, even if it was taken from them."""
    seats = Seat.objects.select_related("session__campaign", "character", "person")
    return get_object_or_404(seats, session_id=session_pk, person=_person_or_404(person))


def seat_in(person: Person | None, session: Session) -> Seat:
    """Return the seat of ``person`` among those of a session, even if it was taken from them."""
    somebody = _person_or_404(person)
    for seat in session.sitters:
        if seat.person_id == somebody.pk:
            return seat
    raise Http404


def own_seat(person: Person | None, session_pk: int) -> Seat:
    """Return the seat of ``person`` in a session, unless it was taken from them."""
    seat = seat_even_if_removed(person, session_pk)
    if seat.removed_at:
        raise Http404
    return seat


def running_seats(person: Person | None) -> QuerySet[Seat]:
    """Return the seats of ``person`` in running sessions, the newest first."""
    kept = Seat.objects.filter(person=person, removed_at=None, session__ended_at=None)
    return kept.exclude(person=None).select_related("session__campaign").order_by("-session__opened_at")


def gm_seat(person: Person | None, session_pk: int) -> Seat:
    """Return the GM's seat of a session that ``person`` runs, as its GM or as the deputy who took over."""
    seats = Seat.objects.select_related("session__campaign", "character", "person")
    own = Q(person=_person_or_404(person))
    taken_over = Q(stand_in__person=person, stand_in__deputy=True, stand_in__removed_at=None)
    return get_object_or_404(seats, own | taken_over, session_id=session_pk, role=Role.GM)


def runs_session(seat: Seat) -> bool:
    """True if a seat runs the session: the GM's, or that of the deputy who took over."""
    return seat.is_gm or (seat.deputy and seat.stands_in_for.filter(role=Role.GM).exists())


def hosts_session(seat: Seat) -> bool:
    """True if a seat belongs to the host of a free session."""
    return seat.session.host_id is not None and seat.session.host_id == seat.person_id


def may_open_games(seat: Seat) -> bool:
    """True if a seat may open board games: it runs or hosts the session, or the GM allows players to."""
    allowed = seat.session.players_open and seat.role == Role.PLAYER
    closed = seat.removed_at or seat.session.ended_at or seat.session.trial
    return not closed and (allowed or runs_session(seat) or hosts_session(seat))


def keeper_seat(person: Person | None, session_pk: int) -> Seat:
    """Return the seat that controls joining and the end of a session: a free one's host's, else the GM's.

    A practice session and a rehearsal have no joining; they give a 404.
    """
    own = Seat.objects.select_related("session").filter(session_id=session_pk, person=_person_or_404(person))
    get_object_or_404(Session, pk=session_pk, trial="")
    return own.filter(session__host=person, removed_at=None).first() or gm_seat(person, session_pk)


def game_opener_seat(person: Person | None, session_pk: int) -> Seat:
    seat = own_seat(person, session_pk)
    if not may_open_games(seat):
        raise Http404
    return seat


def represented_seat(own: Seat, pk: int) -> Seat | None:
    """Return the seat that ``own`` plays as a stand-in (代行), None if it does not (any more)."""
    return own.stands_in_for.filter(pk=pk).first() if not own.removed_at else None


def seat_as_gm(person: Person | None, session_pk: int, seat_pk: int) -> Seat:
    seats = gm_seat(person, session_pk).session.seats.exclude(role=Role.GM)
    return get_object_or_404(seats.select_related("session__campaign", "character"), pk=seat_pk)


def seat_as_keeper(person: Person | None, session_pk: int, seat_pk: int) -> Seat:
    """Return another person's seat in a session whose joining ``person`` controls (``keeper_seat``)."""
    keeper = keeper_seat(person, session_pk)
    others = keeper.session.seats.exclude(role=Role.GM).exclude(pk=keeper.pk)
    return get_object_or_404(others.select_related("session"), pk=seat_pk)


def character_for_gm(person: Person | None, session_pk: int, seat_pk: int) -> Character:
    brought = seat_as_gm(person, session_pk, seat_pk).character
    if brought is None:
        raise Http404
    return brought


def session_by_face(key: object) -> Session:
    """Return the session of a table face; everybody who knows its address may look."""
    return get_object_or_404(Session, face_key=key)


def table_and_seat(person: Person | None, table_pk: int) -> tuple[Table, Seat]:
    """Return a table and the seat of ``person`` in its session, as a player there or as a spectator."""
    table = get_object_or_404(Table.objects.select_related("session__campaign"), pk=table_pk)
    return table, seat_beside(person, table)


def seat_beside(person: Person | None, table: Table) -> Seat:
    """Return the seat of ``person`` in a table's session, even if it was taken from them."""
    somebody = _person_or_404(person)
    for sits in table.sitters:
        if sits.seat and sits.seat.person_id == somebody.pk:
            # A copy of the row that is already loaded: other pages may read the same table.
            seat = copy(sits.seat)
            seat.session, seat.person = table.session, somebody
            return seat
    return seat_even_if_removed(somebody, table.session_id)


def finished_table(person: Person | None, table_pk: int) -> tuple[Table, Person]:
    """Return an ended table and ``person``, who played it to the end and still has that session's seat."""
    somebody = _person_or_404(person)
    seats = TableSeat.objects.filter(seat__person=somebody, seat__removed_at=None, bot="")
    ended = Table.objects.filter(ended_at__isnull=False, pk__in=seats.values("table"))
    return get_object_or_404(ended, pk=table_pk), somebody


def table_gm(person: Person | None, table_pk: int) -> Table:
    table = get_object_or_404(Table.objects.select_related("session__campaign__gm"), pk=table_pk)
    gm_seat(person, table.session_id)
    return table


def table_own_gm(person: Person | None, table_pk: int) -> Table:
    """Return a table of a session whose GM ``person`` is; a deputy who took over is not."""
    own = Seat.objects.filter(person=_person_or_404(person), role=Role.GM, removed_at=None)
    return get_object_or_404(Table, pk=table_pk, session__in=own.values("session"))


def npc_library(person: Person | None, campaign: Campaign | None) -> QuerySet[LibraryNpc]:
    """Return the NPCs of a GM's library: all, or those for a campaign and for every campaign."""
    npcs = (
        LibraryNpc.objects.filter(owner=_person_or_404(person))
        .select_related("campaign", "picture")
        .defer("picture__content")
    )
    return npcs.filter(Q(campaign=campaign) | Q(campaign=None)) if campaign else npcs


def library_npc(person: Person | None, pk: int) -> LibraryNpc:
    return get_object_or_404(LibraryNpc, pk=pk, owner=_person_or_404(person))


def _person_or_404(person: Person | None) -> Person:
    if person is None:
        raise Http404
    return person
