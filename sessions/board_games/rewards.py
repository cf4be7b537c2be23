"""The rewards of a board game in the campaign: experience points and a handout."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from characters import services
from characters.models import LedgerEntry
from companion.models import Person
from sessions.evening import handouts
from sessions.models import Handout, Role, Seat, Table
from sessions.table.titles import title_of

REWARD_POINTS_AT_MOST = 99


def rewardable_seats(table: Table) -> list[Seat]:
    """Return the seats that can get a reward: all of the session but the GM's, the table's own first."""
    here = set(table.table_seats.values_list("seat_id", flat=True))
    seats = table.session.seats.filter(removed_at=None).exclude(role=Role.GM).select_related("character")
    return sorted(seats, key=lambda seat: (seat.pk not in here, seat.pk))


def rewarded_characters(table: Table) -> set[int]:
    """Return the ids of the characters that got points from this table already."""
    return set(LedgerEntry.objects.filter(source=_source(table)).values_list("character_id", flat=True))


@transaction.atomic
def reward(
    *, table: Table, seats: Iterable[Seat], points: int, handout: Handout | None, by: Person | None
) -> None:
    """Give points to the characters of these seats, and hand these seats a handout.

    A seat without a finished character gets no points. No character gets points from one table twice.
    """
    seats, had = list(seats), rewarded_characters(table)
    for seat in seats:
        character = seat.character
        if points and character and character.is_done and character.pk not in had:
            services.give_points(
                character=character,
                points=points,
                title=title_of(table),
                campaign=table.session.own_campaign.name,
                source=_source(table),
                by=by,
            )
    if handout:
        handouts.give(handout=handout, session=table.session, seats=seats)


def _source(table: Table) -> str:
    return f"table:{table.pk}"
