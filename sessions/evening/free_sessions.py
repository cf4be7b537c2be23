"""Free sessions, without a campaign and a GM: for board games alone, or with friends in one room.

Their host is the person who opened them, usually a guest. For games alone a person has one such session,
without a join code, in which all their games are opened. Guests' sessions unused for a month are deleted.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion import names, shared_time
from companion.identity.people import shown_name
from companion.models import Person
from companion.requests import quotas
from companion.requests.throttle import DAY, HOUR, Windows
from sessions.evening import nights
from sessions.models import Role, Seat, Session, Table, Trial

#: A guest's session without moves and messages for this long is deleted, ``DELETED_AT_ONCE`` at a time.
UNUSED = timedelta(days=30)
DELETED_AT_ONCE = 20
#: The titles, which ``Session.name`` translates for each reader.
ALONE, WITH_FRIENDS = gettext_noop("My table"), gettext_noop("A sofa of friends")
FIRST_GAME = gettext_noop("First game")
#: The tables after which a person alone gets a new session, fewer than the most that a session can have.
TABLES = 150
#: Rate limits of the games that one person opens in free sessions, and all people from one address.
GAME_LIMIT = Windows("free-games", ((30, HOUR), (100, DAY)))
GAME_LIMIT_OF_ADDRESS = Windows("free-games-from", ((300, HOUR), (1_000, DAY)), of_an_address=True)


def count_game(person: Person, address: str) -> None:
    """Count a game or session that a person opens against the rate limits.

    :raises quotas.QuotaExceeded: this person, or this address, has opened too many lately.
    """
    if not (GAME_LIMIT_OF_ADDRESS.count(address) and GAME_LIMIT.count(f"person {person.pk}")):
        raise quotas.QuotaExceeded(quotas.TOO_MANY_GAMES)


@transaction.atomic
def seat_in_solo_session(person: Person) -> Seat:
    """Return a person's seat in their session for games alone; open the session if there is none."""
    _lock_person(person)
    own = Session.objects.filter(host=person, code="", trial="", ended_at=None).order_by("-pk").first()
    if own is None or own.tables.count() >= TABLES:
        return _save_and_seat_host(Session(host=person, title=ALONE), person, "")
    return own.seats.get(person=person)


@transaction.atomic
def open_with_friends(person: Person, name: str) -> Seat:
    _lock_person(person)
    return _save_and_seat_host(
        nights.save_with_free_code(Session(host=person, title=WITH_FRIENDS)), person, name
    )


@transaction.atomic
def open_practice(person: Person) -> Seat:
    """Open a practice session in place of an earlier one, and return the newcomer's seat."""
    session = Session(host=person, title=_("Practice evening"), trial=Trial.PRACTICE, players_write_hp=False)
    return _begin_trial(session, person)


@transaction.atomic
def open_first_game(person: Person) -> Seat:
    """Open the session of a first game in place of an earlier one, and return the newcomer's seat."""
    return _begin_trial(Session(host=person, title=FIRST_GAME, trial=Trial.FIRST_GAME), person)


def unfinished_game(person: Person | None, module: str, trial: str = "") -> Table | None:
    going_on = unfinished_games(person).filter(module=module, session__trial=trial) if person else None
    return going_on.first() if going_on else None


def unfinished_games(person: Person) -> QuerySet[Table]:
    """Return the unfinished games that a person began alone, newest first."""
    alone_there = {"session__host": person, "session__code": "", "session__ended_at": None}
    return Table.objects.filter(ended_at=None, **alone_there).select_related("session").order_by("-pk")


def delete_unused_sessions() -> int:
    """Delete up to ``DELETED_AT_ONCE`` unused sessions of guests; return their number.

    A session in which an account has a seat belongs to that account's data and stays, unless it is a trial.
    """
    limit = shared_time.now() - UNUSED
    quiet = Session.objects.filter(Q(host__user=None, campaign=None) | ~Q(trial=""), opened_at__lt=limit)
    quiet = quiet.exclude(tables__opened_at__gte=limit).exclude(tables__moves__played_at__gte=limit)
    quiet = quiet.exclude(messages__sent_at__gte=limit).exclude(trial="", seats__person__user__isnull=False)
    pks = list(quiet.order_by("pk").values_list("pk", flat=True)[:DELETED_AT_ONCE])
    Session.objects.filter(pk__in=pks).delete()
    return len(pks)


def _begin_trial(session: Session, person: Person) -> Seat:
    _lock_person(person)
    Session.objects.filter(host=person, trial=session.trial).delete()
    return _save_and_seat_host(session, person, "")


def _save_and_seat_host(session: Session, person: Person, name: str) -> Seat:
    """Save a session and seat its host. Each new session also triggers a sweep of unused ones."""
    delete_unused_sessions()
    if session.pk is None:
        session.save()
    if name := names.clean(name[:12]):
        person.name = name
        person.save(update_fields=["name"])
    name = name or names.clean(shown_name(person)[:12]) or _("Guest")
    return Seat.objects.create(
        session=session, person=person, role=Role.PLAYER, name=name, name_key=names.name_key(name)
    )


def _lock_person(person: Person) -> None:
    """Lock the person's row, so that two taps of one person run one after the other."""
    Person.objects.select_for_update().get(pk=person.pk)
