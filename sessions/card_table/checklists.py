"""The experience checklists of a session: each player ticks lines on the phone, the GM confirms. [UC-11.1]

The checklists are models of ``characters``; they name their session by a key.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from characters import reference
from characters.models import Character, ExperienceChecklist, ExperienceLine
from characters.rules import SheetRefused
from characters.services import experience
from companion.models import Person
from sessions.card_table import house_rules
from sessions.evening import announcements
from sessions.evening.refusals import Refused
from sessions.models import Campaign, Role, Seat, Session

#: The regions that show checklists: a player's own, the link at the table, the GM's, the unconfirmed ones.
REGIONS = ("experience", "experience_call", "experience_gm", "experience_open")
_PREFIX = "session:"


class Tick(NamedTuple):
    seat: Seat
    on: bool
    confirmed: bool


def session_key(session_pk: int) -> str:
    return f"{_PREFIX}{session_pk}"


def checklists_of(session: Session) -> QuerySet[ExperienceChecklist]:
    return ExperienceChecklist.objects.filter(session_key=session_key(session.pk))


def is_open(session: Session) -> bool:
    """True if lines can be ticked: once the GM has begun, and always after the session has ended."""
    return session.ended_at is not None or checklists_of(session).exists()


def heroes(session: Session) -> list[Seat]:
    seats = session.seats.filter(role=Role.PLAYER, removed_at=None, character__status=Character.Status.DONE)
    return list(seats.select_related("character", "session__campaign"))


@transaction.atomic
def open_checklists(*, session: Session) -> None:
    for seat in heroes(session):
        _open_checklist(seat)
    announcements.broadcast(session.pk, *REGIONS)


@transaction.atomic
def tick_line(*, seat: Seat, key: str, ticked: bool) -> None:
    """Tick a line for a seat's character, or remove the tick; repeating it changes nothing.

    :raises Refused: ``experience_closed``, ``no_character``.
    :raises characters.rules.SheetRefused: ``no_such_line``, ``checklist_confirmed``.
    """
    checklist = _current_checklist(seat)
    try:
        experience.tick_experience(checklist=checklist, key=key, ticked=ticked)
    except SheetRefused as refused:
        if refused.code not in ("already_ticked", "not_ticked"):
            raise


@transaction.atomic
def confirm(*, seat: Seat, by: Person | None) -> None:
    """Confirm the checklist of a seat's character for the GM, which awards its points.

    :raises Refused: ``experience_closed``, ``no_character``.
    :raises characters.rules.SheetRefused: ``checklist_confirmed``.
    """
    experience.confirm_experience(checklist=_current_checklist(seat), by=by)


@transaction.atomic
def confirm_all(*, session: Session, by: Person | None) -> None:
    """Confirm every open checklist that has a tick; the others stay open."""
    for checklist in checklists_of(session).filter(confirmed_at=None, lines__isnull=False).distinct():
        experience.confirm_experience(checklist=checklist, by=by)


def unconfirmed_sessions(campaign: Campaign) -> list[tuple[Session, int]]:
    """Return the past sessions of a campaign with unconfirmed checklists, and the number of these."""
    ended = list(campaign.sessions.exclude(ended_at=None))
    keys = ExperienceChecklist.objects.filter(
        session_key__in=[session_key(session.pk) for session in ended], confirmed_at=None
    ).values_list("session_key", flat=True)
    waiting = Counter(keys)
    return [(session, count) for session in ended if (count := waiting[session_key(session.pk)])]


def tell_pages(checklist: ExperienceChecklist, **_signal: Any) -> None:
    """Update the pages of a checklist's session after a change from anywhere (signal handler)."""
    if checklist.session_key.startswith(_PREFIX):
        announcements.broadcast(int(checklist.session_key.removeprefix(_PREFIX)), *REGIONS)


def _current_checklist(seat: Seat) -> ExperienceChecklist:
    if not is_open(seat.session):
        raise Refused("experience_closed")
    if seat.character is None or not seat.character.is_done or seat.role != Role.PLAYER:
        raise Refused("no_character")
    return _open_checklist(seat)


