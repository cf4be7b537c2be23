"""Returning people: the name and the character with which they joined last time."""

from __future__ import annotations

from dataclasses import dataclass

from characters.models import Character
from companion.models import Person
from sessions.models import Campaign, Role, Seat


@dataclass(frozen=True)
class LastTime:
    """A person's last name and character, so that they can join with the same ones by one tap."""

    name: str
    character: Character | None


def last_time(person: Person | None, campaign: Campaign | None) -> LastTime | None:
    """Return how a person last joined this campaign, or else any session; None for a newcomer.

    :param campaign: None for a free session, which has no characters.
    """
    if person is None:
        return None
    seats = Seat.objects.filter(person=person, role=Role.PLAYER, removed_at=None)
    seats = seats.select_related("character").order_by("joined_at", "pk")
    seat = seats.filter(session__campaign=campaign).last() or seats.last()
    if seat is None:
        return None
    character = seat.character if campaign else None
    own = character and character.owner_id == person.pk and character.is_done
    return LastTime(seat.name, character if own else None)