def _open_checklist(seat: Seat) -> ExperienceChecklist:
    """Return the checklist of a seat's character, opened with the campaign's current rates if it is new."""
    assert seat.character
    campaign = seat.session.campaign
    return experience.open_session_checklist(
        character=seat.character,
        session_key=session_key(seat.session_id),
        title=seat.session.title,
        campaign=campaign.name if campaign else "",
        rates=house_rules.experience_rates(campaign),
    )


def _loaded_heroes(session: Session) -> list[Seat]:
    """Return the same seats as ``heroes``, from those that the page has already loaded."""
    players = [seat for seat in session.sitters if seat.role == Role.PLAYER and not seat.removed_at]
    return [seat for seat in players if seat.character and seat.character.is_done]


def own_part(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return a player's own checklist for its region; nothing while ticking is closed."""
    if not (seat and seat.role == Role.PLAYER and seat.character and seat.character.is_done):
        return {}
    if not session.read_once("checklists", lambda: is_open(session)):
        return {}
    lists = checklists_of(session).filter(character=seat.character).prefetch_related("lines")
    checklist = lists.select_related("entry").first()
    confirmed = bool(checklist and checklist.confirmed_at)
    return {
        "asked": True,
        "character": seat.character,
        "lines": _lines(session, [(seat, checklist)]),
        "checklist": checklist,
        "confirmed": confirmed,
        "balance": experience.balance(seat.character) if confirmed else 0,
    }


def call_part(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the context of a table's checklist link: all characters for the GM, else a player's own list."""
    if seat and seat.is_gm:
        # A callable: the template queries the database only once the table has ended, not at every render.
        return {"heroes": _loaded_heroes(session), "opened": partial(is_open, session)}
    return own_part(session, seat)


def gm_part(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the checklists for the GM's region: the ticks of each line, and each character's checklist."""
    if not (seat and seat.is_gm):
        return {}
    players = _loaded_heroes(session)
    if not is_open(session):
        return {"players": players if session.tables.all().exists() else [], "opened": False}
    lists = checklists_of(session).prefetch_related("lines").select_related("entry")
    by_character = {checklist.character_id: checklist for checklist in lists}
    rows = [(player, by_character.get(player.character_id or 0)) for player in players]
    waiting = [checklist for _, checklist in rows if not (checklist and checklist.confirmed_at)]
    return {
        "players": players,
        "opened": True,
        "rows": rows,
        "lines": _lines(session, rows),
        "waiting": len(waiting),
        "ready": sum(bool(checklist and checklist.lines.all()) for checklist in waiting),
    }


def open_part(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the players whose experience is not confirmed, for the GM who is about to end the session."""
    if not (seat and seat.is_gm and session.tables.all().exists()):
        return {}
    confirmed = checklists_of(session).exclude(confirmed_at=None).values_list("character", flat=True)
    done = set(confirmed)
    return {"unconfirmed": [seat for seat in _loaded_heroes(session) if seat.character_id not in done]}


def points_earned(session: Session) -> list[tuple[Seat, int | None]]:
    """Return the points that each character earned in this session, None while the GM has not confirmed."""
    if not is_open(session):
        return []
    lists = checklists_of(session).select_related("entry")
    by_character = {checklist.character_id: checklist for checklist in lists}
    rows = [(seat, by_character.get(seat.character_id or 0)) for seat in heroes(session)]
    return [
        (seat, checklist.entry.points if checklist and checklist.confirmed_at else None)
        for seat, checklist in rows
    ]


def _lines(
    session: Session, rows: list[tuple[Seat, ExperienceChecklist | None]]
) -> list[tuple[ExperienceLine, list[Tick]]]:
    """Return each line of the checklist, in the campaign's words, with the tick of each seat."""
    ticked = {
        seat.pk: {line.pk for line in checklist.lines.all()} if checklist else set()
        for seat, checklist in rows
    }
    return [
        (
            line,
            [
                Tick(seat, line.pk in ticked[seat.pk], bool(checklist and checklist.confirmed_at))
                for seat, checklist in rows
            ],
        )
        for line in reference.experience_lines(house_rules.words(session.campaign))
    ]
